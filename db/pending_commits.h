// PendingCommits: what every store does alike between Append and Durable.
#ifndef MUSTER_DB_PENDING_COMMITS_H_
#define MUSTER_DB_PENDING_COMMITS_H_

#include <functional>
#include <span>
#include <vector>

#include "muster/journal.h"
#include "muster/status.h"

namespace muster {

class PendingCommits {
 public:
  using Taker = std::function<Status(std::span<Commit> commits)>;
  using Failure = std::function<Status(const Status& cause)>;

  /// See Journal::Append.
  Result<Ticket> Append(Commit commit);
  /// Hands the commits up to `ticket` that are not durable to `store`, whose success makes them so;
  /// otherwise the store has failed. `fail` is told what `store` throws.
  Status Durable(Ticket ticket, const Taker& store, const Failure& fail);
  /// For a store that is told later what became durable: the same for what was not handed over
  /// before. Success leaves it to Confirm.
  Status Begin(Ticket ticket, const Taker& send, const Failure& fail);
  /// Everything up to `ticket`, which had begun, is durable.
  void Confirm(Ticket ticket) { durable_ = ticket; }
  bool durable(Ticket ticket) const { return ticket <= durable_; }

  /// Whether everything that was appended was handed over.
  bool empty() const { return commits_.empty(); }
  /// Takes nothing more. What was not durable is dropped; later calls answer `cause`.
  void Stop(const Status& cause) noexcept;
  /// The same, and says so with the hint to open the ledger again.
  Status Fail(const Status& cause) noexcept;
  /// OK while commits are taken.
  const Status& failure() const { return failure_; }

 private:
  std::vector<Commit> commits_;  ///< not handed over; the last one has ticket `appended_`
  Ticket appended_ = 0;
  Ticket begun_ = 0;
  Ticket durable_ = 0;
  Status failure_;
};

}  // namespace muster

#endif  // MUSTER_DB_PENDING_COMMITS_H_
