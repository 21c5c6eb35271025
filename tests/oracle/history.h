// Many cycles, and what happens between them, in the most naive way: the world is a list of
// objects with their statuses, and every cycle reads it anew. A step is what an embedder may call;
// afterwards the whole state can be looked at. Leaves out what world.h leaves out.
#ifndef MUSTER_TESTS_ORACLE_HISTORY_H_
#define MUSTER_TESTS_ORACLE_HISTORY_H_

#include <variant>

#include "muster/engine.h"
#include "tests/oracle/fair_usage.h"
#include "tests/oracle/world.h"

namespace muster::oracle {

struct Submit {
  std::vector<Workload> workloads;
};
struct Cycle {};
struct Pass {
  DurationNs time = 0;
};
struct Finish {
  std::vector<Key> workloads;  ///< those that hold nothing are left alone
};
struct Cancel {
  Key workload;
};
struct CompleteEvictions {};
struct Ready {
  Key workload;  ///< one that is not running is left alone
  bool ready = true;
};
struct Apply {
  Object object;
};
using Step = std::variant<Submit, Cycle, Pass, Finish, Cancel, CompleteEvictions, Ready, Apply,
                          WorkloadUpdate>;

enum class Place { kNone, kHeap, kParked };

/// Section 3.5: equal workloads have equal ones.
struct Class {
  std::int64_t priority = 0;
  std::vector<Ask> asks;
  bool operator==(const Class&) const = default;
};

struct Member {
  Workload workload;  ///< its status is kept up to date
  Place place = Place::kNone;
  PendingReason reason = PendingReason::kNone;
  bool evicting = false;  ///< told to leave, and its pods are not gone yet
  bool finished_while_evicting = false;
  Progress progress;  ///< section 5.6; below: when it was stored
  std::int64_t progress_cycle = 0;
  std::int64_t progress_generation = 0;
};

struct QueueMemory {
  std::vector<std::pair<Class, PendingReason>> parked_classes;
  std::optional<Key> marked;    ///< the preemptor's marker, section 3.4
  bool sticky = false;          ///< of the marked one
  bool by_usage = false;        ///< section 3.1, key 1: settled when the queue was created
  std::int64_t generation = 0;  ///< quota generation, section 5.6
};

/// What a cycle decided.
struct Decisions {
  std::map<Key, Admission> admitted;
  std::map<Key, std::pair<PreemptionReason, Key>> preempted;
  bool operator==(const Decisions&) const = default;
};

class History {
 public:
  /// `controller`: whether evictions end with the lifecycle controller, as the engine's do; some
  /// recordings were made without it.
  History(const std::vector<Object>& objects, TimeNs now, bool controller);

  /// Decisions are those of a Cycle, else empty.
  Decisions Do(const Step& step);

  TimeNs now() const { return now_; }
  const std::map<Key, Member>& members() const { return members_; }
  /// Quotas and usage as they are.
  Snapshot Look() const;
  /// Usage values of LocalQueues (section 8); empty without admission fair sharing.
  std::map<Key, double> FairUsageValues() const;
  /// The ClusterQueue of a workload's LocalQueue; empty: there is none.
  std::string QueueOf(const Workload& workload) const;

 private:
  // What happens (history.cc, changes.cc).
  void Happen(const Submit& step);
  void Happen(const Pass& step);
  void Happen(const Finish& step);
  void Happen(const Cancel& step);
  void Happen(const CompleteEvictions& step);
  void Happen(const Ready& step);
  void Happen(const Apply& step);
  void Happen(const WorkloadUpdate& step);
  void ChangeLocalQueue(const LocalQueue& queue);
  void Release(Member& member);
  void AdvanceGeneration(const Member& member);
  template <typename T>
  const T* Find(const Key& key) const;
  ResourceList AdmittedUsage(const Key& local_queue) const;

  // Waiting (queues.cc).
  Decisions RunOneCycle();
  void Start(const Verdict& verdict);
  void Requeue(const Verdict& verdict);
  void ParkClass(const Member& member, const std::string& queue);
  void Leave(Member& member);
  void Enqueue(Member& member, bool changed, bool check_class);
  bool MayQueue(const Member& member) const;
  bool IsBackoffOver(const Member& member) const;
  std::optional<PendingReason> ParkedReason(const Member& member) const;
  void WakeTreeOf(const std::string& queue) { woken_.insert(queue); }
  /// What becomes of a workload wakes the tree of its LocalQueue, if that is there and runs.
  void WakeFor(const Workload& workload);
  /// Names of the queues in the tree that node "queue/NAME" or "cohort/NAME" is in.
  std::set<std::string> TreeOf(const std::string& node) const;
  void FlushWakes();
  Snapshot LookForCycle() const;

  // Time (deadlines.cc).
  void DoWhatIsDue();
  void TimeOut(Member& member, const WaitForPodsReadyConfig& config);
  void Deactivate(Member& member, const std::string& reason);
  void EndBackoff(Member& member);
  void EndRun(Member& member);

  // Controller (controller.cc).
  void RunController();
  bool Control(Member& member);
  bool Restore(Member& member);
  void OrderEviction(Member& member, const std::string& reason);

  TimeNs now_;
  bool controller_;
  std::int64_t cycle_ = 0;
  Configuration config_;
  bool sticky_cure_ = false;
  std::vector<Object> objects_;  ///< all but workloads
  std::map<Key, Member> members_;
  std::map<std::string, QueueMemory> queues_;  ///< by name
  std::map<Key, FairUsage> usage_;             ///< by LocalQueue
  std::set<std::string> woken_;                ///< queues whose tree is woken when the step ends
};

Class ClassOf(const Member& member);
Condition* FindCondition(Workload& workload, const std::string& type);
bool IsTrue(const Workload& workload, const std::string& type);
void SetCondition(Workload& workload, const std::string& type, bool status,
                  const std::string& reason, TimeNs now);

}  // namespace muster::oracle

#endif  // MUSTER_TESTS_ORACLE_HISTORY_H_
