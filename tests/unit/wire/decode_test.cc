// What is no command: where, what is wrong, and what to write instead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "bindings/wire/wire.h"

namespace muster::wire {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// Why `json` is no list of commands; empty when it is one.
std::string Why(std::string_view json) {
  const Result<std::vector<Command>> commands = CommandsFromJson(json);
  const StatusCode expected = commands.ok() ? StatusCode::kOk : StatusCode::kInvalidArgument;
  EXPECT_EQ(commands.status().code(), expected);
  return commands.status().message();
}

std::string OfUpdate(std::string_view fields) {
  return R"({"command":"update","workload":{"name":"x"})" + std::string(fields) + "}";
}

TEST(WireDecode, ReadsOneCommandOrAList) {
  const auto one = CommandsFromJson(R"({"command": "cycle"})");
  ASSERT_TRUE(one.ok()) << one.status().message();
  EXPECT_THAT(*one, ElementsAre(Command(command::Cycle{})));
  const auto two = CommandsFromJson(R"( [{"command":"advance"}, {"command":"cycle"}] )");
  ASSERT_TRUE(two.ok()) << two.status().message();
  EXPECT_THAT(*two, ElementsAre(Command(command::Advance{}), Command(command::Cycle{})));
  const auto none = CommandsFromJson("[]");
  ASSERT_TRUE(none.ok());
  EXPECT_THAT(*none, SizeIs(0));
}

TEST(WireDecode, FieldsMayComeInAnyOrder) {
  const auto command = CommandFromJson(
      R"({"failed":true,"workloads":[{"name":"b","namespace":"a"}],"command":"finish"})");
  ASSERT_TRUE(command.ok()) << command.status().message();
  EXPECT_EQ(*command, Command(command::Finish{{{"a", "b"}}, true}));
}

TEST(WireDecode, QuantitiesMayBeNumbers) {
  const auto command = CommandFromJson(
      R"({"command":"apply","objects":[{"kind":"RuntimeClass","name":"r","overhead":{"cpu":0.5}}]})");
  ASSERT_TRUE(command.ok()) << command.status().message();
  const RuntimeClass expected = {"r", {{"cpu", Quantity::Milli(500)}}};
  EXPECT_EQ(*command, Command(command::Apply{{expected}}));
}

TEST(WireDecode, AnUnknownFieldIsToldWithTheNearestOne) {
  EXPECT_EQ(Why("{\"command\":\"finish\",\n \"workload\":[], \"workloads\":[]}"),
            "2:2: unknown field \"workload\"; write \"workloads\"");
  EXPECT_EQ(Why(R"({"command":"cycle","now":1})"),
            R"(1:20: unknown field "now"; there is no other field)");
  EXPECT_THAT(Why(OfUpdate(R"(,"reclaimable_pods":[])")), HasSubstr(R"(write "reclaimablePods")"));
}

TEST(WireDecode, AWrongTypeIsToldWithTheRightOne) {
  EXPECT_EQ(Why(R"([{"command":"finish","workloads":{}}])"),
            "1:34: [0].workloads: an object where a list belongs; write a list");
  EXPECT_THAT(Why(R"({"command":"finish","workloads":["a/b"]})"),
              EndsWith("workloads[0]: a text where an object belongs; write an object"));
  EXPECT_THAT(Why(OfUpdate(R"(,"priority":"7")")),
              EndsWith("priority: a text where a whole number belongs; write a whole number"));
  EXPECT_THAT(Why(OfUpdate(R"(,"active":0)")), HasSubstr("a number where a truth value belongs"));
  EXPECT_THAT(Why(OfUpdate(R"(,"priority":null)")),
              EndsWith("leave the field out for its default"));
  EXPECT_THAT(Why("7"), StartsWith("1:1: a number where an object belongs"));
}

TEST(WireDecode, AMissingFieldIsTold) {
  EXPECT_EQ(Why(R"({"command":"finish"})"), R"(1:1: field "workloads" is missing; write it)");
  EXPECT_THAT(Why(R"({"command":"cancel","workloads":[{"namespace":"a"}]})"),
              HasSubstr(R"(workloads[0]: field "name" is missing)"));
  EXPECT_THAT(Why("{}"), HasSubstr(R"(field "command" is missing; write one of "apply")"));
  EXPECT_THAT(Why(R"({"command":"apply","objects":[{"name":"x"}]})"),
              HasSubstr(R"(objects[0]: field "kind" is missing; write one of "ResourceFlavor")"));
}

TEST(WireDecode, ANumberOutOfRangeIsToldWithTheRange) {
  EXPECT_THAT(Why(OfUpdate(R"(,"priority":2147483648)")),
              EndsWith("priority: the number 2147483648 is out of range; write one from "
                       "-2147483648 to 2147483647"));
  EXPECT_EQ(Why(OfUpdate(R"(,"priority":-2147483648)")), "");
  EXPECT_THAT(Why(OfUpdate(R"(,"priority":1e3)")), HasSubstr("is not whole"));
  EXPECT_THAT(Why(OfUpdate(R"(,"priority":1.0)")), HasSubstr("is not whole"));
  EXPECT_THAT(Why(OfUpdate(R"(,"priority":123456789012345678901234567890)")),
              HasSubstr("is out of range"));
  EXPECT_THAT(Why(OfUpdate(R"(,"priority":1e999)")), HasSubstr("1:56: priority: number overflow"));
}

TEST(WireDecode, AnUnknownWordIsToldWithTheNearestOnes) {
  EXPECT_EQ(Why(R"({"command":"finnish","workloads":[]})"),
            R"(1:12: command: unknown word "finnish"; write "finish")");
  EXPECT_THAT(Why(R"({"command":"submit","workloads":[],"submission":"off"})"),
              EndsWith(R"(submission: unknown word "off"; write one of "ask" or "taken")"));
}

TEST(WireDecode, TimesDurationsAndQuantitiesSayHowTheyAreWritten) {
  EXPECT_THAT(
      Why(R"({"command":"submit","workloads":[{"key":{"name":"x"},"created":"yesterday"}]})"),
      HasSubstr(R"(workloads[0].created: "yesterday" is not a time; write it in RFC 3339)"));
  EXPECT_THAT(Why(R"({"command":"submit","workloads":[{"key":{"name":"x"},
                      "created":"9999-01-01T00:00:00Z"}]})"),
              HasSubstr("is not a time; write one from 1677-09-22 to 2262-04-11"));
  EXPECT_THAT(
      Why(R"({"command":"apply","objects":[{"kind":"Configuration","retainFinished":"5"}]})"),
      HasSubstr(R"("5" is not a duration; write it with units)"));
  EXPECT_THAT(
      Why(R"({"command":"apply","objects":[{"kind":"RuntimeClass","name":"r","overhead":{"cpu":"2 GB"}}]})"),
      HasSubstr(R"(objects[0].overhead.cpu: "2 GB" is not a quantity; write "2G")"));
}

