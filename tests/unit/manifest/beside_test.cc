#include "bindings/manifest/beside.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace muster::manifest {
namespace {

TEST(Beside, EachIndexIsDoneOnce) {
  for (const std::size_t count : {0U, 1U, 2U, 3U, 1'000U}) {
    std::vector<std::atomic<int>> done(count);
    Beside(count, [&done](std::size_t i) { ++done[i]; });
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(done[i], 1) << i << " of " << count;
  }
}

TEST(Beside, RunsLeaveNoneOutAndDoNoneTwice) {
  for (const std::size_t count : {0U, 1U, 9U, 10U, 11U, 999U}) {
    std::vector<std::atomic<int>> done(count);
    BesideInRuns(count, 10, [&done](std::size_t i) { ++done[i]; });
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(done[i], 1) << i << " of " << count;
  }
}

TEST(Beside, WhatTheLowestIndexThrewIsThrownAfterAllWereDone) {
  std::atomic<int> done = 0;
  std::string thrown;
  try {
    Beside(100, [&done](std::size_t i) {
      ++done;
      if (i >= 40) throw std::runtime_error(std::to_string(i));
    });
  } catch (const std::runtime_error& error) {
    thrown = error.what();
  }
  EXPECT_EQ(thrown, "40");
  EXPECT_EQ(done, 100);
}

}  // namespace
}  // namespace muster::manifest
