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

/// A server that takes two groups at once and answers when it is told to.
class FarLedger final : public GroupJournal {
 public:
  Result<Ticket> Append(Commit) override { return ++appended_; }
  Status Durable(Ticket) override {
    return {StatusCode::kInternal, "it is not waited for like this"};
  }
  std::size_t useful_groups() const noexcept override { return 2; }
  Status Begin(Ticket ticket) override {
    const std::lock_guard lock(mutex_);
    begun_.push_back(ticket);
    changed_.notify_all();
    return Status::Ok();
  }
  Result<bool> Await(Ticket ticket) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return woken_ || ticket <= durable_ || !failure_.ok(); });
    woken_ = false;
    if (ticket > durable_ && !failure_.ok()) return failure_;
    return ticket <= durable_;
  }
  void Wake() noexcept override {
    const std::lock_guard lock(mutex_);
    woken_ = true;
    changed_.notify_all();
  }

  void WaitUntilBegun(std::size_t groups) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return begun_.size() >= groups; });
  }
  void Answer(Ticket durable, const Status& failure) {
    const std::lock_guard lock(mutex_);
    durable_ = durable;
    failure_ = failure;
    changed_.notify_all();
  }
  std::vector<Ticket> begun() const {
    const std::lock_guard lock(mutex_);
    return begun_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Ticket> begun_;
  Ticket appended_ = 0;
  Ticket durable_ = 0;
  Status failure_;
  bool woken_ = false;
};

TEST(StoreThread, SendsWhatComesWhileItWaitsAndGathersTheRest) {
  FarLedger ledger;
  const auto thread = StoreThread::Start(ledger);
  ASSERT_TRUE(thread.ok()) << thread.status().message();
  ASSERT_TRUE((*thread)->Append(Numbered(1)).ok());
  ledger.WaitUntilBegun(1);
  ASSERT_TRUE((*thread)->Append(Numbered(2)).ok());
  ledger.WaitUntilBegun(2);
  // A third is not useful, so these gather.
  ASSERT_TRUE((*thread)->Append(Numbered(3)).ok());
  ASSERT_TRUE((*thread)->Append(Numbered(4)).ok());
  EXPECT_THAT(ledger.begun(), ElementsAre(1, 2));
  EXPECT_FALSE((*thread)->Settled(1));
  ledger.Answer(1, Status::Ok());
  EXPECT_TRUE((*thread)->Durable(1).ok());
  ledger.WaitUntilBegun(3);
  EXPECT_FALSE((*thread)->Settled(2));
  ledger.Answer(4, Status::Ok());
  EXPECT_TRUE((*thread)->Durable(4).ok());
  EXPECT_THAT(ledger.begun(), ElementsAre(1, 2, 4));
}

TEST(StoreThread, AFailureRefusesAllThatIsUnderWayAndNothingThatWasConfirmed) {
  FarLedger ledger;
  const auto thread = StoreThread::Start(ledger);
  ASSERT_TRUE(thread.ok()) << thread.status().message();
  for (const std::size_t groups : {1U, 2U}) {
    ASSERT_TRUE((*thread)->Append(Numbered(1)).ok());
    ledger.WaitUntilBegun(groups);
  }
  ASSERT_TRUE((*thread)->Append(Numbered(3)).ok());
  ledger.Answer(1, {StatusCode::kUnavailable, "taken over"});
  EXPECT_TRUE((*thread)->Durable(1).ok());
  EXPECT_EQ((*thread)->Durable(2).message(), "taken over");
  EXPECT_EQ((*thread)->Durable(3).message(), "taken over");
}

TEST(StoreThread, ATicketThatWasNeverGivenOutIsRefused) {
  SlowLedger ledger;
  const auto thread = StoreThread::Start(ledger);
  ASSERT_TRUE(thread.ok()) << thread.status().message();
  EXPECT_EQ((*thread)->Durable(1).code(), StatusCode::kInternal);
}

}  // namespace
}  // namespace muster
