// Groups are fetched some at a time, so one that lags takes no more memory than another.
#include "db/postgres/followed_ledger.h"

#include <string>
#include <vector>

#include "engine/base/caught.h"

namespace muster {
namespace {

using std::chrono::milliseconds;
using FollowClock = std::chrono::steady_clock;

/// Between two tries to take the ledger.
constexpr milliseconds kMoment{200};
/// About what reading rows and filling an engine take where 500,000 are live.
constexpr milliseconds kLongestRest{3'000};

}  // namespace

Status FollowedLedger::KeepUp(const PgHead& head) {
  if (head.seq == seq()) return Status::Ok();
  Status status = standby_ != nullptr ? Tell(head, kMoment) : Status::Ok();
  if (status.ok() && standby_ == nullptr) status = ReadRows(head);
  if (status.ok() && offered_ != nullptr) HandOver();
  return status;
}

Status FollowedLedger::Finish(const PgHead& head) {
  if (standby_ != nullptr) {
    if (Status told = Tell(head, kLongestRest); !told.ok()) return told;
    if (standby_ != nullptr && last_.seq != head.seq) {
      EndStandby({StatusCode::kUnavailable, std::to_string(head.seq - last_.seq) +
                                                " commits were left to repeat after " +
                                                std::to_string(kLongestRest.count()) + " ms"});
    }
  }
  if (standby_ != nullptr) return Status::Ok();
  if (Status read = ReadRows(head); !read.ok()) return read;
  Digest();
  return Status::Ok();
}

Status FollowedLedger::ReadRows(const PgHead& head) {
  if (rows_) return history_().Follow(head, &*rows_);
  Result<PgState> state = history_().Rows(head);
  if (!state.ok()) return state.status();
  rows_ = *std::move(state);
  return Status::Ok();
}

void FollowedLedger::Digest() {
  digests_ = StateDigests(*rows_);
  last_ = rows_->last;
  next_event_ = rows_->next_event;
  bytes_ = rows_->bytes;
  tail_bytes_ = rows_->tail_bytes;
}

void FollowedLedger::HandOver() {
  Digest();
  standby_ = std::exchange(offered_, nullptr);
  PgState read = *TakeRows();
  std::vector<StateRow> rows;
  rows.reserve(read.rows.size());
  while (!read.rows.empty()) {
    rows.push_back(std::move(read.rows.extract(read.rows.begin()).mapped()));
  }
  const Status taken = Guarded([&] {
    const auto find = [this](std::string_view package) { return history_().LoadPolicy(package); };
    return standby_->Begin(last_, std::move(rows), find);
  });
  if (!taken.ok()) EndStandby(taken);
}

Status FollowedLedger::Tell(const PgHead& head, milliseconds within) {
  std::optional<FollowClock::time_point> until;  // from when there is something to tell
  bool stopped = false;
  const Status walked = history_().WalkOn(last_.seq, head, [&](BatchCommit& commit) {
    const CommitRecord& record = commit.stored.record;
    const bool is_new = record.seq > last_.seq;
    if (is_new) {
      digests_.Add(commit.rows);
      for (const StateRow& row : commit.rows) tail_bytes_ += SizeOf(row);
      last_ = {record.seq, record.at, record.cycle != 0 ? record.cycle : last_.cycle};
      next_event_ = record.first_event + static_cast<std::int64_t>(record.events.size());
    }
    if (digests_.sum() != commit.stored.state_digest) return history_().Differs(record.seq);
    if (!is_new) return Status::Ok();
    if (!until) until = FollowClock::now() + within;
    const Status told = Guarded([&] { return standby_->Follow(commit); });
    if (!told.ok()) EndStandby(told);
    stopped = !told.ok() || (last_.seq != head.seq && FollowClock::now() >= *until);
    return stopped ? Status(StatusCode::kUnavailable, "enough") : Status::Ok();
  });
  return stopped ? Status::Ok() : walked;
}

void FollowedLedger::EndStandby(const Status& why) {
  std::exchange(standby_, nullptr)->End(why);
  digests_ = {};
}

}  // namespace muster
