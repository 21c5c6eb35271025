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
  /// See Journal::Append.
  Result<Ticket> Append(Commit commit);
  /// Hands the commits up to `ticket` that are not durable to `store`, whose success makes them so;
  /// otherwise the store has failed. `fail` is told what `store` throws.
  Status Durable(Ticket ticket, const std::function<Status(std::span<Commit> commits)>& store,
                 const std::function<Status(const Status& cause)>& fail);

  bool empty() const { return commits_.empty(); }
  /// Takes nothing more. What was not durable is dropped; later calls answer `cause`.
  void Stop(const Status& cause) noexcept;
  /// The same, and says so with the hint to open the ledger again.
  Status Fail(const Status& cause) noexcept;
  /// OK while commits are taken.
  const Status& failure() const { return failure_; }

 private:
  std::vector<Commit> commits_;  ///< appended, not durable; the last one has ticket `appended_`
  Ticket appended_ = 0;
  Ticket durable_ = 0;
  Status failure_;
};

}  // namespace muster

#endif  // MUSTER_DB_PENDING_COMMITS_H_
