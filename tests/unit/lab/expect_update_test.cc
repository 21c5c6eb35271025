// `muster test --update` changes the expectation and not one byte beside it.
#include "bindings/lab/scenario/expect_update.h"

#include <gtest/gtest.h>

#include <string>

namespace muster::lab {
namespace {

const Json& Value() {
  static const Json kValue =
      Json::parse(R"({"admitted": {"ns/a": {"clusterQueue": "cq"}}, "pending": {}})");
  return kValue;
}

/// Replaces the value of the first `expect` of `text`.
std::string Replaced(const std::string& text) {
  const std::size_t key = text.find("expect");
  const std::size_t line_start = key == 0 ? 0 : text.rfind('\n', key) + 1;
  int line = 1;
  for (std::size_t i = 0; i < line_start; ++i) line += text[i] == '\n' ? 1 : 0;
  return ReplaceExpectation(text, line, static_cast<int>(key - line_start) + 1, Value());
}

TEST(ReplaceExpectation, BlockUnderTheKey) {
  EXPECT_EQ(Replaced("steps:\n"
                     "- cycle: 1      # first\n"
                     "  expect:       # what we want\n"
                     "      admitted: {}\n"
                     "\n"
                     "      # a word about it\n"
                     "      pending:\n"
                     "        ns/a: {parked: true}\n"
                     "\n"
                     "# second\n"
                     "- cycle: 2\n"),
            "steps:\n"
            "- cycle: 1      # first\n"
            "  expect:       # what we want\n"
            "      admitted:\n"
            "        ns/a: {clusterQueue: cq}\n"
            "      pending: {}\n"
            "\n"
            "# second\n"
            "- cycle: 2\n");
}

TEST(ReplaceExpectation, BlockAtTheEndOfTheFile) {
  EXPECT_EQ(Replaced("- expect:\n    pending: {}\n  cycle: 1\n"),
            "- expect:\n    admitted:\n      ns/a: {clusterQueue: cq}\n    pending: {}\n"
            "  cycle: 1\n");
  EXPECT_EQ(Replaced("- cycle: 1\n  expect:\n    pending: {}"),
            "- cycle: 1\n  expect:\n    admitted:\n      ns/a: {clusterQueue: cq}\n"
            "    pending: {}\n");
}

TEST(ReplaceExpectation, FlowInsideAStepOfOneLine) {
  EXPECT_EQ(Replaced("- {cycle: 1, expect: {pending: {\"ns/}\": null}, admitted: {}}}  # end\n"),
            "- {cycle: 1, expect: {admitted: {ns/a: {clusterQueue: cq}}, pending: {}}}  # end\n");
}

TEST(ReplaceExpectation, FlowOverSeveralLines) {
  EXPECT_EQ(Replaced("- cycle: 1\n"
                     "  expect: {admitted: {},   # a } in a comment\n"
                     "           pending: {'it''s': null}}\n"
                     "- cycle: 2\n"),
            "- cycle: 1\n"
            "  expect: {admitted: {ns/a: {clusterQueue: cq}}, pending: {}}\n"
            "- cycle: 2\n");
}

TEST(ReplaceExpectation, AFlowThatWouldBeTooLongBecomesABlock) {
  Json value;
  for (int i = 0; i < 9; ++i) value["pending"]["ns/w" + std::to_string(i)] = {{"parked", true}};
  const std::string text =
      ReplaceExpectation("- cycle: 1\n  expect: {}\n- cycle: 2\n", 2, 3, value);
  EXPECT_TRUE(
      text.starts_with("- cycle: 1\n  expect:\n    pending:\n      ns/w0: {parked: true}\n"))
      << text;
  EXPECT_TRUE(text.ends_with("      ns/w8: {parked: true}\n- cycle: 2\n")) << text;
}

TEST(ReplaceExpectation, APlaceWithoutTheKeyChangesNothing) {
  EXPECT_EQ(ReplaceExpectation("- cycle: 1\n", 1, 3, Value()), "- cycle: 1\n");
  EXPECT_EQ(ReplaceExpectation("- cycle: 1\n", 9, 1, Value()), "- cycle: 1\n");
}

TEST(NewExpectation, KeepsThePartsThatWereNamedAndDropsMessages) {
  const Json got = Json::parse(R"({"at": "t", "admitted": {"ns/a": {}}, "preempted": {},
      "pending": {"ns/b": {"parked": true, "message": "words"}}})");
  EXPECT_EQ(NewExpectation(Json::parse(R"({"pending": {}})"), got).dump(),
            R"({"pending":{"ns/b":{"parked":true}}})");
  EXPECT_EQ(NewExpectation(Json::object(), got).dump(),
            R"({"admitted":{"ns/a":{}},"preempted":{},"pending":{"ns/b":{"parked":true}}})");
}

}  // namespace
}  // namespace muster::lab
