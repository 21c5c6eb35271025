// See queue_stop.h.
#include "bindings/stop/queue_stop.h"

#include <optional>
#include <utility>
#include <variant>

#include "bindings/lab/near_names.h"
#include "bindings/lab/read.h"
#include "bindings/lab/words.h"
#include "engine/model/names.h"

namespace muster::stop {
namespace {

/// The stored queue of that name with another stop policy; nullopt when there is none.
std::optional<Object> WithPolicy(const Engine& engine, ObjectKind kind, const Key& key,
                                 StopPolicy policy) {
  for (Object& queue : lab::Read(engine.Objects(kind))) {
    if (KeyOf(queue) != key) continue;
    if (auto* const cluster = std::get_if<ClusterQueue>(&queue)) cluster->stop_policy = policy;
    if (auto* const local = std::get_if<LocalQueue>(&queue)) local->stop_policy = policy;
    return std::move(queue);
  }
  return std::nullopt;
}

/// Of ClusterQueue `name`. With a drain all should go, else those that are not admitted.
Unreached UnreachedOf(const Engine& engine, const std::string& name, bool drain) {
  Unreached found{name, 0, {}};
  for (const WorkloadView& workload : lab::Read(engine.Workloads())) {
    const bool should_go = workload.phase == WorkloadPhase::kReserved ||
                           (drain && workload.phase == WorkloadPhase::kAdmitted);
    const bool is_reached = workload.cluster_queue == name;
    if (!should_go || is_reached || lab::ClusterQueueOf(workload) != name) continue;
    if (found.workloads++ == 0) found.first = workload.spec.key;
  }
  return found;
}

}  // namespace

Result<QueuesStopped> SetStopPolicy(Engine& engine, const std::vector<Key>& queues,
                                    StopPolicy policy, TimeNs now) {
  std::vector<Object> objects;
  for (const Key& key : queues) {
    const ObjectKind kind = key.ns.empty() ? ObjectKind::kClusterQueue : ObjectKind::kLocalQueue;
    std::optional<Object> queue = WithPolicy(engine, kind, key, policy);
    if (!queue) {
      return Status(StatusCode::kNotFound,
                    lab::UnknownObject(engine, kind, key, UnlistedQueue(key)));
    }
    objects.push_back(*std::move(queue));
  }
  QueuesStopped stopped;
  // The queues are the engine's own: what they refer to is not what is asked about.
  const Status status = engine.Apply(objects, now, MissingReference::kAsKueue, &stopped.applied);
  if (!status.ok()) return status;
  if (policy == StopPolicy::kNone) return stopped;
  for (const Key& key : queues) {
    if (!key.ns.empty()) continue;
    Unreached found = UnreachedOf(engine, key.name, policy == StopPolicy::kHoldAndDrain);
    if (found.workloads > 0) stopped.unreached.push_back(std::move(found));
  }
  return stopped;
}

Result<Asked> AskedFor(const std::string& json) {
  const auto no = [](const std::string& message) {
    return Status(StatusCode::kInvalidArgument,
                  message + R"(; write {"stopPolicy": "Hold", "queues": [{"name": "team-a-cq"}]})");
  };
  const lab::Json read = lab::Json::parse(json, nullptr, /*allow_exceptions=*/false);
  const bool whole = read.is_object() && read.size() == 2 && read.contains("stopPolicy") &&
                     read.contains("queues") && read["queues"].is_array();
  if (!whole) return no("the body is no object of stopPolicy and a list of queues in JSON");
  const lab::Json& named = read["stopPolicy"];
  const auto policy =
      EnumFromName<StopPolicy>(named.is_string() ? named.get<std::string>() : std::string());
  if (!policy) return no("stopPolicy is None, Hold or HoldAndDrain");
  Asked asked{{}, *policy};
  for (const lab::Json& each : read["queues"]) {
    Key& key = asked.queues.emplace_back();
    for (const auto& [name, value] : each.items()) {
      const bool known = each.is_object() && (name == "namespace" || name == "name");
      if (!known || !value.is_string()) return no("a queue has a name, and may have a namespace");
      (name == "name" ? key.name : key.ns) = value.get<std::string>();
    }
    if (key.name.empty()) return no("a queue has no name");
  }
  return asked.queues.empty() ? no("queues is empty") : Result<Asked>(std::move(asked));
}

lab::Json ToJson(const Asked& asked) {
  lab::Json json = {{"stopPolicy", EnumName(asked.policy)}, {"queues", lab::Json::array()}};
  for (const Key& key : asked.queues) {
    lab::Json queue = lab::Json::object();
    if (!key.ns.empty()) queue["namespace"] = key.ns;
    queue["name"] = key.name;
    json["queues"].push_back(std::move(queue));
  }
  return json;
}

lab::Json ToJson(const Asked& asked, const QueuesStopped& stopped) {
  lab::Json json = {{"queues", lab::Json::array()}, {"unreached", lab::Json::array()}};
  for (std::size_t i = 0; i < asked.queues.size(); ++i) {
    const Key& key = asked.queues[i];
    json["queues"].push_back({{"kind", key.ns.empty() ? "ClusterQueue" : "LocalQueue"},
                              {"name", key.ns.empty() ? key.name : key.ToString()},
                              {"result", EnumName(stopped.applied[i])}});
  }
  for (const Unreached& each : stopped.unreached) {
    json["unreached"].push_back({{"clusterQueue", each.cluster_queue},
                                 {"workloads", each.workloads},
                                 {"message", UnreachedText(each)}});
  }
  return json;
}

std::string UnreachedText(const Unreached& unreached) {
  const bool one = unreached.workloads == 1;
  return lab::Counted(unreached.workloads, "workload") + " of ClusterQueue " +
         unreached.cluster_queue + (one ? " was" : " were") +
         " not told to leave: " + (one ? "its LocalQueue is" : "their LocalQueues are") +
         " gone or of another ClusterQueue now; muster evict " + unreached.first.ToString() +
         " --reason REASON tells " + (one ? "it" : "the first");
}

}  // namespace muster::stop
