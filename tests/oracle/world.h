// One cycle of the classical scheduler (fair sharing off) again, in the most naive way: plain
// values, copied freely, one function per sentence of the reference. Shares nothing with the engine
// but the public structs. Leaves out: topology, partial admission, admission checks, node
// selection.
#ifndef MUSTER_TESTS_ORACLE_WORLD_H_
#define MUSTER_TESTS_ORACLE_WORLD_H_

#include <set>

#include "muster/decision.h"
#include "muster/object.h"
#include "tests/oracle/quota.h"

namespace muster::oracle {

struct Ask {  ///< one podset
  std::string name;
  std::int32_t count = 1;
  std::map<std::string, Amount> requests;  ///< by resource, all pods together
  bool operator==(const Ask&) const = default;
};

/// Section 5.6: per podset, by resource, the index of the flavor tried last; -1 when that was the
/// last one there is.
using Progress = std::vector<std::map<std::string, int>>;
bool HasUntriedFlavors(const Progress& progress);

struct Job {
  Key key;
  Key local_queue;
  std::string uid;
  std::string queue;  ///< "queue/NAME"
  std::int64_t priority = 0;
  TimeNs queued_at = kNoTime;
  std::vector<Ask> asks;
  Progress progress;            ///< where its next scan goes on
  std::int64_t generation = 0;  ///< quota generation of its queue when the cycle began, section 5.6
  // What a holder of quota has.
  TimeNs reserved_at = kNoTime;
  bool evicted = false;
  Amounts usage;
};

struct Snapshot {
  Tree tree;
  std::vector<Job> holders;
  std::map<std::string, ClusterQueue> queues;     ///< by "queue/NAME"
  std::map<std::string, std::vector<Job>> heaps;  ///< pending jobs by queue, best first
  std::map<Key, double> fair_usage;               ///< of LocalQueues whose queues go by it

  /// Takes holders out, with their usage.
  void Remove(const std::set<Key>& jobs);
};
Snapshot Load(const std::vector<Object>& objects, TimeNs now);
/// `now` stands in for a reservation that does not say since when. Sets no queue for what waits.
Job ReadJob(const Workload& workload, TimeNs now);

struct Target {
  Job job;
  PreemptionReason reason = PreemptionReason::kInClusterQueue;
};
/// What `job` evicts to get `demand`, `needed` being what it does not get without (section 6).
std::vector<Target> FindTargets(const Snapshot& snapshot, const Job& job, const Amounts& demand,
                                const std::set<Fr>& needed);
/// Every amount is at most what the queue may still take.
bool Fits(const Tree& tree, const std::string& queue, const Amounts& demand);

enum class Mode { kNoFit, kNoCandidates, kPreempt, kReclaim, kFit };
struct Choice {  ///< for one resource of one podset
  std::string flavor;
  Mode mode = Mode::kNoFit;
  int level = 0;
  int tried = -1;  ///< see Progress
};
using Choices = std::map<std::string, Choice>;
struct Assignment {
  std::vector<Choices> pod_sets;
  Mode mode = Mode::kFit;  ///< kNoFit, kPreempt or kFit
  int level = 0;
  PendingReason reason = PendingReason::kNone;  ///< of a kNoFit
  Amounts usage;
};
/// Section 5. With `only`, no other flavors than those chosen there are considered.
Assignment Assign(const Snapshot& snapshot, const Job& job, const Assignment* only = nullptr);

enum class Requeue { kFailedAfterNomination, kPendingPreemption, kNoFit, kPreemptionNoCandidates };

/// What became of one head.
struct Verdict {
  Job job;
  std::optional<Admission> admission;
  std::map<Key, PreemptionReason> preempts;  ///< evictions it orders
  PendingReason reason = PendingReason::kNone;
  Requeue requeue = Requeue::kFailedAfterNomination;
  Progress progress;
};
/// One cycle over the first job of every active queue; in the order of processing.
std::vector<Verdict> Decide(const Snapshot& start);

struct Fate {
  std::string cluster_queue;
  bool parked = false;
  PendingReason reason = PendingReason::kNone;
  bool operator==(const Fate&) const = default;
};
struct Outcome {
  std::map<Key, Admission> admitted;
  std::map<Key, std::pair<PreemptionReason, Key>> preempted;
  std::map<Key, Fate> pending;
  bool operator==(const Outcome&) const = default;
};
/// The first cycle over these objects.
Outcome RunCycle(const std::vector<Object>& objects, TimeNs now);

}  // namespace muster::oracle

#endif  // MUSTER_TESTS_ORACLE_WORLD_H_
