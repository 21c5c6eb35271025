// Mistakes in the file make the test broken, with the same words that `schedule` would use.
#include "bindings/lab/scenario/scenario_test.h"

#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/lab/activate.h"
#include "bindings/lab/contract.h"
#include "bindings/lab/diagnose.h"
#include "bindings/lab/scenario/scenario.h"
#include "bindings/lab/words.h"
#include "muster/muster.h"

namespace muster::lab {
namespace {

using manifest::Diagnostic;
using manifest::Manifests;

/// Those of the files and those that steps apply.
std::set<std::string> WorkloadNames(const Manifests& manifests) {
  std::set<std::string> names;
  const auto add = [&names](const std::vector<Object>& objects) {
    for (const Object& object : objects) {
      if (std::holds_alternative<Workload>(object)) names.insert(KeyOf(object).ToString());
    }
  };
  add(manifests.objects);
  for (const manifest::Step& step : manifests.scenario->steps) {
    for (const Command& each : step.commands) {
      if (const auto* apply = std::get_if<command::Apply>(&each)) add(apply->objects);
    }
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

/// What the program says when it ends with `message`.
std::string Said(const std::string& message) { return "muster: " + message + "\n"; }

/// The errors among `found` and how many they are; empty when there is none.
std::string Mistakes(std::vector<Diagnostic> found, const manifest::Source& source,
                     const std::string& consequence) {
  std::erase_if(found, [](const Diagnostic& diagnostic) {
    return diagnostic.severity != manifest::Severity::kError;
  });
  if (found.empty()) return "";
  SortByPlace(std::span(&source, 1), &found);
  std::string text;
  for (const Diagnostic& diagnostic : found) text += diagnostic.ToString() + "\n";
  return text + Said(Counted(found.size(), "error") + "; " + consequence);
}

}  // namespace

TestResult RunScenarioTest(const manifest::Source& source,
                           const std::vector<std::string>& policies) {
  Manifests manifests = manifest::Parse(std::span(&source, 1));
  manifest::Settle(Engine(), &manifests);
  const std::string mistakes =
      Mistakes(Diagnose(manifests, References::kAsKueue), source, "not played");
  if (!mistakes.empty()) return {source.name, Verdict::kBroken, {}, mistakes};
  if (!manifests.scenario) {
    return {source.name, Verdict::kSkipped, {}, "no document of kind Scenario"};
  }
  if (!ExpectsSomething(*manifests.scenario)) {
    return {source.name, Verdict::kSkipped, {}, "no cycle of its Scenario has an `expect`"};
  }
  Engine engine;
  const TimeNs now = BeginOf(manifests, WallClock());
  const Status active = ActivatePolicies(policies, manifests, now, engine);
  if (!active.ok()) return {source.name, Verdict::kBroken, {}, Said(active.message())};
  std::vector<CycleOutcome> cycles;
  Player player(engine, now, KeepIn(&cycles));
  Status played = CreateObjects(manifests, player);
  if (played.ok()) played = PlaySteps(*manifests.scenario, player);
  // Where it ended on the way, what the cycles before did may say why.
  TestResult result{source.name, Verdict::kPassed, CheckAll(manifests, cycles), ""};
  for (const Check& check : result.checks) {
    if (!check.mismatches.empty()) result.verdict = Verdict::kFailed;
  }
  if (played.ok()) return result;
  const std::vector<Problem>& problems = played.problems();
  result.verdict = Verdict::kBroken;
  result.message = problems.empty() ? Said(played.message())
                                    : Mistakes(manifest::Locate(manifests, problems), source,
                                               "nothing was scheduled");
  return result;
}

}  // namespace muster::lab
