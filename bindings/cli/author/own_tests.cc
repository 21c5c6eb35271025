// One engine world a run, so that nothing is shared with other runs of tests.
#include "bindings/cli/author/own_tests.h"

#include "bindings/cli/author/spec_report.h"
#include "bindings/cli/author/spec_world.h"
#include "bindings/luajit/spec_runner.h"

namespace muster::cli {

Status RunOwnTests(const std::string& folder, std::string* doubt) {
  const Result<luajit::PackageSource> source = luajit::ReadPackage(folder);
  if (!source.ok()) return source.status();
  EngineWorld world;
  luajit::SpecOptions options;
  options.world = &world;
  const luajit::SpecRun run = luajit::RunSpecs(*source, options);
  if (doubt != nullptr) *doubt = WhyNothingIsShown(run.cases);
  if (!run.failed) return Status::Ok();
  std::string message = folder + ": its own tests fail, " + SpecTotals(run.cases);
  for (const luajit::SpecCase& each : run.cases) {
    if (each.verdict != luajit::SpecVerdict::kFailed) continue;
    message += "\n" + PlaceOf(each) + ": " + each.name + ": " + each.message;
  }
  return Status(StatusCode::kInvalidArgument, std::move(message));
}

}  // namespace muster::cli
