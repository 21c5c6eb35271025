// Command: a call that changes an engine, as data. A host that keeps commands with their times can
// repeat everything that an engine did: see Engine::Do.
//
// Every command is all or nothing. Lists of workloads are named by key; one that is not there makes
// the whole command kNotFound.
//
// A name may be given again to a new job. A report that may come late also says which job it is
// about, by its `uid` (Decision::uid): where another one has the name by now, the whole command is
// kFailedPrecondition. An empty uid is whichever job has the name. `uids` are those of `workloads`,
// one for each and in their order, or none at all.
#ifndef MUSTER_COMMAND_H_
#define MUSTER_COMMAND_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "muster/decision.h"
#include "muster/hand_over.h"
#include "muster/object.h"
#include "muster/policy.h"
#include "muster/shared_list.h"
#include "muster/types.h"
#include "muster/views.h"

namespace muster {

/// What Apply does about a reference to something that is not there.
enum class MissingReference {
  kRefuse,   ///< an error; a missing Namespace is created, a missing Cohort is implicit
  kAccept,   ///< the object is stored and inactive until the reference appears, as in Kueue
  kAsKueue,  ///< as kAccept, and so is what Kueue would store and Apply refuses else: a cycle of
             ///< cohorts, and what no decision reads. For recorded cases and replays.
};

/// Whether hook submit of a policy is asked about workloads that arrive. kTaken is for those that
/// it has been asked about: a replay.
enum class Submission { kAsk, kTaken };

struct PodSetCount {
  std::string pod_set;
  std::int32_t count = 0;
  bool operator==(const PodSetCount&) const = default;
};

/// New values of a workload's mutable fields; unset ones stay.
struct WorkloadUpdate {
  Key workload;
  std::optional<std::int32_t> priority;
  std::optional<bool> active;
  std::optional<SharedList<ReclaimablePods>> reclaimable_pods;
  /// Sizes of these podsets. While quota is reserved they may only shrink, and what is no longer
  /// used is free at once: the gateway has removed those pods.
  std::optional<std::vector<PodSetCount>> counts;
  /// The preemption gates that are open; the others of the workload are closed.
  std::optional<SharedList<std::string>> open_gates;
  /// When its run saved what it had done: between its start and now. An older one than is known
  /// changes nothing.
  TimeNs checkpointed = kNoTime;
  std::string uid = {};
  bool operator==(const WorkloadUpdate&) const = default;
};

/// What the controller of an AdmissionCheck says about one workload.
struct CheckUpdate {
  Key workload;
  std::string check;
  CheckState state = CheckState::kPending;
  std::string message;
  std::optional<std::int32_t> requeue_after_seconds;  ///< of kRetry; unset: as soon as it is gone
  std::vector<PodSetUpdate> pod_set_updates;          ///< of kReady: what its pods get at start
  std::string uid = {};
  bool operator==(const CheckUpdate&) const = default;
};

namespace command {

/// Creates or replaces objects, in order; workloads among them are submitted.
struct Apply {
  std::vector<Object> objects;
  MissingReference missing = MissingReference::kRefuse;
  Submission submission = Submission::kAsk;
  bool operator==(const Apply&) const = default;
};

/// Queues new workloads.
struct Submit {
  std::vector<Workload> workloads;
  Submission submission = Submission::kAsk;
  bool operator==(const Submit&) const = default;
};

/// Removes one object; a workload is cancelled.
struct Delete {
  ObjectKind kind{};
  Key key;
  bool force = false;  ///< also while something refers to it
  bool operator==(const Delete&) const = default;
};

using Update = WorkloadUpdate;
using AnswerCheck = CheckUpdate;

/// The pods of these jobs are all ready, or no longer all of them.
struct Ready {
  std::vector<Key> workloads;
  bool ready = true;
  std::vector<std::string> uids = {};
  bool operator==(const Ready&) const = default;
};

/// These jobs ended.
struct Finish {
  std::vector<Key> workloads;
  bool failed = false;
  std::vector<std::string> uids = {};
  /// Of those that failed: the reason of condition Finished, as FailedToStart, and what it says.
  /// Empty: Failed.
  std::string reason = {};
  std::string message = {};
  bool operator==(const Finish&) const = default;
};

/// These jobs were withdrawn, and are to be forgotten.
struct Cancel {
  std::vector<Key> workloads;
  std::vector<std::string> uids = {};
  bool operator==(const Cancel&) const = default;
};

/// Orders an eviction.
struct Evict {
  Key workload;
  std::string reason;
  std::string uid = {};
  bool operator==(const Evict&) const = default;
};

/// The pods of these evicted workloads are gone.
struct Evicted {
  std::vector<Key> workloads;
  std::vector<std::string> uids = {};
  bool operator==(const Evicted&) const = default;
};

/// Does what is due without deciding.
struct Advance {
  bool operator==(const Advance&) const = default;
};

/// One scheduling cycle.
struct Cycle {
  bool operator==(const Cycle&) const = default;
};

/// Makes a generation of a policy package the active one.
struct ActivatePolicy {
  std::string hash;
  PolicyChange change;
  bool operator==(const ActivatePolicy&) const = default;
};

/// Makes exactly `before` active again, as if activated in this order.
struct RollBackPolicy {
  std::string package;
  std::vector<std::string> before;  ///< hashes
  PolicyChange change;
  bool operator==(const RollBackPolicy&) const = default;
};

/// Notes that a candidate was staged, and with what result.
struct NoteStaged {
  std::string package;
  std::string hash;
  std::string refused;  ///< why it may not be activated; empty: it may
  PolicyChange change;
  bool operator==(const NoteStaged&) const = default;
};

/// Decisions are kept for this consumer from now on. One that is known is left alone.
struct RegisterConsumer {
  std::string consumer;
  /// The number behind which it begins; what is kept no more cannot be had. Unset: the newest.
  std::optional<std::int64_t> after;
  bool operator==(const RegisterConsumer&) const = default;
};

/// The consumer has acted on all decisions up to this number.
struct Acknowledge {
  std::string consumer;
  std::int64_t upto = 0;
  bool operator==(const Acknowledge&) const = default;
};

/// No decision is kept for this consumer any more.
struct RemoveConsumer {
  std::string consumer;
  bool operator==(const RemoveConsumer&) const = default;
};

}  // namespace command

using Command = std::variant<command::Apply, command::Submit, command::Delete, command::Update,
                             command::AnswerCheck, command::Ready, command::Finish, command::Cancel,
                             command::Evict, command::Evicted, command::Advance, command::Cycle,
                             command::ActivatePolicy, command::RollBackPolicy, command::NoteStaged,
                             command::RegisterConsumer, command::Acknowledge,
                             command::RemoveConsumer>;

/// Same order as the alternatives of Command, so that
/// `static_cast<CommandKind>(command.index())` holds.
enum class CommandKind {
  kApply,
  kSubmit,
  kDelete,
  kUpdate,
  kAnswerCheck,
  kReady,
  kFinish,
  kCancel,
  kEvict,
  kEvicted,
  kAdvance,
  kCycle,
  kActivatePolicy,
  kRollBackPolicy,
  kNoteStaged,
  kRegisterConsumer,
  kAcknowledge,
  kRemoveConsumer,
};
inline constexpr std::size_t kCommandKinds = std::variant_size_v<Command>;

std::string_view CommandName(CommandKind kind);  ///< "apply"
inline CommandKind KindOf(const Command& command) {
  return static_cast<CommandKind>(command.index());
}

/// What Apply and Submit did to one object.
enum class Applied { kCreated, kChanged, kUnchanged };

namespace answer {

/// Of Apply and Submit: one entry an object.
struct Applied {
  std::vector<muster::Applied> objects;
  std::vector<PolicyFailure> failures;  ///< hook submit failed: these were taken as they came
  bool operator==(const Applied&) const = default;
};

/// Of AnswerCheck: what the workload is now.
struct Phase {
  WorkloadPhase phase{};
  bool operator==(const Phase&) const = default;
};

/// Of ActivatePolicy: the hooks that decided and do not any more.
struct Activated {
  std::vector<StoppedHook> stopped;
  bool operator==(const Activated&) const = default;
};

/// Of RegisterConsumer and Acknowledge: where the consumer is.
struct Cursor {
  std::string consumer;
  std::int64_t acknowledged = 0;  ///< the number up to which it has acted
  std::int64_t last = 0;          ///< the newest number that was given
  bool operator==(const Cursor&) const = default;
};

/// Of no command: what Engine::Decisions reads, for programs.
struct Decisions {
  std::vector<Decision> decisions;
  std::int64_t last = 0;  ///< the newest number that was given
  bool operator==(const Decisions&) const = default;
};

/// Of all other commands: it was done.
struct Done {
  bool operator==(const Done&) const = default;
};

}  // namespace answer

using Answer = std::variant<answer::Done, answer::Applied, answer::Phase, answer::Activated,
                            CycleResult, answer::Cursor, answer::Decisions>;

/// Same order as the alternatives of Answer.
enum class AnswerKind { kDone, kApplied, kPhase, kActivated, kCycle, kCursor, kDecisions };
inline constexpr std::size_t kAnswerKinds = std::variant_size_v<Answer>;

}  // namespace muster

#endif  // MUSTER_COMMAND_H_
