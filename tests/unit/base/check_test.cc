// What a broken invariant says.
#include "engine/base/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(Check, NamesItsFileAsTheRepositoryDoes) {
  try {
    MUSTER_CHECK(1 + 1 == 3);
    FAIL() << "it must throw";
  } catch (const InvariantBroken& broken) {
    EXPECT_THAT(broken.what(), ::testing::StartsWith("tests/unit/base/check_test.cc:"));
    EXPECT_THAT(broken.what(), ::testing::HasSubstr("1 + 1 == 3"));
  }
}

}  // namespace
}  // namespace muster
