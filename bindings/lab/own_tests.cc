// One engine world a run, so that nothing is shared with whoever else runs tests.
#include "bindings/lab/own_tests.h"

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

}  // namespace muster::lab
