// The search for the fewest pods given up.
#include "engine/assign/partial_admission.h"

#include <gtest/gtest.h>

#include <numeric>

namespace muster {
namespace {

PodSetRequests PodSetOf(std::int32_t count, std::int32_t min_count) {
  PodSetRequests pod_set;
  pod_set.count = pod_set.effective_count = count;
  pod_set.min_count = min_count;
  return pod_set;
}

std::int32_t Sum(std::span<const std::int32_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), 0);
}

TEST(PartialAdmission, IsPossibleOnlyBelowTheFullCount) {
  EXPECT_FALSE(PartialAdmission({PodSetOf(5, 0)}).Possible());
  EXPECT_FALSE(PartialAdmission({PodSetOf(5, 5)}).Possible());
  EXPECT_TRUE(PartialAdmission({PodSetOf(5, 4)}).Possible());
}

TEST(PartialAdmission, FindsTheLargestCountThatWorksAndLeavesItsEffects) {
  for (std::int32_t fits = 2; fits <= 9; ++fits) {
    const PartialAdmission partial({PodSetOf(10, 2)});
    std::int32_t last = 0;
    const bool found = partial.Search(
        [&](std::span<const std::int32_t> counts) {
          last = counts[0];
          return counts[0] <= fits;
        },
        /*monotone=*/true);
    EXPECT_TRUE(found);
    EXPECT_EQ(last, fits) << "the last call was the one that counts";
  }
}

TEST(PartialAdmission, FailsWhenEvenTheMinimumDoesNotWork) {
  EXPECT_FALSE(PartialAdmission({PodSetOf(10, 2)}).Search([](auto) { return false; }, true));
}

TEST(PartialAdmission, FindsTheLargestCountThatWorksWhereFewerPodsMayNotFit) {
  for (std::int32_t fits = 2; fits <= 9; ++fits) {
    const PartialAdmission partial({PodSetOf(10, 2)});
    std::int32_t last = 0;
    const bool found = partial.Search(
        [&](std::span<const std::int32_t> counts) {
          last = counts[0];
          return counts[0] == fits;
        },
        /*monotone=*/false);
    EXPECT_TRUE(found) << fits;
    EXPECT_EQ(last, fits);
  }
  EXPECT_FALSE(PartialAdmission({PodSetOf(10, 2)}).Search([](auto) { return false; }, false));
}

TEST(PartialAdmission, TriesNoCountsTwiceWhereEachIsTried) {
  const PartialAdmission partial({PodSetOf(4, 2), PodSetOf(40, 38)});
  std::vector<std::vector<std::int32_t>> tried;
  EXPECT_FALSE(partial.Search(
      [&](std::span<const std::int32_t> counts) {
        tried.emplace_back(counts.begin(), counts.end());
        return false;
      },
      /*monotone=*/false));
  EXPECT_EQ(tried, (std::vector<std::vector<std::int32_t>>{{4, 40}, {3, 39}, {2, 38}}));
}

TEST(PartialAdmission, ReducesOnlyWhatMayBeReduced) {
  const PartialAdmission partial({PodSetOf(4, 0), PodSetOf(8, 2)});
  std::vector<std::int32_t> last;
  EXPECT_TRUE(partial.Search(
      [&](std::span<const std::int32_t> counts) {
        last.assign(counts.begin(), counts.end());
        return Sum(counts) <= 7;
      },
      /*monotone=*/true));
  EXPECT_EQ(last, (std::vector<std::int32_t>{4, 3}));
}

}  // namespace
}  // namespace muster
