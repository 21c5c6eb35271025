// GroupJournal: a journal that may be given a group of commits before the one before is durable.
//
// Where storing means to ask a server, its answer is long on its way. Meanwhile the next groups may
// be sent: each is acknowledged by its own answer, and is not stored unless the one before it was.
#ifndef MUSTER_DB_GROUP_JOURNAL_H_
#define MUSTER_DB_GROUP_JOURNAL_H_

#include <cstddef>

#include "muster/journal.h"
#include "muster/status.h"

namespace muster {

/// As it stands here: one group at a time, which Begin leaves to Durable.
class GroupJournal : public Journal {
 public:
  /// How many groups it pays to have begun before the oldest of them is durable. May change.
  virtual std::size_t useful_groups() const noexcept { return 1; }
  /// Sends what was appended up to `ticket` on its way as one group, without waiting until it is
  /// durable.
  virtual Status Begin(Ticket /*ticket*/) { return Status::Ok(); }
  /// Waits as Durable does, but also ends when it is woken; whether `ticket` is durable.
  virtual Result<bool> Await(Ticket ticket) {
    if (Status status = Durable(ticket); !status.ok()) return status;
    return true;
  }
  /// Any thread: ends the Await that is, or else the next one.
  virtual void Wake() noexcept {}
};

}  // namespace muster

#endif  // MUSTER_DB_GROUP_JOURNAL_H_