TEST(WireDecode, AFieldThatStandsTwiceIsRefused) {
  EXPECT_EQ(Why("{\"command\":\"cycle\",\n\"command\":\"cycle\"}"),
            "2:1: command: the field stands there twice; keep one of the two");
  EXPECT_THAT(Why(OfUpdate(R"(,"counts":[{"podSet":"m","count":1,"podSet":"n"}])")),
              HasSubstr("counts[0].podSet: the field stands there twice"));
}

TEST(WireDecode, WhatIsNoJsonIsToldWithItsPlace) {
  EXPECT_THAT(Why(""), StartsWith("1:1: syntax error"));
  EXPECT_THAT(Why("{\"command\":\n cycle}"), StartsWith("2:2: command: syntax error"));
  EXPECT_THAT(Why(R"({"command":"cycle"} x)"), StartsWith("1:21: syntax error"));
  EXPECT_THAT(Why(R"({"command":"cycle"}{})"), HasSubstr("nothing behind it"));
  EXPECT_THAT(Why(R"({"command":"cycle",})"), StartsWith("1:20: syntax error"));
  EXPECT_THAT(Why("{\"command\":\"\xff\"}"), StartsWith("1:13: command: syntax error"));
  EXPECT_THAT(Why("{\"command\":\"a\nb\"}"), HasSubstr("control character"));
  EXPECT_THAT(Why(R"({"command":"\ud800"})"), HasSubstr("surrogate"));
  EXPECT_THAT(Why("// no\n[]"), StartsWith("1:1: syntax error"));
  EXPECT_THAT(Why("\xEF\xBB\xBF{}"), HasSubstr("byte order mark"));
  EXPECT_THAT(Why("[NaN]"), StartsWith("1:2: "));
}

