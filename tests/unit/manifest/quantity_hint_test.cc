// What is proposed for a text that is no quantity.
#include "bindings/manifest/quantity_hint.h"

#include <gtest/gtest.h>

#include "muster/quantity.h"

namespace muster::manifest {
namespace {

TEST(QuantityHint, RepairsNumberAndUnit) {
  EXPECT_EQ(ProposeQuantity("10 Gi"), "10Gi");
  EXPECT_EQ(ProposeQuantity("10GB"), "10G");
  EXPECT_EQ(ProposeQuantity("10gib"), "10Gi");
  EXPECT_EQ(ProposeQuantity("1,5"), "1.5");
  EXPECT_EQ(ProposeQuantity("5 cores"), "5");
  EXPECT_EQ(ProposeQuantity("500mcpu"), "500m");
  EXPECT_EQ(ProposeQuantity("1_000"), "1000");
}

TEST(QuantityHint, IsSilentWhereNothingSuggestsItself) {
  for (const char* text : {"", "unlimited", "ten", "10 apples", "1.2.3", "Gi"}) {
    EXPECT_EQ(ProposeQuantity(text), "") << text;
  }
}

TEST(QuantityHint, ProposesQuantitiesOnly) {
  for (const char* text : {"10 Gi", "1,5", "10GB", "-3", "5 cpus", "1,2,3"}) {
    const std::string hint = ProposeQuantity(text);
    EXPECT_TRUE(hint.empty() || Quantity::Parse(hint)) << hint;
  }
}

}  // namespace
}  // namespace muster::manifest
