// Documents go through the same parser and the same engine calls as a scenario's.
#include "bindings/lab/spec_world.h"

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "bindings/lab/contract.h"
#include "bindings/lab/read.h"
#include "bindings/manifest/manifest.h"

namespace muster::lab {
namespace {

constexpr std::size_t kMaxClusters = 64;  ///< the oldest is forgotten: property tests make many

Json ErrorWith(std::string text) { return {{"error", std::move(text)}}; }

Json AnswerTo(const Status& status) {
  if (status.ok()) return Json::object();
  std::string text = status.message();
  for (const Problem& problem : status.problems()) {
    text += "; " + problem.field + ": " + problem.what;
  }
  return ErrorWith(std::move(text));
}

TimeNs TimeIn(const Json& request) {
  return static_cast<TimeNs>(std::llround(request.at("now").get<double>() * 1e9));
}

Json ApplyTo(Player& player, const Json& documents) {
  const Json list = {{"apiVersion", "v1"}, {"kind", "List"}, {"items", documents}};
  const manifest::Source source{"fixture", list.dump()};
  manifest::Manifests manifests = manifest::Parse(std::span(&source, 1));
  manifest::Settle(player.engine(), &manifests);
  for (const manifest::Diagnostic& diagnostic : manifests.diagnostics) {
    if (diagnostic.severity == manifest::Severity::kError) {
      return ErrorWith(diagnostic.what + (diagnostic.cure.empty() ? "" : "; " + diagnostic.cure));
    }
  }
  const Status status = player.Apply(manifests.objects, MissingReference::kRefuse);
  const std::vector<PolicyFailure> failures = player.TakeSubmitFailures();
  return failures.empty() ? AnswerTo(status) : ErrorWith(failures.front().message);
}

Json CycleIn(Player& player, std::vector<CycleOutcome>* cycles) {
  const Status status = player.Do(command::Cycle{});
  if (!status.ok()) return AnswerTo(status);
  const CycleOutcome cycle = std::move(cycles->back());
  cycles->clear();
  const std::vector<PolicyFailure>& failures = cycle.result.policy_failures;
  return failures.empty() ? StepJson(cycle) : ErrorWith(failures.front().message);
}

std::vector<Key> KeysIn(const Json& names) {
  std::vector<Key> keys;
  for (const Json& name : names) {
    const auto text = name.get<std::string>();
    const std::size_t slash = text.find('/');
    keys.push_back({text.substr(0, slash), text.substr(slash + 1)});
  }
  return keys;
}

Json StateIn(const Engine& engine) {
  Json running = Json::object(), waiting = Json::object();
  for (const WorkloadView& view : Read(engine.Workloads())) {
    Json& list = view.phase == WorkloadPhase::kPending ? waiting : running;
    if (view.phase != WorkloadPhase::kFinished) list[view.spec.key.ToString()] = true;
  }
  return {{"running", std::move(running)}, {"waiting", std::move(waiting)}};
}

}  // namespace

// Lua asks: no exception may pass through its frames.
std::string EngineWorld::Ask(std::string_view request, const std::shared_ptr<Policy>& policy) {
  try {
    return Answer(request, policy);
  } catch (const std::exception& thrown) {
    return ErrorWith(thrown.what()).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

std::string EngineWorld::Answer(std::string_view request, const std::shared_ptr<Policy>& policy) {
  const Json json = Json::parse(request, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return ErrorWith("the request is no JSON").dump();
  if (json.at("operation") == "new") return New(json, policy).dump();
  const auto number = json.at("cluster").get<std::size_t>();
  if (number >= clusters_.size() || clusters_[number] == nullptr) {
    return ErrorWith("the cluster is gone; make it inside the test").dump();
  }
  return Serve(*clusters_[number], json).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json EngineWorld::New(const Json& request, const std::shared_ptr<Policy>& policy) {
  if (clusters_.size() >= kMaxClusters) clusters_[clusters_.size() - kMaxClusters].reset();
  Cluster& cluster = *clusters_.emplace_back(std::make_unique<Cluster>(TimeIn(request)));
  if (policy != nullptr) {
    const Status status = cluster.engine.ActivatePolicy(policy, cluster.player.now());
    if (!status.ok()) return AnswerTo(status);
  }
  return {{"cluster", clusters_.size() - 1}};
}

Json EngineWorld::Serve(Cluster& cluster, const Json& request) {
  const auto operation = request.at("operation").get<std::string>();
  Player& player = cluster.player;
  if (operation == "apply") return ApplyTo(player, request.at("documents"));
  if (operation == "cycle") return CycleIn(player, &cluster.cycles);
  if (operation == "finish") {
    return AnswerTo(player.Do(command::Finish{KeysIn(request.at("keys"))}));
  }
  if (operation == "state") return StateIn(cluster.engine);
  if (operation == "evicted") {
    return AnswerTo(player.Do(command::Evicted{Read(cluster.engine.Evicting())}));
  }
  if (operation == "advance") {
    player.Pass(TimeIn(request) - player.now());
    return AnswerTo(player.Do(command::Advance{}));
  }
  return ErrorWith("there is no operation '" + operation + "'");
}

}  // namespace muster::lab
