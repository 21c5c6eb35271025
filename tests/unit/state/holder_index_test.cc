// The order of holders, their sums, and what happens when a holder changes.
#include "engine/state/holder_index.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "engine/base/check.h"

namespace muster {
namespace {

constexpr FlavorResourceId kCpu{0};
constexpr FlavorResourceId kGpu{1};

class Holders : public ::testing::Test {
 protected:
  WorkloadRecord& Add(const std::string& uid, std::int32_t priority, TimeNs reserved_at,
                      SharedList<Usage> usage = {{kCpu, 1}}) {
    WorkloadRecord& workload = workloads_.emplace_back();
    const auto number = static_cast<std::uint32_t>(workloads_.size());
    workload.key.workload = WorkloadId(WorkloadSlot{number}, number);
    workload.key.uid = uid;
    workload.key.priority = priority;
    workload.reserved_at = reserved_at;
    workload.usage = std::move(usage);
    index_.Insert(workload);
    return workload;
  }
  /// One after another.
  std::vector<HolderIndex::Total> Totals() const {
    std::vector<HolderIndex::Total> all;
    for (const auto& [priority, totals] : index_.totals()) {
      EXPECT_FALSE(totals.empty());
      for (const HolderIndex::Total& total : totals) EXPECT_EQ(total.priority, priority);
      all.insert(all.end(), totals.begin(), totals.end());
    }
    return all;
  }
  static std::string Uids(const HolderIndex::Order& order) {
    std::string uids;
    for (const HolderIndex::Entry& entry : order) uids += entry.workload->uid();
    return uids;
  }
  std::deque<WorkloadRecord> workloads_;
  HolderIndex index_;
};

TEST_F(Holders, LowerPriorityThenNewerReservationThenUid) {
  Add("d", 1, 5);
  Add("b", 0, 5);
  Add("a", 0, 5);
  Add("c", 1, 9);
  EXPECT_EQ(Uids(index_.staying()), "abcd");
}

TEST_F(Holders, AreFoundAgainWhateverChangedInThem) {
  WorkloadRecord& moved = Add("a", 0, 5);
  Add("b", 3, 5);
  ASSERT_EQ(Uids(index_.staying()), "ab");
  moved.key.priority = 7;
  moved.evicted = true;
  EXPECT_EQ(Uids(index_.leaving()), "");
  index_.Refresh(moved);
  EXPECT_EQ(Uids(index_.staying()), "b");
  EXPECT_EQ(Uids(index_.leaving()), "a");
  moved.key.priority = 9;
  index_.Erase(moved);
  EXPECT_EQ(index_.size(), 1u);
  EXPECT_THROW(index_.Erase(moved), InvariantBroken);
}

TEST_F(Holders, ManyNewcomersGetThePlacesThatTheyWouldHaveHadOneByOne) {
  for (int i = 0; i < 20; ++i) Add(std::string(1, static_cast<char>('a' + i)), i % 3, 5);
  EXPECT_EQ(index_.size(), 20u);
  EXPECT_EQ(Uids(index_.staying()), "adgjmpsbehknqtcfilor");
}

TEST_F(Holders, ANewcomerMayChangeAndGoBeforeAnybodyAsks) {
  WorkloadRecord& changed = Add("a", 0, 5, {{kCpu, 2}});
  WorkloadRecord& gone = Add("b", 0, 5, {{kCpu, 3}});
  changed.key.priority = 4;
  changed.evicted = true;
  index_.Refresh(changed);
  index_.Erase(gone);
  EXPECT_THROW(index_.Erase(gone), InvariantBroken);
  EXPECT_EQ(index_.size(), 1u);
  EXPECT_EQ(Uids(index_.staying()), "");
  EXPECT_EQ(Uids(index_.leaving()), "a");
  ASSERT_EQ(Totals().size(), 1u);
  EXPECT_EQ(Totals()[0].priority, 4);
  EXPECT_EQ(Totals()[0].amount, 2);
}

TEST_F(Holders, SumsFollowWhoComesAndGoes) {
  Add("a", 0, 5, {{kCpu, 2}, {kGpu, 0}});
  WorkloadRecord& b = Add("b", 0, 6, {{kCpu, 3}});
  Add("c", 1, 5, {{kCpu, 10}});
  ASSERT_EQ(Totals().size(), 3u) << "a pair that is held with amount 0 counts too";
  EXPECT_EQ(Totals()[0].amount, 5);
  EXPECT_EQ(Totals()[0].holders, 2);
  EXPECT_EQ(Totals()[1].fr, kGpu);
  EXPECT_EQ(Totals()[2].priority, 1);
  index_.Erase(b);
  EXPECT_EQ(Totals()[0].amount, 2);
  index_.Erase(workloads_[0]);
  ASSERT_EQ(Totals().size(), 1u);
  EXPECT_EQ(Totals()[0].amount, 10);
}

TEST_F(Holders, NobodyIsNewerThanTheSumsSay) {
  WorkloadRecord& a = Add("a", 0, 5);
  WorkloadRecord& b = Add("b", 0, 6);
  a.key.timestamp = 3;
  b.key.timestamp = 8;
  Add("c", 1, 5).key.timestamp = 20;
  EXPECT_EQ(Totals()[0].newest, 8);
  EXPECT_EQ(Totals()[1].newest, 20);
  a.key.timestamp = 9;  // its rank is as before
  index_.Refresh(a);
  EXPECT_EQ(Totals()[0].newest, 9);
  b.key.timestamp = 30;
  b.evicted = true;
  index_.Refresh(b);
  EXPECT_EQ(Totals()[0].newest, 30) << "rank and timestamp changed together";
  ASSERT_EQ(index_.TotalsOf(0).size(), 1u);
  EXPECT_EQ(index_.TotalsOf(0)[0].newest, 30);
  EXPECT_TRUE(index_.TotalsOf(7).empty());
  index_.Erase(b);
  EXPECT_GE(Totals()[0].newest, 9);
  index_.Erase(a);
  Add("d", 0, 7).key.timestamp = 1;
  EXPECT_EQ(Totals()[0].newest, 1) << "none of those before is left";
}

TEST_F(Holders, OneWithoutATimeOfReservationMakesTheOrderVoid) {
  WorkloadRecord& undated = Add("a", 0, kNoTime);
  EXPECT_FALSE(index_.all_dated());
  undated.reserved_at = 4;
  index_.Refresh(undated);
  EXPECT_TRUE(index_.all_dated());
}

}  // namespace
}  // namespace muster
