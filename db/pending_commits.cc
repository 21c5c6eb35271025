#include "db/pending_commits.h"

#include <cstddef>
#include <utility>

#include "db/commit_check.h"
#include "engine/base/caught.h"

namespace muster {

Result<Ticket> PendingCommits::Append(Commit commit) {
  if (!failure_.ok()) return failure_;
  return Guarded([&]() -> Result<Ticket> {
    if (Status status = CheckKeys(commit); !status.ok()) return status;
    commits_.push_back(std::move(commit));
    return ++appended_;
  });
}

Status PendingCommits::Durable(Ticket ticket, const Taker& store, const Failure& fail) {
  if (durable(ticket)) return Status::Ok();
  if (Status status = Begin(ticket, store, fail); !status.ok()) return status;
  Confirm(ticket);
  return Status::Ok();
}

Status PendingCommits::Begin(Ticket ticket, const Taker& send, const Failure& fail) {
  if (!failure_.ok()) return failure_;
  if (ticket <= begun_) return Status::Ok();
  if (ticket > appended_) return {StatusCode::kInternal, "this ticket was never given out"};
  const auto count = static_cast<std::size_t>(ticket - begun_);
  try {
    if (Status status = send(std::span(commits_).first(count)); !status.ok()) return status;
  } catch (...) {
    return fail(Caught());
  }
  begun_ = ticket;
  // They are gone when the store failed after it had made them durable.
  if (commits_.size() >= count) {
    commits_.erase(commits_.begin(), commits_.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return Status::Ok();
}

void PendingCommits::Stop(const Status& cause) noexcept {
  failure_ = cause;
  commits_.clear();
}

Status PendingCommits::Fail(const Status& cause) noexcept {
  Stop(cause);
  try {
    failure_ = {cause.code() == StatusCode::kDataLoss ? cause.code() : StatusCode::kUnavailable,
                cause.message() + "; the ledger takes nothing more until it is opened again"};
  } catch (...) {  // without memory it is said more briefly
  }
  return failure_;
}

}  // namespace muster
