// StoreThread: a store on a thread of its own. The engine computes its next calls while the disk
// still takes the last ones. What has gathered when the disk is free, or when the store takes one
// more group before it has answered, goes into one transaction.
#ifndef MUSTER_DB_STORE_THREAD_H_
#define MUSTER_DB_STORE_THREAD_H_

#include <memory>

#include "db/group_journal.h"
#include "muster/journal.h"
#include "muster/status.h"

namespace muster {

/// Used by one thread, which is not the ledger's.
class StoreThread final : public Journal {
 public:
  /// Starts a thread for `ledger`, which must outlive it. Nothing else may use the ledger while
  /// a ticket is not durable. kUnavailable when the system gives no thread.
  static Result<std::unique_ptr<StoreThread>> Start(GroupJournal& ledger);
  /// Stores what was appended, then ends the thread.
  ~StoreThread() override;
  StoreThread(const StoreThread&) = delete;
  StoreThread& operator=(const StoreThread&) = delete;

  /// Never waits for the disk. Tickets are this thread's own, from 1. After a failure of the ledger
  /// everything is refused with its cause.
  Result<Ticket> Append(Commit commit) override;
  /// Waits. Tickets that were durable before a failure stay so; all later ones answer its cause.
  Status Durable(Ticket ticket) override;

  /// Durable, without waiting: whether it would return at once.
  bool Settled(Ticket ticket) const;
  /// The newest ticket given out; 0 before the first.
  Ticket appended() const;
  /// Why the ledger takes nothing more; OK while it does.
  Status failure() const;

 private:
  struct State;
  explicit StoreThread(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace muster

#endif  // MUSTER_DB_STORE_THREAD_H_
