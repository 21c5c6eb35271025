// Runs a check over many random worlds. Every world has a seed of its own, named by a failure;
// MUSTER_SEED=<seed> runs that world alone.
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

/// Calls `check(world, choices)` for `count` worlds and stops at the first failure. Fixed seeds
/// give the same worlds in every run; fresh ones begin at a number that is printed.
template <typename Check>
void ForEachWorld(int count, Seeds seeds, const Check& check) {
  std::uint64_t first = 1;
  if (seeds == Seeds::kFresh) first = std::random_device()();
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
    const World world = MakeRandomWorld(choices);
    check(world, choices);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace muster::testing

#endif  // MUSTER_TESTS_PROPERTY_FOR_EACH_WORLD_H_
