// Stopping queues and letting them go on: only their stop policy changes, whatever else of them was
// changed a moment before.
#ifndef MUSTER_BINDINGS_STOP_QUEUE_STOP_H_
#define MUSTER_BINDINGS_STOP_QUEUE_STOP_H_

#include <cstddef>
#include <string>
#include <vector>

#include "bindings/lab/json.h"
#include "muster/engine.h"

namespace muster::stop {

/// Holders of quota of a ClusterQueue that should leave, but were not told to: a stop reaches a
/// workload through its LocalQueue.
struct Unreached {
  std::string cluster_queue;
  std::size_t workloads = 0;
  Key first;
};

struct QueuesStopped {
  std::vector<Applied> applied;  ///< by queue
  std::vector<Unreached> unreached;
};

/// Sets the stop policy of queues, LocalQueues where a key has a namespace: of all or of none.
/// kNotFound, with a name that is close, when one is unknown; kInvalidArgument when one is named
/// twice. O((stored queues + workloads) log queues): each is read once.
Result<QueuesStopped> SetStopPolicy(Engine& engine, const std::vector<Key>& queues,
                                    StopPolicy policy, TimeNs now);

/// What a service is asked for: {"stopPolicy": "Hold", "queues": [{"namespace": "team-a", "name":
/// "main"}, {"name": "team-b-cq"}]}.
struct Asked {
  std::vector<Key> queues;
  StopPolicy policy = StopPolicy::kNone;
};
/// kInvalidArgument says how it is written; a key or a queue that is there twice is a mistake.
Result<Asked> AskedFor(const std::string& json);
lab::Json ToJson(const Asked& asked);
/// The answer: `queues`, what became of each, and `unreached`, each with its sentence.
lab::Json ToJson(const Asked& asked, const QueuesStopped& stopped);

/// A sentence of what was not reached, with what to do.
std::string UnreachedText(const Unreached& unreached);

/// How to find a queue where no name is close to that of `key`.
inline std::string UnlistedQueue(const Key& key) {
  return "muster get " + std::string(key.ns.empty() ? "cq" : "lq") + " lists them";
}

}  // namespace muster::stop

#endif  // MUSTER_BINDINGS_STOP_QUEUE_STOP_H_
