// What of a workload its form depends on, and what not.
#include "engine/state/request_forms.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "engine/state/whole_workload.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

class Forms : public ::testing::Test {
 protected:
  Forms() { forms_.Remember(series_, first_.key.ns, 5, {{}, "text", {1, 2}, true}); }
  const RequestForms::Form* Find(const Workload& workload) {
    Shared<Series> series(SeriesOf(workload));
    return forms_.Find(series, workload.key.ns, workload.priority.value_or(0),
                       !workload.status.reclaimable_pods.empty());
  }
  bool Known(const Workload& workload) { return Find(workload) != nullptr; }

  Workload first_ = testing::MakeWorkload("first", "lq", testing::Cpu(2), 5);
  Shared<Series> series_{SeriesOf(first_)};
  RequestForms forms_;
};

TEST_F(Forms, AreTakenOverByWhoeverIsEqualInWhatCounts) {
  Workload other = first_;
  other.key.name = "other";
  other.queue = "another";
  other.created = 7;
  ASSERT_TRUE(Known(other));
  EXPECT_EQ(Find(other)->hash, (Hash128{1, 2}));
}

TEST_F(Forms, AnythingThatCountsMakesAnother) {
  Workload other = first_;
  other.priority = 6;
  EXPECT_FALSE(Known(other));
  other = first_;
  other.key.ns = "elsewhere";
  EXPECT_FALSE(Known(other)) << "LimitRanges are of a namespace";
  other = first_;
  other.pod_sets[0].pods.node_selector["zone"] = "a";
  EXPECT_FALSE(Known(other));
  other = first_;
  other.status.reclaimable_pods = {{"main", 1}};
  EXPECT_FALSE(Known(other)) << "it gave up pods";
}

TEST_F(Forms, HaveAHashForEachEffectivePriority) {
  Shared<Series> series(SeriesOf(first_));
  const Hash128 boosted = forms_.Find(series, first_.key.ns, 8, false)->hash;
  EXPECT_EQ(boosted, RequestForms::HashOf("text", 8));
  EXPECT_EQ(forms_.Find(series, first_.key.ns, 5, false)->hash, RequestForms::HashOf("text", 5));
  EXPECT_NE(forms_.Find(series, first_.key.ns, 5, false)->hash, boosted);
}

TEST_F(Forms, LetEqualSeriesBeTheSameMemory) {
  Workload other = testing::MakeWorkload("other", "another", testing::Cpu(2), 5);
  other.key.ns = "elsewhere";
  Shared<Series> series(SeriesOf(other));
  forms_.Find(series, other.key.ns, 5, false);
  EXPECT_TRUE(series.IsSameAs(series_));
}

TEST_F(Forms, LetEqualPodSetsBeTheSameMemoryWhereOtherThingsDiffer) {
  Workload other = testing::MakeWorkload("other", "lq", testing::Cpu(2), 5);
  other.labels["run"] = "2";
  ASSERT_NE(std::as_const(other).pod_sets.data(), std::as_const(first_).pod_sets.data());
  Shared<Series> series(SeriesOf(other));
  forms_.Find(series, other.key.ns, 5, false);
  EXPECT_EQ(*series.get(), SeriesOf(other));
  EXPECT_EQ(series.get()->pod_sets.data(), std::as_const(first_).pod_sets.data());
  EXPECT_TRUE(series_.get()->labels.empty()) << "of others nothing changes";
  Shared<Series> next(SeriesOf(other));
  forms_.Find(next, other.key.ns, 5, false);
  EXPECT_TRUE(next.IsSameAs(series));
}

TEST_F(Forms, KnowTheSeriesOfWhatWasFoundValid) {
  Shared<Series> series;
  EXPECT_FALSE(forms_.FindValid(first_, series));
  forms_.NoteValid(first_, series);
  EXPECT_EQ(series.get(), nullptr) << "it is known, but not looked for again";
  Workload other = first_;
  other.labels["run"] = "2";
  EXPECT_TRUE(forms_.FindValid(other, series));
  EXPECT_EQ(series.get(), nullptr);
  EXPECT_TRUE(forms_.FindValid(first_, series));
  EXPECT_TRUE(series.IsSameAs(series_));
}

TEST_F(Forms, KnowTheSeriesOfAValidOneBeforeItsForm) {
  const Workload stranger = testing::MakeWorkload("stranger", "lq", testing::Cpu(3), 5);
  Shared<Series> its, next;
  forms_.NoteValid(stranger, its);
  ASSERT_NE(its.get(), nullptr);
  EXPECT_EQ(*its.get(), SeriesOf(stranger));
  EXPECT_TRUE(forms_.FindValid(stranger, next));
  EXPECT_TRUE(next.IsSameAs(its));
  EXPECT_FALSE(Known(stranger)) << "valid is not resolved";
  forms_.Remember(its, stranger.key.ns, 5, {{}, "other", {3, 4}, true});
  ASSERT_TRUE(Known(stranger));
  EXPECT_EQ(Find(stranger)->hash, (Hash128{3, 4}));
  Shared<Series> later;
  EXPECT_TRUE(forms_.FindValid(stranger, later)) << "it is still valid";
}

TEST_F(Forms, OfSeveralTemplatesAreKeptSideBySide) {
  std::vector<Workload> all;
  for (std::int64_t cpu = 1; cpu <= 3; ++cpu) {
    all.push_back(testing::MakeWorkload("w", "lq", testing::Cpu(cpu), cpu % 2 == 0 ? 5 : 6));
    forms_.Remember(Shared<Series>(SeriesOf(all.back())), all.back().key.ns, *all.back().priority,
                    {{}, "", {0, static_cast<std::uint64_t>(cpu)}, true});
  }
  for (int again = 0; again < 2; ++again) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_TRUE(Known(all[i]));
      EXPECT_EQ(Find(all[i])->hash.low, i + 1);
    }
  }
}

TEST_F(Forms, AreForgottenWhenTheCatalogChanges) {
  forms_.Clear();
  EXPECT_FALSE(Known(first_));
}

}  // namespace
}  // namespace muster
