// One list's changes are nobody else's, and its memory is that of its copies.
#include "engine/model/condition_list.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

Condition SampleCondition(std::string_view type, TimeNs since = 0) {
  return {type, true, "why", "a message", since};
}
void SetTrue(ConditionList& list, KnownWord type, TimeNs since = 0) {
  list.Set(type, true, "why", "a message", since);
}

constexpr KnownWord kOfNobody = kWord<"a type that the engine does not give">;

TEST(ConditionList, KeepsWhatItWasGivenInOrder) {
  ConditionList list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.begin(), list.end());
  std::vector<Condition> expected;
  for (const KnownWord type : {condition::kRequeued, kOfNobody, condition::kEvicted,
                               condition::kAdmitted, condition::kFinished}) {
    SetTrue(list, type);
    expected.push_back(SampleCondition(type));
  }
  EXPECT_EQ(list.vector(), expected);
  EXPECT_EQ(ConditionList(expected), list);
}

TEST(ConditionList, HasOneOfEachTypeAndKnowsItsStatus) {
  for (const KnownWord type :
       {kOfNobody, condition::kQuotaReserved, condition::kAdmitted, condition::kPodsReady,
        condition::kEvicted, condition::kPreempted, condition::kRequeued,
        condition::kBlockedOnPreemptionGates, condition::kFinished}) {
    ConditionList list;
    EXPECT_FALSE(list.Is(type, true) || list.Is(type, false));
    SetTrue(list, condition::kEvicted);
    TimeNs now = 5;
    for (const bool status : {true, false, true}) {
      list.Set(type, status, "", "", ++now);
      for (const ConditionList& same : {list, ConditionList(list.span())}) {
        EXPECT_TRUE(same.Is(type, status));
        EXPECT_FALSE(same.Is(type, !status));
        EXPECT_EQ(same.Find(type)->reason, "");
      }
    }
    EXPECT_EQ(list.size(), Text(type) == condition::kEvicted ? 1u : 2u);
  }
}

TEST(ConditionList, TheTimeMovesOnlyWithTheStatus) {
  ConditionList list;
  SetTrue(list, condition::kEvicted, 3);
  SetTrue(list, condition::kEvicted, 5);
  EXPECT_EQ(list.begin()->since, 3);
  list.Set(condition::kEvicted, false, "", "", 7);
  EXPECT_EQ(list.begin()->since, 7);
}

TEST(ConditionList, CopiesAreOnePieceOfMemoryUntilOneIsChanged) {
  ConditionList list;
  SetTrue(list, condition::kEvicted);
  SetTrue(list, condition::kRequeued);
  const std::vector<Condition> before = list.vector();
  ConditionList changed = list;
  ConditionList longer = list;
  EXPECT_EQ(changed.begin(), list.begin());
  changed.Set(condition::kRequeued, false, "why", "a message", 7);
  SetTrue(longer, condition::kFinished);
  EXPECT_EQ(list.vector(), before);
  EXPECT_FALSE(list.Is(condition::kFinished, true));
  EXPECT_EQ(changed.Find(condition::kRequeued)->since, 7);
  EXPECT_EQ(longer.size(), 3u);
}

TEST(ConditionList, ChangesInPlaceWhereNobodyElseHasIt) {
  ConditionList list;
  list.Reserve(2);
  SetTrue(list, condition::kEvicted);
  const Condition* const where = list.begin();
  SetTrue(list, condition::kRequeued);
  list.Set(condition::kEvicted, false, "other", "", 3);
  const ConditionList moved = std::move(list);
  EXPECT_EQ(moved.begin(), where);
  EXPECT_EQ(moved.begin()->reason, "other");
}

TEST(ConditionList, SharesAMessageThatHasTheWords) {
  const Text message = "a message";
  ConditionList list(std::vector<Condition>{SampleCondition("A"), SampleCondition("B")});
  const ConditionList other = list;
  list.ShareMessage(message);
  EXPECT_EQ(list.begin()->message.view().data(), message.view().data());
  EXPECT_EQ(list, other);
}

TEST(ConditionList, OutlivesTheListItWasCopiedFrom) {
  ConditionList copy;
  {
    const ConditionList list(
        std::vector<Condition>{SampleCondition("some type that no engine knows")});
    copy = list;
  }
  EXPECT_EQ(copy.begin()->type, "some type that no engine knows");
}

}  // namespace
}  // namespace muster
