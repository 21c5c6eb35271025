// Charging, asking and taking back over all members at once.
#include "engine/capacity/capacity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "engine/capacity/quota_trial.h"
#include "tests/testing/booked_member.h"

namespace muster {
namespace {

using testing::BookedMember;
using ::testing::IsEmpty;

constexpr FlavorResourceId kPair{0};
constexpr QueueId kQueue{7};

/// A cohort of one queue with ten of one pair, alone in its tree.
QuotaTree MakeTree(QueueId queue) {
  QuotaTree tree({kPair}, {ResourceId{0}});
  QuotaNode cohort;
  cohort.name = "cohort";
  const NodeIndex root = tree.AddNode(std::move(cohort));
  QuotaNode leaf;
  leaf.name = "queue";
  leaf.parent = root;
  leaf.queue = queue;
  tree.MutableCell(tree.AddNode(std::move(leaf)), 0).nominal = 10;
  tree.Seal();
  tree.ChargeCohorts();
  return tree;
}

class CapacityOfTwo : public ::testing::Test {
 protected:
  CapacityOfTwo() {
    capacity_.trees().push_back(MakeTree(kQueue));
    capacity_.trees().push_back(MakeTree({8}));
  }
  void Join(std::unique_ptr<BookedMember> member) {
    member_ = member.get();
    capacity_.Add(std::move(member));
  }
  static std::vector<Usage> Of(Amount amount) { return {{kPair, amount}}; }
  Amount Used(std::uint32_t tree = 0, NodeIndex node = 1) const {
    return capacity_.tree(tree).cell(node, 0).usage;
  }

