// Bytes that are no manifest, and where they are.
#include "bindings/manifest/encoding.h"

#include <gtest/gtest.h>

namespace muster::manifest {
namespace {

using namespace std::string_view_literals;

TEST(Encoding, AcceptsUtf8) {
  EXPECT_FALSE(FindEncodingMistake("a: 1\r\n\tb"));
  EXPECT_FALSE(FindEncodingMistake("z\u00FCrich \u4E2D \U0001F680"));
  EXPECT_FALSE(FindEncodingMistake(""));
}

TEST(Encoding, FindsTheFirstBadByte) {
  EXPECT_EQ(FindEncodingMistake("ab\xE9"
                                "c")
                ->offset,
            2U);
  EXPECT_EQ(FindEncodingMistake("ab\0c"sv)->offset, 2U);
  EXPECT_EQ(FindEncodingMistake("a\x1B")->offset, 1U);
  EXPECT_EQ(FindEncodingMistake("a\x7F")->offset, 1U);
}

TEST(Encoding, RefusesIllFormedSequences) {
  for (const std::string_view text :
       {"\x80"sv, "\xC0\xAF"sv, "\xE0\x9F\xBF"sv, "\xED\xA0\x80"sv, "\xF0\x8F\xBF\xBF"sv,
        "\xF4\x90\x80\x80"sv, "\xF5\x80\x80\x80"sv, "\xE2\x82"sv, "\xC3"sv}) {
    EXPECT_TRUE(FindEncodingMistake(text)) << text.size();
  }
}

TEST(Encoding, KnowsUtf16ByItsMark) {
  EXPECT_EQ(FindEncodingMistake("\xFF\xFE"
                                "a")
                ->what,
            "this text is UTF-16");
  EXPECT_EQ(FindEncodingMistake("\xFE\xFF")->what, "this text is UTF-16");
}

TEST(Encoding, TheByteOrderMarkOfUtf8IsNoText) {
  EXPECT_EQ(WithoutByteOrderMark("\xEF\xBB\xBF"
                                 "a"),
            "a");
  EXPECT_EQ(WithoutByteOrderMark("a"), "a");
}

TEST(Encoding, PositionsCountCharacters) {
  const std::string_view text = "ab\nz\u00FCrich";
  const Position at = PositionOf(text, text.find("rich"));
  EXPECT_EQ(at.line, 2);
  EXPECT_EQ(at.column, 3);
  EXPECT_EQ(PositionOf(text, 0).column, 1);
}

}  // namespace
}  // namespace muster::manifest
