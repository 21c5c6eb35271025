// Compares what the cases' own checker compares: `by: null` and messages say nothing, topology
// domains are a set, and a pending reason counts only for the stricter of the two verdicts.
#include "tests/conformance/case.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "bindings/lab/contract.h"
#include "bindings/lab/scenario/scenario.h"
#include "tests/testing/paths.h"

namespace muster::conformance {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Kueue exceeds its quota, or a host, in some cases; see the README beside them.
constexpr char kAsKueue[] =
    "{apiVersion: muster.dev/v1, kind: EngineConfiguration, spec: {overcommit: asKueue}}";

json NormalTopology(const json& pod_set) {
  const auto topology = pod_set.find("topology");
  if (topology == pod_set.end() || topology->is_null()) return nullptr;
  std::set<json> domains;
  for (const json& domain : topology->at("domains")) {
    domains.insert(json::array({domain.at("values"), domain.at("count")}));
  }
  return {{"levels", topology->at("levels")}, {"domains", domains}};
}

/// Only what is compared, in a form in which equal means the same decision.
json Normal(const json& step) {
  json normal = {
      {"admitted", json::object()}, {"preempted", json::object()}, {"pending", json::object()}};
  for (const auto& [key, value] : step.at("admitted").items()) {
    json pod_sets = json::array();
    for (const json& pod_set : value.at("podSets")) {
      pod_sets.push_back({{"name", pod_set.at("name")},
                          {"count", pod_set.at("count")},
                          {"flavors", pod_set.value("flavors", json::object())},
                          {"topology", NormalTopology(pod_set)}});
    }
    normal["admitted"][key] = {{"clusterQueue", value.at("clusterQueue")}, {"podSets", pod_sets}};
  }
  for (const auto& [key, value] : step.at("preempted").items()) {
    const auto by = value.find("by");  // absent where nothing preempted it
    normal["preempted"][key] = {{"reason", value.at("reason")},
                                {"by", by == value.end() ? json("") : *by}};
  }
  for (const auto& [key, value] : step.at("pending").items()) {
    normal["pending"][key] = {{"clusterQueue", value.at("clusterQueue")},
                              {"parked", value.at("parked")},
                              {"reason", value.value("reason", "")}};
  }
  return normal;
}

std::string Shown(const json& part, const std::string& key) {
  return part.contains(key) ? part.at(key).dump() : "nothing";
}

/// The first difference between two normal steps; empty when there is none.
std::string Difference(const json& want, const json& got) {
  for (const char* part : {"admitted", "preempted", "pending"}) {
    std::set<std::string> keys;
    for (const auto& [key, unused] : want.at(part).items()) keys.insert(key);
    for (const auto& [key, unused] : got.at(part).items()) keys.insert(key);
    for (const std::string& key : keys) {
      const std::string wanted = Shown(want.at(part), key);
      const std::string gotten = Shown(got.at(part), key);
      if (wanted != gotten) {
        return std::string(part) + " " + key + ": expected " + wanted + ", got " + gotten;
      }
    }
  }
  return "";
}

void ForgetUnknownPreemptors(const json& want, json* got) {
  for (const auto& [key, value] : want.at("preempted").items()) {
    if (value.at("by").is_null() && got->at("preempted").contains(key)) {
      (*got)["preempted"][key]["by"] = nullptr;
    }
  }
}

void ForgetReasons(json* step) {
  for (json& pending : (*step)["pending"]) pending.erase("reason");
}

/// Leaves out the reasons that the recording lacks the controller for: of `evicted`, workloads that
/// a cycle before told to leave.
void ForgetReasonsOfEvicted(const std::set<std::string>& evicted, json* want, json* got) {
  for (auto& [key, pending] : want->at("pending").items()) {
    const auto found = got->at("pending").find(key);
    if (!evicted.contains(key) || pending.at("reason") != "PendingEvaluation") continue;
    if (found == got->at("pending").end()) continue;
    pending.erase("reason");
    found->erase("reason");
  }
}

/// Whether the command is about workloads alone, and changes none that is there.
struct OnlyWorkloads {
  bool operator()(const command::Apply& c) const {
    return std::all_of(c.objects.begin(), c.objects.end(), [](const Object& object) {
      return std::holds_alternative<Workload>(object);
    });
  }
  bool operator()(const command::Update&) const { return false; }
  bool operator()(const command::AnswerCheck&) const { return false; }
  bool operator()(const command::Evict&) const { return false; }
  bool operator()(const command::Delete&) const { return false; }
  template <typename Other>
  bool operator()(const Other&) const {
    return true;
  }
};

Recorded RecordingOf(const manifest::Manifests& manifests) {
  if (!manifests.scenario) return Recorded::kWithController;
  for (const manifest::Step& step : manifests.scenario->steps) {
    for (const Command& command : step.commands) {
      if (!std::visit(OnlyWorkloads{}, command)) return Recorded::kWithController;
    }
  }
  return Recorded::kWithout;
}

CaseResult Broken(const std::string& why) { return {false, false, why}; }

Status Bind(Engine& engine, const std::vector<std::shared_ptr<Policy>>& policies) {
  for (const std::shared_ptr<Policy>& policy : policies) {
    Status status = engine.ActivatePolicy(policy, /*now=*/0);
    if (!status.ok()) return status;
    PolicyBinding binding;
    binding.name = binding.policy = policy->info().name;
    for (const HookInfo& hook : policy->info().hooks) {
      binding.hooks.emplace_back(HookName(hook.hook));
    }
    const Object object = binding;
    status = engine.Apply(std::span(&object, 1), /*now=*/0);
    if (!status.ok()) return status;
  }
  return Status::Ok();
}

}  // namespace

