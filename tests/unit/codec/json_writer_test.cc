// JSON text: separators, escapes, numbers; every string comes out as valid UTF-8.
#include "engine/codec/json_writer.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace muster {
namespace {

std::string Quoted(std::string_view text) {
  JsonWriter json;
  json.String(text);
  return json.Take();
}

TEST(JsonWriter, PutsCommasBetweenValuesOnly) {
  JsonWriter json;
  json.BeginObject();
  json.Field("a", std::int64_t{1}).Key("b").BeginArray().Int(1).Int(2).EndArray();
  json.Key("c").BeginObject().EndObject().Key("d").BeginArray().EndArray();
  json.Field("e", true).Field("f", "x").Key("g").Null().EndObject();
  EXPECT_EQ(json.text(), R"({"a":1,"b":[1,2],"c":{},"d":[],"e":true,"f":"x","g":null})");
}

TEST(JsonWriter, NestsArraysOfObjects) {
  JsonWriter json;
  json.BeginArray().BeginObject().Field("a", 1).EndObject().BeginObject().EndObject().EndArray();
  EXPECT_EQ(json.Take(), R"([{"a":1},{}])");
  EXPECT_EQ(json.text(), "");
}

TEST(JsonWriter, EscapesWhatJsonReserves) {
  EXPECT_EQ(Quoted("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(Quoted("\n\t\r"), R"("\n\t\r")");
  EXPECT_EQ(Quoted(std::string_view("\0\x1f", 2)), R"("\u0000\u001f")");
  EXPECT_EQ(Quoted("a/b"), R"("a/b")");
}

TEST(JsonWriter, EscapesKeysToo) {
  JsonWriter json;
  json.BeginObject().Field("a\"\n", "x").EndObject();
  EXPECT_EQ(json.Take(), R"({"a\"\n":"x"})");
}

TEST(JsonWriter, KeepsWellFormedUtf8) {
  for (const char* text : {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xED\x9F\xBF",
                           "\xEE\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(Quoted(text), "\"" + std::string(text) + "\"");
  }
}

TEST(JsonWriter, ReplacesWhatIsNotUtf8) {
  const std::string r = "\xEF\xBF\xBD";
  EXPECT_EQ(Quoted("\xFF"), "\"" + r + "\"");
  EXPECT_EQ(Quoted("a\xC3"), "\"a" + r + "\"");
  EXPECT_EQ(Quoted("\xC3 b"), "\"" + r + " b\"");
  EXPECT_EQ(Quoted("\xC0\x80"), "\"" + r + r + "\"") << "overlong";
  EXPECT_EQ(Quoted("\xE0\x80\x80"), "\"" + r + r + r + "\"") << "overlong";
  EXPECT_EQ(Quoted("\xED\xA0\x80"), "\"" + r + r + r + "\"") << "surrogate";
  EXPECT_EQ(Quoted("\xF4\x90\x80\x80"), "\"" + r + r + r + r + "\"") << "beyond the last character";
}

TEST(JsonWriter, NumbersReadBackExactly) {
  JsonWriter json;
  json.BeginArray();
  json.Int(std::numeric_limits<std::int64_t>::min()).Int(std::numeric_limits<std::int64_t>::max());
  json.Double(0.1).Double(1.0).Double(1e300).Double(-0.5).EndArray();
  EXPECT_EQ(json.Take(), "[-9223372036854775808,9223372036854775807,0.1,1,1e+300,-0.5]");
}

TEST(JsonWriter, WhatJsonCannotSayBecomesNull) {
  JsonWriter json;
  json.BeginArray().Double(std::numeric_limits<double>::infinity());
  json.Double(std::numeric_limits<double>::quiet_NaN()).EndArray();
  EXPECT_EQ(json.Take(), "[null,null]");
}

TEST(JsonWriter, RandomBytesNeverLeaveControlCharactersOrBareQuotes) {
  std::mt19937_64 random(20260104);
  for (int i = 0; i < 5'000; ++i) {
    std::string bytes;
    for (std::size_t n = random() % 20; n > 0; --n) bytes.push_back(static_cast<char>(random()));
    const std::string text = Quoted(bytes);
    bool escaped = false;
    for (std::size_t c = 1; c + 1 < text.size(); ++c) {
      ASSERT_GE(static_cast<unsigned char>(text[c]), 0x20) << "seed 20260104, round " << i;
      ASSERT_TRUE(text[c] != '"' || escaped) << "seed 20260104, round " << i;
      escaped = text[c] == '\\' && !escaped;
    }
    ASSERT_FALSE(escaped);
  }
}

}  // namespace
}  // namespace muster
