// Mistakes in the file make the test broken, with the same words that `schedule` would use.
#include "bindings/cli/scenario/scenario_test.h"

#include <set>
#include <span>
#include <sstream>
#include <utility>

#include "bindings/cli/world/contract.h"
#include "bindings/cli/world/load.h"
#include "bindings/cli/world/play.h"
#include "bindings/cli/world/report.h"

namespace muster::cli {
namespace {

using manifest::Diagnostic;
using manifest::Manifests;

std::set<std::string> WorkloadNames(const Manifests& manifests) {
  std::set<std::string> names;
  for (const Object& object : manifests.objects) {
    if (std::holds_alternative<Workload>(object)) names.insert(KeyOf(object).ToString());
  }
  return names;
}

bool ExpectsSomething(const manifest::Scenario& scenario) {
  for (const manifest::Step& step : scenario.steps) {
    if (!step.expect_json.empty()) return true;
  }
  return false;
}

/// The last cycle that step number `step` ran.
const CycleOutcome* LastCycleOf(const std::vector<CycleOutcome>& cycles, std::size_t step) {
  const CycleOutcome* last = nullptr;
  for (const CycleOutcome& cycle : cycles) {
    if (cycle.step == step) last = &cycle;
  }
  return last;
}

std::vector<Check> CheckAll(const Manifests& manifests, const std::vector<CycleOutcome>& cycles) {
  std::vector<Check> checks;
  const std::set<std::string> workloads = WorkloadNames(manifests);
  const std::vector<manifest::Step>& steps = manifests.scenario->steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const CycleOutcome* const cycle = LastCycleOf(cycles, i);
    if (steps[i].expect_json.empty() || cycle == nullptr) continue;
    Check check{steps[i].expect_place, i, Json::parse(steps[i].expect_json), StepJson(*cycle), {}};
    check.mismatches = CompareStep(check.expected, check.got, workloads);
    checks.push_back(std::move(check));
  }
  return checks;
}

TestResult Ended(const std::string& file, Verdict verdict, std::string message) {
  TestResult result;
  result.file = file;
  result.verdict = verdict;
  result.message = std::move(message);
  return result;
}

}  // namespace

TestResult RunScenarioTest(const manifest::Source& source,
                           const std::vector<std::string>& policies) {
  Loaded loaded{{source}, manifest::Parse(std::span(&source, 1))};
  std::istringstream no_input;
  std::ostringstream said;
  Io quiet{no_input, said, said, Paint(), Paint()};
  std::vector<Diagnostic> errors = Diagnose(loaded.manifests, References::kAsKueue);
  std::erase_if(errors, [](const Diagnostic& diagnostic) {
    return diagnostic.severity != manifest::Severity::kError;
  });
  const int invalid = Report(std::move(errors), loaded.sources, "not played", quiet);
  if (invalid != kDone) return Ended(source.name, Verdict::kBroken, said.str());
  if (!loaded.manifests.scenario) {
    return Ended(source.name, Verdict::kSkipped, "no document of kind Scenario");
  }
  if (!ExpectsSomething(*loaded.manifests.scenario)) {
    return Ended(source.name, Verdict::kSkipped, "no cycle of its Scenario has an `expect`");
  }
  World world;
  PlayFlags flags;
  flags.policies = policies;
  std::vector<CycleOutcome> cycles;
  if (Play(loaded, flags, quiet, &world, KeepIn(&cycles)) != kDone) {
    return Ended(source.name, Verdict::kBroken, said.str());
  }
  TestResult result = Ended(source.name, Verdict::kPassed, "");
  result.checks = CheckAll(loaded.manifests, cycles);
  for (const Check& check : result.checks) {
    if (!check.mismatches.empty()) result.verdict = Verdict::kFailed;
  }
  return result;
}

}  // namespace muster::cli
