// The knockout against a walk over all contestants.
#include "engine/base/bracket.h"

#include <gtest/gtest.h>

#include <random>

namespace muster {
namespace {

TEST(Bracket, IsWonByTheFirstOfTheBest) {
  std::mt19937 random(11);
  for (const std::size_t size : {1u, 2u, 5u, 8u, 13u}) {
    std::vector<int> scores(size, -1);  // -1: not present
    Bracket bracket(size);
    EXPECT_EQ(bracket.winner(), Bracket::kNobody);
    for (int step = 0; step < 200; ++step) {
      const std::size_t position = random() % size;
      scores[position] = static_cast<int>(random() % 5) - 1;
      bracket.Play(position, scores[position] >= 0,
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
      std::size_t best = Bracket::kNobody;
      for (std::size_t i = 0; i < size; ++i) {
        if (scores[i] < 0) continue;
        if (best == Bracket::kNobody || scores[i] > scores[best]) best = i;
      }
      ASSERT_EQ(bracket.winner(), best);
    }
  }
}

}  // namespace
}  // namespace muster
