// Columns line up whatever stands in them.
#include "bindings/cli/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace muster::cli {
namespace {

using ::testing::ElementsAre;

std::string Printed(const Table& table, std::string_view indent = "") {
  std::ostringstream out;
  table.Print(out, Paint(), indent);
  return out.str();
}

TEST(Table, ColumnsAreAsWideAsTheirWidestCell) {
  Table table({"NAME", "COHORT"});
  table.Add({"a", "research"});
  table.Add({"team-a-cq", "x"});
  EXPECT_EQ(Printed(table),
            "NAME        COHORT\n"
            "a           research\n"
            "team-a-cq   x\n");
}

TEST(Table, NumbersStandRight) {
  Table table({"NAME", ">PENDING", "ACTIVE"});
  table.Add({"a", "7", "yes"});
  table.Add({"b", "12345678", "no"});
  EXPECT_EQ(Printed(table),
            "NAME    PENDING   ACTIVE\n"
            "a             7   yes\n"
            "b      12345678   no\n");
}

TEST(Table, EmptyCellsShowADash) {
  Table table({"A", "B"});
  table.Add({"", ""});
  EXPECT_EQ(Printed(table, "  "), "  A   B\n  -   -\n");
}

TEST(Table, WidthCountsCharactersNotBytes) {
  Table table({"A", "B"});
  table.Add({"\xC3\xA9t\xC3\xA9", "x"});
  table.Add({"sun", "y"});
  EXPECT_EQ(Printed(table), "A     B\n\xC3\xA9t\xC3\xA9   x\nsun   y\n");
}

// Names, messages and descriptions are what any caller wrote.
TEST(Table, CellsDoNotCommandTheTerminal) {
  Table table({"A\x1b[1m", "B"});
  table.Add({"a\x1b]0;title\x07", "one\ntwo\r\t\x7f"});
  table.Add(
      {"\xC2\x9B"  // CSI in one character
       "31m",
       "\xE2\x80\xAEtxt.exe\xE2\x81\xA6\xE2\x80\xA8\xD8\x9C"});
  table.Add({"\xE2\x80\x9Cquoted\xE2\x80\x9D \xD8\xA7 \xC2\xA0", "\xE2\x80"});
  EXPECT_EQ(Printed(table),
            "A [1m          B\n"
            "a ]0;title     one two   \n"
            " 31m            txt.exe   \n"
            "\xE2\x80\x9Cquoted\xE2\x80\x9D \xD8\xA7 \xC2\xA0   \xE2\x80\n");
}

TEST(Table, ColourDoesNotShiftColumns) {
  Table table({"STATE", "NAME"});
  table.Add({{"ok", Tone::kGood}, "a"});
  std::ostringstream out;
  table.Print(out, Paint(true));
  EXPECT_EQ(out.str(),
            "\033[1mSTATE\033[0m   \033[1mNAME\033[0m\n"
            "\033[32mok\033[0m      a\n");
}

TEST(Wrap, BreaksAtBlanksAndKeepsLongWords) {
  EXPECT_THAT(Wrap("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(Wrap("incomprehensible x", 5), ElementsAre("incomprehensible", "x"));
  EXPECT_THAT(Wrap("", 5), ElementsAre());
}

}  // namespace
}  // namespace muster::cli
