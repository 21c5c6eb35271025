// See queue_stop.h.
#include "bindings/stop/queue_stop.h"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "bindings/lab/near_names.h"
#include "bindings/lab/read.h"
#include "bindings/lab/words.h"
#include "engine/model/names.h"

namespace muster::stop {
namespace {

ObjectKind KindOfQueue(const Key& key) {
  return key.ns.empty() ? ObjectKind::kClusterQueue : ObjectKind::kLocalQueue;
}

/// Those of `queues` that are stored, with another stop policy. Each kind is read once at most.
std::map<Key, Object> WithPolicy(const Engine& engine, const std::set<Key>& queues,
                                 StopPolicy policy) {
  std::set<ObjectKind> kinds;
  for (const Key& key : queues) kinds.insert(KindOfQueue(key));
  std::map<Key, Object> found;
  for (const ObjectKind kind : kinds) {
    for (Object& queue : lab::Read(engine.Objects(kind))) {
      const Key key = KeyOf(queue);
      if (!queues.contains(key)) continue;
      if (auto* const cluster = std::get_if<ClusterQueue>(&queue)) cluster->stop_policy = policy;
      if (auto* const local = std::get_if<LocalQueue>(&queue)) local->stop_policy = policy;
      found.emplace(key, std::move(queue));
    }
  }
  return found;
}

/// Of the ClusterQueues among `queues`, in their order. With a drain all should go, else those that
/// are not admitted.
std::vector<Unreached> UnreachedOf(const Engine& engine, const std::vector<Key>& queues,
                                   bool drain) {
  std::map<std::string, Unreached> by_queue;
  for (const Key& key : queues) {
    if (key.ns.empty()) by_queue[key.name] = {key.name, 0, {}};
  }
  std::vector<Unreached> unreached;
  if (by_queue.empty()) return unreached;
  for (const WorkloadView& workload : lab::Read(engine.Workloads())) {
    const bool should_go = workload.phase == WorkloadPhase::kReserved ||
                           (drain && workload.phase == WorkloadPhase::kAdmitted);
    if (!should_go) continue;
    const auto found = by_queue.find(lab::ClusterQueueOf(workload));
    if (found == by_queue.end() || workload.cluster_queue == found->first) continue;
    if (found->second.workloads++ == 0) found->second.first = workload.spec.key;
  }
  for (const Key& key : queues) {
    if (!key.ns.empty() || by_queue[key.name].workloads == 0) continue;
    unreached.push_back(std::move(by_queue[key.name]));
  }
  return unreached;
}

/// Discarded when it is no JSON. `twice` says whether an object has a key twice, of which the last
/// is taken.
lab::Json ParseOnce(const std::string& json, bool* twice) {
  *twice = false;
  std::vector<std::set<std::string>> open;
  const auto look = [&](int, lab::Json::parse_event_t event, lab::Json& parsed) {
    if (event == lab::Json::parse_event_t::object_start) open.emplace_back();
    if (event == lab::Json::parse_event_t::object_end) open.pop_back();
    if (event == lab::Json::parse_event_t::key) {
      *twice = !open.back().insert(parsed.get<std::string>()).second || *twice;
    }
    return true;
  };
  return lab::Json::parse(json, look, /*allow_exceptions=*/false);
}

}  // namespace

Result<QueuesStopped> SetStopPolicy(Engine& engine, const std::vector<Key>& queues,
                                    StopPolicy policy, TimeNs now) {
  const std::set<Key> asked(queues.begin(), queues.end());
  if (asked.size() != queues.size()) {
    return Status(StatusCode::kInvalidArgument, "a queue is named twice; name each once");
  }
  std::map<Key, Object> found = WithPolicy(engine, asked, policy);
  std::vector<Object> objects;
  for (const Key& key : queues) {
    const auto queue = found.find(key);
    if (queue == found.end()) {
      return Status(StatusCode::kNotFound,
                    lab::UnknownObject(engine, KindOfQueue(key), key, UnlistedQueue(key)));
    }
    objects.push_back(std::move(queue->second));
  }
  QueuesStopped stopped;
  // The queues are the engine's own: what they refer to is not what is asked about.
  const Status status = engine.Apply(objects, now, MissingReference::kAsKueue, &stopped.applied);
  if (!status.ok()) return status;
  if (policy == StopPolicy::kNone) return stopped;
  stopped.unreached = UnreachedOf(engine, queues, policy == StopPolicy::kHoldAndDrain);
  return stopped;
}

Result<Asked> AskedFor(const std::string& json) {
  const auto no = [](const std::string& message) {
    return Status(StatusCode::kInvalidArgument,
                  message + R"(; write {"stopPolicy": "Hold", "queues": [{"name": "team-a-cq"}]})");
  };
  bool twice = false;
  const lab::Json read = ParseOnce(json, &twice);
  const bool whole = read.is_object() && read.size() == 2 && read.contains("stopPolicy") &&
                     read.contains("queues") && read["queues"].is_array();
  if (!whole) return no("the body is no object of stopPolicy and a list of queues in JSON");
  if (twice) return no("a key is given twice");
  const lab::Json& named = read["stopPolicy"];
  const auto policy =
      EnumFromName<StopPolicy>(named.is_string() ? named.get<std::string>() : std::string());
  if (!policy) return no("stopPolicy is None, Hold or HoldAndDrain");
  Asked asked{{}, *policy};
  std::set<Key> once;
  for (const lab::Json& each : read["queues"]) {
    Key& key = asked.queues.emplace_back();
    for (const auto& [name, value] : each.items()) {
      const bool known = each.is_object() && (name == "namespace" || name == "name");
      if (!known || !value.is_string()) return no("a queue has a name, and may have a namespace");
      (name == "name" ? key.name : key.ns) = value.get<std::string>();
    }
    if (key.name.empty()) return no("a queue has no name");
    if (!once.insert(key).second) {
      return no("queue " + (key.ns.empty() ? key.name : key.ToString()) + " is named twice");
    }
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
