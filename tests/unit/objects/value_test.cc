// Plain values: paths, patches and what changed.
#include "bindings/objects/value.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "bindings/objects/json_text.h"
#include "tests/unit/objects/json.h"

namespace muster::objects {
namespace {

TEST(Value, APathLeadsThroughMapsAndLists) {
  const Value value = Json(R"({"a": [{"b": 1}, {"b": 2}]})");
  EXPECT_EQ(value.At({"a", "1", "b"}).Int(), 2);
  EXPECT_TRUE(value.At({"a", "2", "b"}).IsNull());
  EXPECT_TRUE(value.At({"a", "x"}).IsNull());
}

TEST(Value, EqualityMindsNoOrderOfEntriesAndNoNulls) {
  EXPECT_EQ(Json(R"({"a": 1, "b": 2})"), Json(R"({"b": 2, "a": 1, "c": null})"));
  EXPECT_FALSE(Json("[1, 2]") == Json("[2, 1]"));
  EXPECT_FALSE(Json(R"("1")") == Json("1"));
}

TEST(Value, APatchMergesMapsReplacesListsAndRemovesByNull) {
  Value value = Json(R"({"a": {"x": 1, "y": 2}, "l": [1, 2]})");
  MergePatch(value, Json(R"({"a": {"x": null, "z": 3}, "l": [4]})"));
  EXPECT_EQ(value, Json(R"({"a": {"y": 2, "z": 3}, "l": [4]})"));
}

TEST(Value, ChangesAreLeavesAndWholeListsOfAnotherLength) {
  const auto changes = Changes(Json(R"({"a/b": {"x": 1}, "l": [1], "same": 1})"),
                               Json(R"({"a/b": {"x": 2, "y": {"z": 1}}, "l": [1, 2], "same": 1})"));
  ASSERT_EQ(changes.size(), 3U);
  EXPECT_EQ(changes[0].pointer, "/a~1b/x");
  EXPECT_EQ(changes[1].pointer, "/a~1b/y/z");
  EXPECT_EQ(changes[2].pointer, "/l");
  EXPECT_EQ(ToJson(changes[2].value), "[1,2]");
}

TEST(Value, NumbersAreWholeOrNone) {
  EXPECT_EQ(WholeNumber("42"), 42);
  EXPECT_EQ(WholeNumber("+1"), 1);
  for (const char* text : {"", "1.0", "1e3", "x", "9223372036854775808"}) {
    EXPECT_EQ(WholeNumber(text), std::nullopt) << text;
  }
  EXPECT_EQ(TruthValue("T"), true);
  EXPECT_EQ(TruthValue("yes"), std::nullopt);
}

TEST(JsonText, WhatIsNoJsonIsNone) {
  for (const char* text : {"", "{", "[1,]", "{\"a\"}", "tru", "1 2", "{a: 1}"}) {
    EXPECT_FALSE(ReadJson(text).has_value()) << text;
  }
  std::string deep(1000, '[');
  EXPECT_FALSE(ReadJson(deep).has_value());
}

TEST(JsonText, SurrogatesAreOneCharacterTogetherAndNoneAlone) {
  EXPECT_EQ(ReadJson(R"("\ud83d\ude00!")")->text, "\xF0\x9F\x98\x80!");
  EXPECT_EQ(ReadJson(R"("\u20ac")")->text, "\xE2\x82\xAC");
  for (const char* alone : {R"("\ud83d")", R"("\ude00")"}) {
    EXPECT_EQ(ReadJson(alone)->text, "\xEF\xBF\xBD") << alone;
  }
  EXPECT_EQ(ReadJson(R"("\ud83d\u0041")")->text, "\xEF\xBF\xBD" "A");
  EXPECT_FALSE(ReadJson(R"("\ud83")").has_value());
}

}  // namespace
}  // namespace muster::objects
