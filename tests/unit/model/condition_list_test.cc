// One list's changes are no other's, and its memory is that of its copies.
#include "engine/model/condition_list.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

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
      for (const ConditionList& same : {list, ConditionList(list.vector())}) {
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
  EXPECT_EQ((*list.begin()).since, 3);
  list.Set(condition::kEvicted, false, "", "", 7);
  EXPECT_EQ((*list.begin()).since, 7);
}

TEST(ConditionList, CopiesAreOnePieceOfMemoryUntilOneIsChanged) {
  ConditionList list;
  SetTrue(list, condition::kEvicted);
  SetTrue(list, condition::kRequeued);
  const std::vector<Condition> before = list.vector();
  ConditionList changed = list;
  ConditionList longer = list;
  EXPECT_TRUE(changed.IsCopyOf(list, 0));
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
  const Text* const where = &(*list.begin()).type;
  SetTrue(list, condition::kRequeued);
  list.Set(condition::kEvicted, false, "other", "", 3);
  const ConditionList moved = std::move(list);
  EXPECT_EQ(&(*moved.begin()).type, where);
  EXPECT_EQ((*moved.begin()).reason, "other");
}

TEST(ConditionList, SharesAMessageThatHasTheWords) {
  const Text message = "a message";
  ConditionList list(std::vector<Condition>{SampleCondition("A"), SampleCondition("B")});
  const ConditionList other = list;
  list.ShareMessage(message);
  EXPECT_EQ((*list.begin()).message.view().data(), message.view().data());
  EXPECT_EQ(list, other);
}

TEST(ConditionList, OutlivesTheListItWasCopiedFrom) {
  ConditionList copy;
  {
    const ConditionList list(
        std::vector<Condition>{SampleCondition("some type that no engine knows")});
    copy = list;
  }
  EXPECT_EQ((*copy.begin()).type, "some type that no engine knows");
}

constexpr TimeNs kLatest = std::numeric_limits<TimeNs>::max();

TEST(ConditionList, LaterByATimeSharesTheMemoryAndLeavesUnknownTimesUnknown) {
  const ConditionList list(std::vector<Condition>{
      SampleCondition("A", 3), SampleCondition("B", kNoTime), SampleCondition("C", 8)});
  const ConditionList later = list.After(10);
  EXPECT_EQ(later.vector(),
            (std::vector<Condition>{SampleCondition("A", 13), SampleCondition("B", kNoTime),
                                    SampleCondition("C", 18)}));
  EXPECT_TRUE(later.IsCopyOf(list, 10));
  EXPECT_FALSE(later.IsCopyOf(list, 0));
  EXPECT_NE(later, list);
}

TEST(ConditionList, SharesWithWhatDiffersByOneTimeOnly) {
  const auto list = [](TimeNs a, TimeNs b) {
    return ConditionList(std::vector<Condition>{SampleCondition("A", a), SampleCondition("B", b)});
  };
  const ConditionList other = list(0, 5);
  for (const TimeNs time : {TimeNs{0}, TimeNs{7}, TimeNs{-7}, kLatest - 5, kNoTime + 1}) {
    ConditionList shifted = list(time, time + 5);
    EXPECT_TRUE(shifted.ShareWith(other));
    EXPECT_TRUE(shifted.IsCopyOf(other, time));
    EXPECT_EQ(shifted, list(time, time + 5));
  }
  for (ConditionList different : {list(7, 13), list(7, kNoTime), list(kNoTime, 5), ConditionList(),
                                  ConditionList(std::vector<Condition>{SampleCondition("A")})}) {
    const std::vector<Condition> before = different.vector();
    EXPECT_FALSE(different.ShareWith(other));
    EXPECT_EQ(different.vector(), before);
  }
  ConditionList unknown = list(kNoTime, kNoTime);
  EXPECT_TRUE(unknown.ShareWith(list(kNoTime, kNoTime)));
  EXPECT_EQ(unknown, list(kNoTime, kNoTime));
}

TEST(ConditionList, ChangingWhatIsLaterChangesNobodyElse) {
  const ConditionList list(std::vector<Condition>{SampleCondition("Evicted", 3)});
  ConditionList later = list.After(kLatest - 3);
  SetTrue(later, condition::kFinished, kNoTime + 1);
  later.Set(condition::kEvicted, false, "other", "", 9);
  EXPECT_EQ(later.vector(), (std::vector<Condition>{{"Evicted", false, "other", "", 9},
                                                    SampleCondition("Finished", kNoTime + 1)}));
  EXPECT_EQ(list.vector(), std::vector<Condition>{SampleCondition("Evicted", 3)});
}

}  // namespace
}  // namespace muster
