// Texts of users in pages and in JUnit's XML.
#include <gtest/gtest.h>

#include "bindings/report/svg.h"

namespace muster::simulate {
namespace {

TEST(Escaped, StandsBetweenTagsAndInAttributes) {
  EXPECT_EQ(Escaped("<a href=\"x\">&</a>"), "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;");
  EXPECT_EQ(Escaped("caf\xC3\xA9\nnext"), "caf\xC3\xA9\nnext");
}

TEST(Escaped, WhatXmlHasNoCharacterForIsReplaced) {
  EXPECT_EQ(Escaped("a\x01z"), "a z");
  EXPECT_EQ(Escaped("a\xFFz"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(Escaped("\xEF\xBF\xBE"), "\xEF\xBF\xBD");
  EXPECT_EQ(Escaped("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace muster::simulate
