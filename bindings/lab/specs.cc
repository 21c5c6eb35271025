// One engine world a run, so that nothing is shared with other runs of tests.
#include "bindings/lab/specs.h"

#include <chrono>
#include <utility>

#include "bindings/lab/spec_world.h"
#include "bindings/luajit/spec_runner.h"

namespace muster::lab {

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

std::array<std::size_t, 3> CountVerdicts(const std::vector<luajit::SpecCase>& cases) {
  std::array<std::size_t, 3> counts = {};
  for (const luajit::SpecCase& each : cases) ++counts[static_cast<std::size_t>(each.verdict)];
  return counts;
}

std::string PlaceOf(const luajit::SpecCase& each) {
  return each.line > 0 ? each.file + ":" + std::to_string(each.line) : each.file;
}

std::string WhyNothingIsShown(const std::vector<luajit::SpecCase>& cases) {
  if (cases.empty()) return "no test ran; a test is an it(...) in policy_spec.lua";
  const bool pending = CountVerdicts(cases)[2] == cases.size();
  return pending ? "no test ran; all are pending" : "";
}

std::string SpecTotals(const std::vector<luajit::SpecCase>& cases) {
  const auto counts = CountVerdicts(cases);
  std::string text =
      std::to_string(counts[0]) + " passed, " + std::to_string(counts[1]) + " failed";
  if (counts[2] > 0) text += ", " + std::to_string(counts[2]) + " pending";
  return text;
}

std::string PolicyText(const luajit::PackageSource& source) {
  for (const luajit::PackageFile& file : source.files) {
    if (file.path == "policy.lua") return file.bytes;
  }
  return "";
}

// A mutant that does not load is noticed, too: `check` stands before every activation.
MutantRun TryMutants(const luajit::PackageSource& source, luajit::SpecOptions options,
                     double seconds) {
  const auto begun = std::chrono::steady_clock::now();
  std::vector<luajit::Mutant> mutants = luajit::MakeMutants(PolicyText(source));
  MutantRun run;
  run.all = mutants.size();
  options.stop = true;
  options.counts = nullptr;
  for (luajit::Mutant& mutant : mutants) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun;
    if (passed.count() >= seconds) break;
    ++run.tried;
    luajit::PackageSource changed = source;
    for (luajit::PackageFile& file : changed.files) {
      if (file.path == "policy.lua") file.bytes = mutant.source;
    }
    EngineWorld world;
    options.world = &world;
    if (luajit::RunSpecs(changed, options).failed) continue;
    run.survivors.push_back(std::move(mutant));
  }
  return run;
}

}  // namespace muster::lab
