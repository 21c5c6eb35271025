// Runs a check over many random worlds or stories. Each has a seed of its own, named by a failure;
// MUSTER_SEED=<seed> runs that one alone.
#ifndef MUSTER_TESTS_PROPERTY_FOR_EACH_WORLD_H_
#define MUSTER_TESTS_PROPERTY_FOR_EACH_WORLD_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

#include "tests/property/random_world.h"
#include "tests/testing/random_choices.h"

namespace muster::testing {

enum class Seeds { kFixed, kFresh };

/// Calls `check(drawn, choices)` for `count` things that `draw(choices)` makes and stops at the
/// first failure. Fixed seeds give the same ones in every run. So do fresh ones, but where
/// MUSTER_FRESH is set, as at night, they begin at a number of chance. It is printed.
template <typename Draw, typename Check>
void ForEach(const Draw& draw, int count, Seeds seeds, const Check& check) {
  std::uint64_t first = 1;
  if (seeds == Seeds::kFresh && std::getenv("MUSTER_FRESH")) first = std::random_device()();
  if (const char* replay = std::getenv("MUSTER_SEED")) {
    first = std::strtoull(replay, nullptr, 10);
    count = 1;
  }
  if (seeds == Seeds::kFresh) {
    std::cout << "seeds " << first << " to " << first + static_cast<unsigned>(count) - 1 << "\n";
  }
  for (std::uint64_t seed = first; seed < first + static_cast<unsigned>(count); ++seed) {
    SCOPED_TRACE("replay with MUSTER_SEED=" + std::to_string(seed));
    RandomChoices choices(seed);
    const auto drawn = draw(choices);
    check(drawn, choices);
    if (::testing::Test::HasFailure()) return;
  }
}

template <typename Check>
void ForEachWorld(int count, Seeds seeds, const Check& check) {
  ForEach(MakeRandomWorld, count, seeds, check);
}

}  // namespace muster::testing

#endif  // MUSTER_TESTS_PROPERTY_FOR_EACH_WORLD_H_
