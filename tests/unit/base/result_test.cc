// What a Result says when it has no value.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "muster/status.h"

namespace muster {
namespace {

using ::testing::HasSubstr;

template <typename Take>
std::string WhatItThrows(const Take& take) {
  try {
    take();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Result, TakingTheValueOfAFailureSaysWhatFailed) {
  const Result<std::string> failed = Status(StatusCode::kNotFound, "there is no such job");
  EXPECT_THAT(WhatItThrows([&] { (void)*failed; }), HasSubstr("there is no such job"));
  EXPECT_THAT(WhatItThrows([&] { (void)failed->size(); }), HasSubstr("there is no such job"));
  Result<std::string> changeable = failed;
  EXPECT_THAT(WhatItThrows([&] { *changeable += "x"; }), HasSubstr("there is no such job"));
  EXPECT_THAT(WhatItThrows([&] { changeable->clear(); }), HasSubstr("there is no such job"));
  EXPECT_THAT(WhatItThrows([&] { (void)*std::move(changeable); }), HasSubstr("no such job"));
}

TEST(Result, AnErrorThatIsNoneIsSaidToo) {
  const Result<int> nothing = Status::Ok();
  EXPECT_FALSE(nothing.ok());
  EXPECT_THAT(WhatItThrows([&] { (void)*nothing; }), HasSubstr("no error either"));
}

TEST(Result, AValueIsThere) {
  Result<std::string> value = std::string("a");
  *value += "b";
  EXPECT_EQ(*value, "ab");
  EXPECT_EQ(value->size(), 2U);
  EXPECT_EQ(*std::move(value), "ab");
}

}  // namespace
}  // namespace muster
