#include "tests/testing/exhaustigen.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace muster::testing {
namespace {

TEST(Exhaustigen, GivesEverySequenceOfAnswersOnce) {
  std::set<std::vector<int>> seen;
  int runs = 0;
  Exhaustigen gen;
  while (gen.Next()) {
    // How much is asked depends on what was answered.
    std::vector<int> answers = {gen.Below(3)};
    for (int i = 0; i < answers[0]; ++i) answers.push_back(gen.Between(5, 6));
    seen.insert(answers);
    ++runs;
  }
  EXPECT_EQ(runs, 1 + 2 + 4);
  EXPECT_EQ(seen.size(), 7u);
}

TEST(Exhaustigen, RunsOnceWhenNothingIsAsked) {
  Exhaustigen gen;
  EXPECT_TRUE(gen.Next());
  EXPECT_FALSE(gen.Next());
}

TEST(Exhaustigen, GoesOnAfterARunThatStoppedEarly) {
  int runs = 0;
  Exhaustigen gen;
  while (gen.Next()) {
    ++runs;
    if (gen.Flip()) continue;
    gen.Pick<int>({1, 2, 3});
  }
  EXPECT_EQ(runs, 3 + 1);
}

}  // namespace
}  // namespace muster::testing
