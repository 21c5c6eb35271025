// What is a character of UTF-8 and what is none.
#include "engine/base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace muster {
namespace {

TEST(Utf8, CharactersAreOneToFourBytes) {
  EXPECT_EQ(CharacterBytes("a"), 1u);
  EXPECT_EQ(CharacterBytes("\xC3\xA9x"), 2u);
  EXPECT_EQ(CharacterBytes("\xE2\x82\xAC"), 3u);
  EXPECT_EQ(CharacterBytes("\xF0\x9F\x98\x80"), 4u);
  EXPECT_EQ(CharacterBytes(""), 0u);
  EXPECT_EQ(CharacterBytes(std::string_view("\0", 1)), 1u);
}

TEST(Utf8, OverlongFormsSurrogatesAndRestsAreNone) {
  for (const std::string text :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC3", "\xC3x", "\xE0\x80\x80", "\xE0\x9F\xBF",
        "\xED\xA0\x80", "\xE2\x82", "\xE2x\xAC", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80", "\xF0\x9F\x98", "\xFF"}) {
    EXPECT_EQ(CharacterBytes(text), 0u) << ::testing::PrintToString(text);
    EXPECT_FALSE(IsUtf8("a" + text)) << ::testing::PrintToString(text);
  }
  EXPECT_TRUE(IsUtf8("a\xC3\xA9\xED\x9F\xBF\xF4\x8F\xBF\xBF"));
}

}  // namespace
}  // namespace muster
