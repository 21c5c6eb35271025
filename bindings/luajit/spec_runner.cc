// One state for all spec files of a package, so that generations are loaded once.
#include "bindings/luajit/spec_runner.h"

#include "bindings/luajit/spec_state.h"

namespace muster::luajit {
namespace {

void AddFailure(SpecRun& run, const std::string& file, std::string message) {
  SpecCase& failed = run.cases.emplace_back();
  failed.name = file;
  failed.file = file;
  failed.verdict = SpecVerdict::kFailed;
  failed.message = std::move(message);
  run.failed = true;
}

}  // namespace

SpecRun RunSpecs(const PackageSource& source, const SpecOptions& options) {
  SpecRun run;
  SpecState state(source, options, run);
  if (auto problem = state.Boot()) {
    AddFailure(run, source.folder, "cannot start: " + *problem);
    return run;
  }
  for (const PackageFile& file : source.files) {
    if (!file.path.ends_with("_spec.lua") || (options.stop && run.failed)) continue;
    if (state.Over()) break;
    if (auto problem = state.RunFile(file)) {
      AddFailure(run, source.folder + "/" + file.path, *problem);
    }
  }
  return run;
}

}  // namespace muster::luajit
