// What of a workload its form depends on, and what not.
#include "engine/state/request_forms.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/testing/builders.h"

namespace muster {
namespace {

class Forms : public ::testing::Test {
 protected:
  Forms() { forms_.Remember(first_, {{}, {1, 2}, true}); }
  bool Known(Workload workload) const { return forms_.Find(workload) != nullptr; }

  Workload first_ = testing::MakeWorkload("first", "lq", testing::Cpu(2), 5);
  RequestForms forms_;
};

TEST_F(Forms, AreTakenOverByWhoeverIsEqualInWhatCounts) {
  Workload other = first_;
  other.key.name = "other";
  other.queue = "another";
  other.created = 7;
  ASSERT_TRUE(Known(other));
  EXPECT_EQ(forms_.Find(other)->hash, (Hash128{1, 2}));
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
  ASSERT_NE(std::as_const(other).pod_sets.data(), std::as_const(first_).pod_sets.data());
  ASSERT_NE(forms_.Find(other), nullptr);
  EXPECT_EQ(std::as_const(other).pod_sets.data(), std::as_const(first_).pod_sets.data());
}

TEST_F(Forms, AreForgottenWhenTheCatalogChanges) {
  forms_.Clear();
  EXPECT_FALSE(Known(first_));
}

}  // namespace
}  // namespace muster