  Capacity capacity_;
  const QuotaPlace place_{0, 1};
  const BookedMember* member_ = nullptr;
};

TEST_F(CapacityOfTwo, FitsWhatFitsEveryMember) {
  EXPECT_TRUE(capacity_.Fits(place_, Of(3)));
  EXPECT_TRUE(capacity_.FollowsFromQuota() && capacity_.IsMonotone());
  Join(testing::EvenNumbersOf(1));
  EXPECT_FALSE(capacity_.FollowsFromQuota() || capacity_.IsMonotone());
  EXPECT_TRUE(capacity_.Fits(place_, Of(4)));
  EXPECT_FALSE(capacity_.Fits(place_, Of(3))) << "less, and odd";
  EXPECT_FALSE(capacity_.Fits(place_, Of(12))) << "even, and beyond quota";
  EXPECT_FALSE(capacity_.FitsAloneBesideQuota(place_, Of(3)));
}

TEST_F(CapacityOfTwo, IsMonotoneWhereEveryMemberIs) {
  Join(testing::AtMost(4));
  EXPECT_TRUE(capacity_.IsMonotone());
  EXPECT_FALSE(capacity_.FollowsFromQuota());
  capacity_.Charge(place_, Of(3));
  EXPECT_FALSE(capacity_.Fits(place_, Of(2)));
  EXPECT_TRUE(capacity_.FitsAloneBesideQuota(place_, Of(2)));
  Join(testing::EvenNumbersOf(1));
  EXPECT_FALSE(capacity_.IsMonotone());
}

TEST_F(CapacityOfTwo, ChargesAndReleasesEveryMember) {
  Join(testing::Bystander());
  capacity_.Charge(place_, Of(4));
  EXPECT_EQ(Used(), 4);
  EXPECT_EQ(member_->book(), (BookedMember::Book{{{kQueue, kPair}, 4}}));
  capacity_.Release(place_, Of(4));
  EXPECT_EQ(Used(), 0);
  EXPECT_THAT(member_->book(), IsEmpty());
}

TEST_F(CapacityOfTwo, LeavesTheForestAloneThatIsBuiltAnew) {
  Join(testing::Bystander());
  capacity_.ChargeWithoutForest(kQueue, Of(4));
  EXPECT_EQ(Used(), 0);
  EXPECT_EQ(member_->book().size(), 1u);
  capacity_.ReleaseWithoutForest(kQueue, Of(4));
  EXPECT_THAT(member_->book(), IsEmpty());
}

TEST_F(CapacityOfTwo, MarksTakeBackWithAllMembersWhatWasTried) {
  Join(testing::Bystander());
  const BookedMember* const first = member_;
  Join(testing::EvenNumbersOf(1));
  capacity_.Charge(place_, Of(5));
  {
    CapacityMark outer(capacity_, 0);
    capacity_.Release(place_, Of(2));
    {
      const CapacityMark inner(capacity_, 0);
      capacity_.Charge(place_, Of(9));
      capacity_.Release(place_, Of(1));
      EXPECT_EQ(Used(), 11);
      EXPECT_EQ(first->book().at({kQueue, kPair}), 11);
    }
    EXPECT_EQ(Used(), 3);
    EXPECT_EQ(first->book().at({kQueue, kPair}), 3);
    EXPECT_EQ(member_->book(), first->book());
    outer.RollBack();
    EXPECT_EQ(Used(), 5);
    EXPECT_EQ(first->book().at({kQueue, kPair}), 5);
    capacity_.Charge(place_, Of(1));
    EXPECT_FALSE(capacity_.NothingIsTriedIn(std::vector<std::uint32_t>{0}));
  }
  EXPECT_EQ(Used(), 5);
  EXPECT_EQ(first->book().at({kQueue, kPair}), 5);
  EXPECT_EQ(member_->book(), first->book());
  EXPECT_TRUE(capacity_.NothingIsTriedIn(std::vector<std::uint32_t>{0, 1}));
}

TEST_F(CapacityOfTwo, MarksOfSeveralTreesTakeBackWhatTurnsInThemTried) {
  Join(testing::Bystander());
  const std::vector<std::uint32_t> trees = {0, 1};
  {
    const ForestMark mark(capacity_, trees);
    capacity_.Charge({0, 1}, Of(2));
    capacity_.Charge({1, 1}, Of(3));
    capacity_.Release({0, 1}, Of(1));
    EXPECT_EQ(member_->book().size(), 2u);
  }
  EXPECT_EQ(Used(0), 0);
  EXPECT_EQ(Used(1), 0);
  EXPECT_THAT(member_->book(), IsEmpty());
}

TEST_F(CapacityOfTwo, OfSeveralTreesSomeKeepWhatWasCharged) {
  const std::vector<std::uint32_t> trees = {0, 1};
  ForestMark mark(capacity_, trees);
  capacity_.Charge({0, 1}, Of(2));
  capacity_.Charge({1, 1}, Of(3));
  mark.Keep(1);
  mark.TakeBack();
  EXPECT_EQ(Used(0), 0);
  EXPECT_EQ(Used(1), 3);
  EXPECT_TRUE(capacity_.NothingIsTriedIn(trees));
}

TEST_F(CapacityOfTwo, NoOtherMemberHearsOfATrialOfQuota) {
  Join(testing::Bystander());
  {
    QuotaTrial trial(capacity_.tree(0));
    trial.Charge(1, Of(4));
    trial.Release(1, Of(1));
    EXPECT_EQ(Used(), 3);
    EXPECT_EQ(Used(0, 0), 3) << "its cohort";
    trial.Suppose(1, 0, 9);
    EXPECT_EQ(Used(), 9);
    EXPECT_EQ(Used(0, 0), 3) << "what is supposed stays in its cell";
  }
  EXPECT_EQ(Used(), 0);
  EXPECT_EQ(member_->calls(), 0);
}

TEST_F(CapacityOfTwo, ASecondTreeChangesPlacesWithTheFirst) {
  capacity_.Charge(place_, Of(4));
  SecondTree second(capacity_.tree(0));
  second.Release(1, Of(3));
  second.Charge(1, Of(1));
  EXPECT_EQ(Used(), 4);
  second.ChangePlaces(capacity_.tree(0));
  EXPECT_EQ(Used(), 2);
  second.ChangePlaces(capacity_.tree(0));
  EXPECT_EQ(Used(), 4);
}

}  // namespace
}  // namespace muster