TEST(WireDecode, ColumnsCountCharacters) {
  EXPECT_THAT(Why("{\"command\":\"evict\",\"workload\":{\"name\":\"\u00e4\u20ac\"},\"x\":1,"
                  "\"reason\":\"Why\"}"),
              StartsWith("1:45: unknown field"));
}

TEST(WireDecode, LimitsAreTold) {
  EXPECT_THAT(Why(std::string(100'000, '[')), HasSubstr("nested deeper than 32 levels"));
  EXPECT_THAT(Why(std::string(kMaxBytes + 1, ' ')), HasSubstr("split it into several"));
  const auto list = [](std::size_t count) {
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i) text += R"({"command":"advance"},)";
    text.back() = ']';
    return text;
  };
  EXPECT_EQ(Why(list(kMaxCommands)), "");
  EXPECT_EQ(Why(list(kMaxCommands + 1)),
            "1:1: a list of 10001; 10000 are the most; send it in parts");
  std::string values = "[";
  for (std::size_t i = 0; i <= kMaxValues; ++i) values += "1,";
  values.back() = ']';
  EXPECT_THAT(Why(values), HasSubstr("more than 4000000 values"));
}

TEST(WireDecode, AllMistakesAreTold) {
  std::vector<Mistake> mistakes;
  const auto commands = CommandsFromJson(
      "[{\"command\":\"cycl\"},\n {\"command\":\"finish\",\"workloads\":[1],\"x\":2}]", &mistakes);
  ASSERT_FALSE(commands.ok());
  ASSERT_THAT(mistakes, SizeIs(3));
  EXPECT_EQ(mistakes[0].path, "[0].command");
  EXPECT_EQ(mistakes[0].line, 1);
  EXPECT_EQ(mistakes[1].path, "[1].workloads[0]");
  EXPECT_EQ(mistakes[1].column, 35);
  EXPECT_EQ(mistakes[2].path, "[1]");
  EXPECT_EQ(mistakes[2].what, "unknown field \"x\"");
  EXPECT_THAT(commands.status().message(), EndsWith(" (and 2 more)"));
  EXPECT_THAT(commands.status().message(), StartsWith(mistakes[0].ToString()));
  (void)CommandsFromJson("[1" + std::string(50, ',') + "]", &mistakes);
  EXPECT_THAT(mistakes, SizeIs(1));
}

TEST(WireDecode, OfManyMistakesTheFirstAreTold) {
  std::string text = "[1";
  for (int i = 0; i < 99; ++i) text += ",1";
  std::vector<Mistake> mistakes;
  const auto commands = CommandsFromJson(text + "]", &mistakes);
  EXPECT_THAT(mistakes, SizeIs(kMaxMistakes));
  EXPECT_THAT(commands.status().message(), EndsWith(" (and many more)"));
}

TEST(WireDecode, AnAnswerIsReadAsStrictly) {
  EXPECT_EQ(AnswerFromJson(R"({"answer":"done"})").status().message(), "");
  EXPECT_EQ(AnswerFromJson(R"({"answer":"dome"})").status().message(),
            R"(1:11: answer: unknown word "dome"; write "done")");
  EXPECT_THAT(AnswerFromJson(R"({"answer":"cycle","cycle":1})").status().message(),
              HasSubstr(R"(field "admitted" is missing)"));
  EXPECT_THAT(AnswerFromJson(R"({"command":"cycle"})").status().message(),
              HasSubstr(R"(field "answer" is missing)"));
}

}  // namespace
}  // namespace muster::wire
