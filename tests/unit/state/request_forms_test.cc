// What of a workload its form depends on, and what not.
#include "engine/state/request_forms.h"

#include <gtest/gtest.h>

#include <utility>

#include "engine/state/whole_workload.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

class Forms : public ::testing::Test {
 protected:
  Forms() { forms_.Remember(SeriesOf(first_), first_.key.ns, {{}, {1, 2}, true}); }
  RequestForms::Found Find(const Workload& workload) const {
    return forms_.Find(SeriesOf(workload), workload.key.ns,
                       !workload.status.reclaimable_pods.empty());
  }
  bool Known(const Workload& workload) const { return Find(workload).form != nullptr; }

  Workload first_ = testing::MakeWorkload("first", "lq", testing::Cpu(2), 5);
  RequestForms forms_;
};

TEST_F(Forms, AreTakenOverByWhoeverIsEqualInWhatCounts) {
  Workload other = first_;
  other.key.name = "other";
  other.queue = "another";
  other.created = 7;
  ASSERT_TRUE(Known(other));
  EXPECT_EQ(Find(other).form->hash, (Hash128{1, 2}));
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

TEST_F(Forms, LetEqualPodSetsBeTheSameMemory) {
  Workload other = testing::MakeWorkload("other", "lq", testing::Cpu(2), 5);
  other.key.ns = "elsewhere";
  ASSERT_NE(std::as_const(other).pod_sets.data(), std::as_const(first_).pod_sets.data());
  ASSERT_NE(Find(other).pod_sets, nullptr);
  EXPECT_EQ(Find(other).pod_sets->data(), std::as_const(first_).pod_sets.data());
}

TEST_F(Forms, AreForgottenWhenTheCatalogChanges) {
  forms_.Clear();
  EXPECT_FALSE(Known(first_));
}

}  // namespace
}  // namespace muster