std::map<std::string, std::vector<fs::path>> FindCases(const fs::path& shared) {
  std::map<std::string, std::vector<fs::path>> families;
  for (const char* folder : {"cases", "more"}) {
    for (const fs::path& input : testing::FilesUnder(shared / "conformance" / folder, ".yaml")) {
      const std::string name = input.stem().string();
      const std::string family = name.substr(0, name.rfind('-'));
      if (!fs::exists(fs::path(input).replace_extension(".json"))) continue;
      families[family].push_back(input);
    }
  }
  return families;
}

CaseResult RunCase(const fs::path& input, const std::function<Status(Engine&)>& between_steps,
                   Journal* journal, const std::vector<std::shared_ptr<Policy>>& policies) {
  const std::string name = input.filename().string();
  std::vector<manifest::Source> sources = {{name, testing::ReadFile(input)}};
  const bool as_kueue = name.starts_with("slices-") || name.starts_with("variants-") ||
                        name.starts_with("topology-");
  if (as_kueue) sources.push_back({"as-kueue.yaml", kAsKueue});
  const manifest::Manifests manifests = manifest::Parse(sources);
  for (const manifest::Diagnostic& diagnostic : manifests.diagnostics) {
    if (diagnostic.severity == manifest::Severity::kError) return Broken(diagnostic.ToString());
  }
  Engine engine(journal);
  if (const Status status = Bind(engine, policies); !status.ok()) return Broken(status.message());
  const Result<lab::ScenarioOutcome> outcome =
      lab::RunScenario(engine, manifests, /*now=*/0, /*trace_last=*/false, between_steps);
  if (!outcome.ok()) {
    const std::vector<Problem>& problems = outcome.status().problems();
    return Broken(problems.empty() ? outcome.status().message()
                                   : manifest::Locate(manifests, problems)[0].ToString());
  }
  return CompareWithRecorded(input, outcome->cycles, RecordingOf(manifests));
}

CaseResult CompareWithRecorded(const fs::path& input, const std::vector<lab::CycleOutcome>& cycles,
                               Recorded recorded) {
  const std::string expected = testing::ReadFile(fs::path(input).replace_extension(".json"));
  const json steps = json::parse(expected).at("steps");
  if (steps.size() != cycles.size()) {
    return Broken(std::to_string(cycles.size()) + " cycles, expected " +
                  std::to_string(steps.size()));
  }
  CaseResult result{true, true, ""};
  for (const lab::CycleOutcome& cycle : cycles) {
    const std::vector<PolicyFailure>& failures = cycle.result.policy_failures;
    result.policy_failures += failures.size();
    if (!failures.empty()) result.first_failure = failures.front().message;
  }
  std::set<std::string> evicted;  // so far
  for (std::size_t i = 0; i < steps.size() && result.decisions; ++i) {
    json want = Normal(steps[i]);
    json got = Normal(json::parse(lab::StepJson(cycles[i]).dump()));
    ForgetUnknownPreemptors(want, &got);
    if (recorded == Recorded::kWithout) ForgetReasonsOfEvicted(evicted, &want, &got);
    for (const auto& [key, unused] : want.at("preempted").items()) evicted.insert(key);
    std::string difference = Difference(want, got);
    if (difference.empty()) continue;
    result.reasons = false;
    ForgetReasons(&want);
    ForgetReasons(&got);
    const std::string decision = Difference(want, got);
    result.decisions = decision.empty();
    if (result.difference.empty() || !result.decisions) {
      result.difference =
          "cycle " + std::to_string(i) + ": " + (result.decisions ? difference : decision);
    }
  }
  return result;
}

}  // namespace muster::conformance
