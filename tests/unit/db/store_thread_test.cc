// A store on a thread of its own: what is durable was stored before, in the order of its tickets.
#include "db/store_thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <vector>

namespace muster {
namespace {

using ::testing::ElementsAre;

/// A ledger that stores nothing until it may, and then what it is told to answer.
class SlowLedger final : public GroupJournal {
 public:
  Result<Ticket> Append(Commit commit) override {
    const std::lock_guard lock(mutex_);
    taken_.push_back(commit.cycle);
    return static_cast<Ticket>(taken_.size());
  }
  Status Durable(Ticket) override {
    std::unique_lock lock(mutex_);
    begun_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
    stored_ = taken_;
    return answer_;
  }

  void WaitUntilBegun() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return begun_; });
  }
  void Answer(const Status& answer) {
    const std::lock_guard lock(mutex_);
    open_ = true;
    answer_ = answer;
    changed_.notify_all();
  }
  std::vector<std::int64_t> stored() const {
    const std::lock_guard lock(mutex_);
    return stored_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::int64_t> taken_;
  std::vector<std::int64_t> stored_;
  Status answer_;
  bool begun_ = false;
  bool open_ = false;
};

Commit Numbered(std::int64_t cycle) {
  Commit commit;
  commit.cycle = cycle;
  return commit;
}

TEST(StoreThread, NothingIsDurableBeforeItIsStored) {
  SlowLedger ledger;
  const auto thread = StoreThread::Start(ledger);
  ASSERT_TRUE(thread.ok()) << thread.status().message();
  const Result<Ticket> ticket = (*thread)->Append(Numbered(1));
  ASSERT_TRUE(ticket.ok());
  ledger.WaitUntilBegun();
  EXPECT_FALSE((*thread)->Settled(*ticket));
  ledger.Answer(Status::Ok());
  EXPECT_TRUE((*thread)->Durable(*ticket).ok());
  EXPECT_THAT(ledger.stored(), ElementsAre(1));
}

TEST(StoreThread, CommitsAreStoredInTheOrderOfTheirTickets) {
  SlowLedger ledger;
  ledger.Answer(Status::Ok());
  const auto thread = StoreThread::Start(ledger);
  ASSERT_TRUE(thread.ok()) << thread.status().message();
  Ticket newest = 0;
  for (const std::int64_t cycle : {1, 2, 3}) newest = *(*thread)->Append(Numbered(cycle));
  EXPECT_EQ(newest, 3);
  EXPECT_TRUE((*thread)->Durable(newest).ok());
  EXPECT_THAT(ledger.stored(), ElementsAre(1, 2, 3));
}

TEST(StoreThread, AFailureOfTheLedgerIsTheAnswerToAllThatFollows) {
  SlowLedger ledger;
  const auto thread = StoreThread::Start(ledger);
  ASSERT_TRUE(thread.ok()) << thread.status().message();
  const Result<Ticket> ticket = (*thread)->Append(Numbered(1));
  ASSERT_TRUE(ticket.ok());
  ledger.Answer({StatusCode::kUnavailable, "the disk is gone"});
  EXPECT_EQ((*thread)->Durable(*ticket).message(), "the disk is gone");
  EXPECT_EQ((*thread)->Append(Numbered(2)).status().message(), "the disk is gone");
}

TEST(StoreThread, ATicketThatWasNeverGivenOutIsRefused) {
  SlowLedger ledger;
  const auto thread = StoreThread::Start(ledger);
  ASSERT_TRUE(thread.ok()) << thread.status().message();
  EXPECT_EQ((*thread)->Durable(1).code(), StatusCode::kInternal);
}

}  // namespace
}  // namespace muster
