// Parameters that are dates, lists and maps: what a binding writes, what a hook sees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bindings/luajit/spec_runner.h"
#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

PackageSource With(const std::string& spec, const std::string& body) {
  return SourceOf("return { api = 1, name = 'x', params = { p = " + spec +
                  " },\nqueue_order = function(w, c) local p = c.params.p " + body + " end }");
}

/// What queue_order says of one job; the error where it fails.
std::string Says(const std::string& spec, const std::string& body, const ParamTexts& params = {}) {
  PolicyBatch batch(1);
  std::vector<double> keys;
  const HookOutcome outcome = Order(With(spec, body), batch, &keys, {}, params);
  if (!outcome.ok) return outcome.message;
  std::string text;
  for (const double key : keys) {
    text += (text.empty() ? "" : " ") + std::to_string(static_cast<std::int64_t>(key));
  }
  return text;
}

const char* const kDate = "{ type = 'date', default = '2026-01-01' }";
const char* const kNumbers = "{ type = 'list', of = 'number', default = {}, min = 0, max = 9 }";
const char* const kTickets = "{ type = 'map', of = 'integer', default = { a = 3, b = 1 } }";

TEST(Parameter, ADateIsSecondsSinceTheEpoch) {
  EXPECT_EQ(Says(kDate, "return p"), "1767225600");
  for (const auto& [text, seconds] :
       std::map<std::string, std::string>{{"1970-01-01", "0"},
                                          {"2000-02-29", "951782400"},
                                          {"2026-12-01", "1796083200"},
                                          {"2026-12-01T08:00Z", "1796112000"},
                                          {"2026-12-01T08:00:30Z", "1796112030"},
                                          {"2026-12-01T09:00:00+01:00", "1796112000"},
                                          {"2026-12-01 04:30:00-0330", "1796112000"}}) {
    EXPECT_EQ(Says(kDate, "return p", {{"p", text}}), seconds) << text;
  }
}

TEST(Parameter, WhatIsNoDateIsRefused) {
  for (const char* text : {"", "2026", "2026-13-01", "2026-02-29", "2026-00-10", "2026-01-32",
                           "1969-12-31", "2026-12-01T08:00", "2026-12-01T24:00Z", "tomorrow",
                           "2026-12-01T08:00:00 Zurich", "2026-12-01T08:61Z"}) {
    EXPECT_THAT(Says(kDate, "return p", {{"p", text}}),
                HasSubstr("of parameter p is not of type date; write a date such as"))
        << text;
  }
  EXPECT_THAT(Says("{ type = 'date', default = '2026-01-01', max = '2026-06-01' }", "return p",
                   {{"p", "2026-06-02"}}),
              HasSubstr("is above its max 2026-06-01"));
}

