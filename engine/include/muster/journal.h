// Journal: where the engine puts what happened before it may be seen.
//
// The engine hands over one Commit per transaction: a cycle, or one call that submits, applies or
// reports. Append must not wait for the disk; Durable does. A decision becomes visible only after
// Durable returned OK. An error from either makes the engine undo the commit and turn read-only.
#ifndef MUSTER_JOURNAL_H_
#define MUSTER_JOURNAL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "muster/command.h"
#include "muster/status.h"
#include "muster/types.h"

namespace muster {

enum class EventKind {
  kObjectApplied,
  kObjectDeleted,
  kSubmitted,
  kPending,  ///< a cycle found another reason to let it wait
  kQuotaReserved,
  kAdmitted,
  kPreempted,
  kEvicted,  ///< ordered; quota stays charged until kQuotaReleased
  kQuotaReleased,
  kRequeued,
  kFinished,
  kDeactivated,
  kCheckUpdated,
  kReclaimablePodsUpdated,
  kPriorityChanged,
  kUpdated,  ///< Engine::Update was called; the payload has what it left behind
  kPodsReady,
  kPodsNotReady,
  kPolicyStaged,
  kPolicyActivated,
  kPolicyRolledBack,
  kPolicyFailed,
  kCancelled,     ///< a job that had not ended was withdrawn, and is not known any more
  kForgotten,     ///< one that had ended, or was deactivated for good, is not known any more
  kCheckpointed,  ///< its run has saved what it did; the payload says until when
  kPlaced,        ///< one that holds quota is on these nodes now; the payload has its admission
  // Of a job that stands in its queue as variants; the payload names the variant and its flavor.
  kCreatedVariant,
  kDeletedVariant,
  kActivatedVariant,
  kDeactivatedVariant,
  kPreemptionUngatedVariant,
};
std::string_view EventName(EventKind kind);

struct Event {
  EventKind kind = EventKind::kSubmitted;
  std::string
      subject;  ///< "namespace/name" of a workload, "Kind/name" of an object, a package name
  std::string payload;           ///< compact canonical JSON
  std::string policy_hash = {};  ///< PolicyInfo::hash of the package that decided it; may be empty
};

/// What people read about a workload with SQL, beside the engine's own encoding.
struct WorkloadSummary {
  std::string uid;
  std::string local_queue;
  std::string cluster_queue;  ///< empty while the LocalQueue points nowhere
  WorkloadPhase phase{};
  std::int64_t priority = 0;  ///< effective
  TimeNs created = kNoTime;
  TimeNs reserved_at = kNoTime;  ///< kNoTime unless it holds quota
  TimeNs admitted_at = kNoTime;
  TimeNs finished_at = kNoTime;
  bool operator==(const WorkloadSummary&) const = default;
};

/// One row of current state, replaced or removed together with the events that changed it.
/// Keys: "namespace/name" of a workload, "Kind/name" or "Kind/namespace/name" of an object.
struct StateRow {
  enum class Table { kObject, kWorkload, kQueue, kEngine };
  Table table = Table::kWorkload;
  std::string key;
  std::optional<std::string> value;  ///< engine's own encoding; nullopt removes the row
  std::optional<WorkloadSummary> workload = std::nullopt;  ///< of a kWorkload row that has a value
  bool operator==(const StateRow&) const = default;
};

struct PolicyUse {
  std::string hash;
  std::int64_t calls = 0;
  std::int64_t fuel = 0;
};

struct Commit {
  CommandKind command = CommandKind::kApply;
  std::string input;  ///< the command as Encode writes it; see engine/codec/command_codec.h
  TimeNs at = kNoTime;
  std::int64_t cycle = 0;  ///< 0 outside cycles
  std::vector<Event> events;
  std::vector<StateRow> rows;
  std::vector<PolicyUse> policies;
};

using Ticket = std::uint64_t;

class Journal {
 public:
  virtual ~Journal() = default;
  /// Takes the commit over. Tickets rise by one.
  virtual Result<Ticket> Append(Commit commit) = 0;
  /// Waits until `ticket` and all before it are on disk.
  virtual Status Durable(Ticket ticket) = 0;
};

}  // namespace muster

#endif  // MUSTER_JOURNAL_H_
