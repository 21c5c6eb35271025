// What a change would make of the jobs: the same cycles on two copies of a state, one of which has
// the change.
#ifndef MUSTER_BINDINGS_LAB_WHAT_IF_H_
#define MUSTER_BINDINGS_LAB_WHAT_IF_H_

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "muster/command.h"
#include "muster/engine.h"

namespace muster::lab {

/// What has become of one workload when cycles came to rest.
struct Fate {
  bool holds = false;  ///< quota, and it is not told to leave
  WorkloadPhase phase = WorkloadPhase::kPending;
  PendingReason reason = PendingReason::kNone;
  std::string cluster_queue;
  std::string says;  ///< where it runs, or why it does not
};

/// Cycles until idle on one copy, with the pods of evicted jobs gone after each.
struct Course {
  std::set<Key> held;                   ///< which of those in `end` held quota before
  std::map<Key, std::string> told_off;  ///< what was told to leave on the way, and why
  std::map<Key, Fate> end;
  /// So many others are as they were before, in both courses of a question.
  std::size_t others = 0;
  std::size_t cycles = 0;
  bool at_rest = false;        ///< false: jobs seem to preempt each other in turn
  std::string policy_failure;  ///< the first hook that failed, so that the built-in rule decided
};

// The functions below throw Refused when the engine does: see read.h.

/// Workloads that hold quota and are not told to leave.
std::set<Key> Holders(const Engine& engine);

/// Runs the cycles. `held` are the Holders before the change; what the change itself tells to leave
/// is told off, too. O(cycles + workloads).
Course RunCourse(Engine& engine, TimeNs now, std::set<Key> held);

/// One workload that fares differently with a change.
struct FateChange {
  Key workload;
  /// "starts", "starts elsewhere", "stays", "leaves", "restarts", "waits", "ends", "is gone"
  std::string change;
  std::string cluster_queue;
  std::string detail;
};

struct WhatIf {
  std::vector<FateChange> changes;  ///< by workload
  std::size_t same = 0;             ///< workloads that fare alike
};

WhatIf Compare(const Course& without, const Course& with);

/// A change is made to the engine it gets; what is not OK ends the question.
using Change = std::function<Status(Engine& engine)>;

struct Courses {
  Course without;
  Course with;
};

/// Both courses from the state of `engine` at `now`, which stays as it is: both are run on forks,
/// on one and the same where nothing happens without the change. `end` of each has what one of them
/// touches, `others` counts the rest. The Status of the change, or of a fork. O(state + cycles), of
/// which the state is only copied.
Result<Courses> AskWhatIf(const Engine& engine, TimeNs now, const Change& change);
/// The change is these commands in their order, each all or nothing; the first that is refused ends
/// the question, and `refused`, when given, is its place; else that is their number.
Result<Courses> AskWhatIf(const Engine& engine, TimeNs now, std::span<const Command> commands,
                          std::size_t* refused = nullptr);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_WHAT_IF_H_