TEST(Parameter, AListIsReadByPlace) {
  const std::string all = "local s = #p for i, x in ipairs(p) do s = s * 10 + x end return s";
  EXPECT_EQ(Says(kNumbers, all), "0");
  EXPECT_EQ(Says(kNumbers, all, {{"p", "[\"1\",\"2\",\"3\"]"}}), "3123");
  EXPECT_EQ(Says(kNumbers, all, {{"p", " [ 1 , 2 ] "}}), "212");
  EXPECT_EQ(Says(kNumbers, all, {{"p", "[]"}}), "0");
  EXPECT_EQ(Says("{ type = 'list', of = 'duration', default = { '1h', '90s' } }",
                 "return p[1], p[2], p[3] == nil and 7 or 8"),
            "3600 90 7");
  EXPECT_EQ(Says("{ type = 'list', of = 'string', default = { 'x' } }",
                 "return #p, p[1] == 'a\"\\n\\195\\164' and 1 or 0", {{"p", R"(["a\"\n\u00e4"])"}}),
            "1 1");
}

TEST(Parameter, AMapIsReadByNameAndWalkedInOrder) {
  EXPECT_EQ(Says(kTickets, "return p.a, p.b, p.c or 7"), "3 1 7");
  EXPECT_EQ(Says(kTickets, "return p[w.namespace] or 5"), "5");
  const std::string walk =
      "local s, n = '', 0 for k, v in pairs(p) do s, n = s .. k, n * 10 + v end "
      "return n, s == 'abcz' and 1 or 0";
  EXPECT_EQ(Says(kTickets, walk, {{"p", R"({"z":"4","c":"3","a":"1","b":"2"})"}}), "1234 1");
}

TEST(Parameter, ElementsAreCheckedOneByOne) {
  const auto says = [](const char* spec, const std::string& text) {
    return Says(spec, "return p and 1", {{"p", text}});
  };
  EXPECT_THAT(says(kNumbers, "[1,\"x\"]"),
              HasSubstr("element 2 of value '[1,\"x\"]' of parameter p is not of type number; "
                        "write a number such as 0.5"));
  EXPECT_THAT(says(kNumbers, "[1,10]"), HasSubstr("is above its max 9"));
  EXPECT_THAT(says(kNumbers, "3"), HasSubstr("value '3' of parameter p is not a list"));
  EXPECT_THAT(says(kNumbers, "[1,"), HasSubstr("is not a list"));
  EXPECT_THAT(says(kNumbers, "[1] 2"), HasSubstr("is not a list"));
  EXPECT_THAT(says(kNumbers, "[[1]]"), HasSubstr("is not a list"));
  EXPECT_THAT(
      says(kTickets, "{\"a\":\"1.5\"}"),
      HasSubstr("key 'a' of value '{\"a\":\"1.5\"}' of parameter p is not of type integer"));
  EXPECT_THAT(says(kTickets, "[1]"), HasSubstr("is not a map; write a map such as {a: 3, b: 1}"));
  EXPECT_THAT(says(kTickets, "{\"a\":1,\"a\":2}"), HasSubstr("has the key 'a' twice"));
  std::string many = "[0";
  for (int i = 0; i < 256; ++i) many += ",0";
  EXPECT_THAT(says(kNumbers, many + "]"), HasSubstr("has more than 256 elements; write fewer"));
}

TEST(Parameter, DeclarationsAreCheckedToo) {
  const auto says = [](const std::string& spec) { return Says(spec, "return p and 1"); };
  EXPECT_THAT(says("{ type = 'list', default = {} }"),
              HasSubstr("a list needs the type of its elements; write of = \"string\""));
  EXPECT_THAT(says("{ type = 'map', of = 'nmber', default = {} }"),
              HasSubstr("a map cannot be of 'nmber'; did you mean 'number'?"));
  EXPECT_THAT(says("{ type = 'number', of = 'string', default = 1 }"),
              HasSubstr("only a list or map has of"));
  EXPECT_THAT(says("{ type = 'list', of = 'string', default = {}, min = 1 }"),
              HasSubstr("a list of string has no min"));
  EXPECT_THAT(says("{ type = 'list', of = 'number', default = { 1, 'x' } }"),
              HasSubstr("element 2 of default is not of type number"));
  EXPECT_THAT(says("{ type = 'list', of = 'number', default = { a = 1 } }"),
              HasSubstr("default is not a list"));
  EXPECT_THAT(says("{ type = 'map', of = 'number', default = { 1 } }"),
              HasSubstr("default is not a map from texts"));
}

TEST(Parameter, SpecsWriteThemAsTables) {
  PackageSource source = With(kTickets, "return p.a or 0, p.c or 0");
  source.files.push_back({"policy_spec.lua",
                          "it('a', function() local jobs = { fx.workload {} }\n"
                          "assert.same({ { 3, 0 } }, fx.policy():keys(jobs))\n"
                          "assert.same({ { 0, 7 } }, fx.policy { p = { c = 7 } }:keys(jobs))\n"
                          "assert.same({ { 0, 0 } }, fx.policy { p = {} }:keys(jobs))\n"
                          "assert.has_error(function() fx.policy { p = { c = 0.5 } } end) end)"});
  const SpecRun run = RunSpecs(source);
  ASSERT_EQ(run.cases.size(), 1U);
  EXPECT_EQ(run.cases[0].message, "");
}

TEST(Parameter, ListsAndMapsCannotBeChanged) {
  EXPECT_THAT(Says(kTickets, "p.a = 2 return 1"), HasSubstr("cannot be changed"));
  EXPECT_THAT(Says(kTickets, "local q = p q.a = 2 return 1"), HasSubstr("cannot be changed"));
  EXPECT_THAT(Says(kNumbers, "table.insert(p, 1) return 1"), HasSubstr("cannot be changed"));
  EXPECT_THAT(Says(kNumbers, "table.sort(p) return 1", {{"p", "[2,1]"}}),
              HasSubstr("cannot be changed"));
}

}  // namespace
}  // namespace muster::luajit::testing
