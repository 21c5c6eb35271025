// Short names for what tests write often.
#ifndef MUSTER_TESTS_TESTING_SHORT_NAMES_H_
#define MUSTER_TESTS_TESTING_SHORT_NAMES_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "muster/object.h"
#include "muster/quantity.h"

namespace muster {

/// The quantity that `text`, which must be one, spells.
inline Quantity Q(const char* text) { return *Quantity::Parse(text); }

/// Names the tests of a suite whose parameter is the number of an object kind.
inline std::string NameOfKind(const ::testing::TestParamInfo<std::size_t>& info) {
  return std::string(KindName(static_cast<ObjectKind>(info.param)));
}

}  // namespace muster

#endif  // MUSTER_TESTS_TESTING_SHORT_NAMES_H_
