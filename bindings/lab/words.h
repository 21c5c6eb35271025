// Decisions in human words.
#ifndef MUSTER_BINDINGS_LAB_WORDS_H_
#define MUSTER_BINDINGS_LAB_WORDS_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "muster/decision.h"
#include "muster/views.h"

namespace muster::lab {

/// "waits for quota"; one for every reason that the engine has. The state of a pending workload as
/// the end of a sentence about it.
std::string_view InWords(PendingReason reason);
/// The same of one that holds no quota; whatever else was said of it, an inactive one is that.
std::string WhyItWaits(const WorkloadView& workload);
/// The same of one of a cycle, without its message.
std::string WhyItWaits(const PendingWorkload& workload);
/// "was not ready in time"; why a time limit ended it, from the reason of its condition Evicted.
std::string_view EvictionInWords(std::string_view reason);
/// "the owner takes back lent quota"; why it had to make room.
std::string_view InWords(PreemptionReason reason);

/// "queue_order of policy x failed for cq, ..."; what decided instead, where, and the message.
std::string InWords(const PolicyFailure& failure);

/// "1 error", "3 errors".
std::string Counted(std::size_t count, std::string_view noun);

/// The policies as manifests spell them.
std::string_view Spelled(PreemptionPolicy policy);
std::string_view Spelled(QueueingStrategy strategy);
std::string_view Spelled(StopPolicy policy);

/// "worker 3 pods: cpu and memory on spot"; what a workload got, podset by podset.
std::string Assigned(const Admission& admission);

/// The ClusterQueue whose quota it holds, or else the one that it waits for; empty when it holds
/// none and its LocalQueue or that one's ClusterQueue is not there.
std::string ClusterQueueOf(const WorkloadView& workload);

/// A share of 0 or more as text: "0", "12.5", "inf".
std::string Share(double share);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_WORDS_H_
