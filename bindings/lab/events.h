// What has happened to workloads, recorded beside an engine in memory, or read from a
// ledger.
#ifndef MUSTER_BINDINGS_LAB_EVENTS_H_
#define MUSTER_BINDINGS_LAB_EVENTS_H_

#include <string>
#include <vector>

#include "db/store.h"
#include "muster/journal.h"
#include "muster/types.h"

namespace muster::lab {

struct PastEvent {
  TimeNs at = kNoTime;
  EventKind kind = EventKind::kSubmitted;
  std::string subject;      ///< "namespace/name" of the workload
  std::string payload;      ///< compact JSON
  std::string caller = {};  ///< whose call it was part of; empty: a cycle's, or none was named
};

/// What has happened to one workload, oldest first, and from when it is looked at.
struct History {
  std::vector<PastEvent> events;
  TimeNs now = kNoTime;
  /// Of an elastic job, whose workloads came one after the other: their "namespace/name", oldest
  /// first. Empty: the events are those of one workload.
  std::vector<std::string> slices = {};
};

/// Whether `event` is about `workload`, or about a workload that it preempted.
bool Concerns(const PastEvent& event, const Key& workload);

/// Keeps the events of every call on the engine that it is attached to.
class EventRecorder final : public Journal {
 public:
  Result<Ticket> Append(muster::Commit commit) override;
  Status Durable(Ticket) override { return Status::Ok(); }

  /// Those that concern `workload`, oldest first.
  std::vector<PastEvent> Of(const Key& workload) const;

 private:
  std::vector<PastEvent> events_;
  Ticket appended_ = 0;
};

/// The same from a ledger. O(events of the ledger).
Result<std::vector<PastEvent>> ReadEvents(const HistoryReader& moment, const Key& workload);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_EVENTS_H_
