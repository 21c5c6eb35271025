// What the JSON of commands and answers looks like.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "bindings/wire/wire.h"
#include "tests/unit/model/sample_commands.h"
#include "tests/unit/wire/sample_answers.h"

namespace muster::wire {
namespace {

using ::testing::HasSubstr;

std::string Written(const Command& command) {
  const Result<std::string> json = ToJson(command);
  return json.ok() ? *json : json.status().message();
}

TEST(WireEncode, WhatHasItsDefaultIsLeftOut) {
  EXPECT_EQ(Written(command::Finish{{{"team-a", "train"}}}),
            R"({"command":"finish","workloads":[{"namespace":"team-a","name":"train"}]})");
  EXPECT_EQ(Written(command::Finish{{}, true}),
            R"({"command":"finish","workloads":[],"failed":true})");
  EXPECT_EQ(Written(command::Ready{{}, true}), R"({"command":"ready","workloads":[]})");
  EXPECT_EQ(Written(command::Cycle{}), R"({"command":"cycle"})");
}

TEST(WireEncode, AnObjectBeginsWithItsKind) {
  EXPECT_EQ(
      Written(command::Apply{{WorkloadPriorityClass{"high", 100, ""}, Namespace{"team-a", {}}}}),
      R"({"command":"apply","objects":[)"
      R"({"kind":"WorkloadPriorityClass","name":"high","value":100},)"
      R"({"kind":"Namespace","name":"team-a"}]})");
}

TEST(WireEncode, NamesAreInCamelCaseAndTimesAndDurationsAreText) {
  Workload job;
  job.key = {"a", "b"};
  job.created = 1'767'268'800'500'000'000;
  job.priority_class = "high";
  EXPECT_EQ(Written(command::Submit{{job}}),
            R"({"command":"submit","workloads":[{"key":{"namespace":"a","name":"b"},)"
            R"("created":"2026-01-01T12:00:00.5Z","priorityClass":"high"}]})");
  Configuration config;
  config.wait_for_pods_ready.emplace().timeout = 90 * kSecond;
  EXPECT_EQ(Written(command::Apply{{config}}),
            R"({"command":"apply","objects":[{"kind":"Configuration",)"
            R"("waitForPodsReady":{"timeout":"1m30s"}}]})");
}

TEST(WireEncode, AListThatIsEmptyAgainstItsDefaultIsWritten) {
  Configuration config;
  config.fair_sharing.emplace().preemption_strategies.clear();
  EXPECT_THAT(Written(command::Apply{{config}}), HasSubstr(R"({"preemptionStrategies":[]})"));
  config.fair_sharing.emplace();
  EXPECT_THAT(Written(command::Apply{{config}}), HasSubstr(R"("fairSharing":{})"));
}

TEST(WireEncode, NumbersKeepAllTheirDigits) {
  EXPECT_THAT(ToJson(SampleAnswers()[static_cast<std::size_t>(AnswerKind::kCycle)]), HasSubstr(R"("cycle":9007199254740993,)"));
}

TEST(WireEncode, AnswersShowEveryListAlsoAnEmptyOne) {
  CycleResult cycle;
  cycle.cycle = 3;
  EXPECT_EQ(ToJson(Answer(cycle)),
            R"({"answer":"cycle","cycle":3,"admitted":[],"preempted":[],"evicted":[],)"
            R"("policyFailures":[],"rolledBack":[],"atRest":false})");
  EXPECT_EQ(ToJson(Answer(answer::Done{})), R"({"answer":"done"})");
  EXPECT_EQ(ToJson(Answer(answer::Applied{{Applied::kCreated}, {}})),
            R"({"answer":"applied","objects":["created"],"failures":[]})");
}

TEST(WireEncode, ACommandThatJsonCannotSayIsRefusedWithItsPlace) {
  EXPECT_EQ(Written(command::Evict{{"a", "b"}, "\xff"}),
            "a command that is no JSON: reason: the text is not UTF-8; encode it, for example in "
            "base64");
  Workload job;
  job.labels["\xc3"] = "x";
  EXPECT_THAT(Written(command::Submit{{Workload(), job}}), HasSubstr("workloads[1].labels"));
  ClusterQueue queue;
  queue.fair_weight = std::numeric_limits<double>::infinity();
  EXPECT_THAT(Written(command::Apply{{queue}}), HasSubstr("objects[0].fairWeight: the number"));
  Configuration config;
  config.retain_finished = std::numeric_limits<DurationNs>::min();
  EXPECT_THAT(Written(command::Apply{{config}}), HasSubstr("retainFinished: the duration"));
}

TEST(WireEncode, AnAnswerIsToldWhateverAPolicySays) {
  answer::Applied applied;
  applied.failures = {{"p", "submit", "", "bad \xff byte"}};
  EXPECT_THAT(ToJson(Answer(applied)), HasSubstr("bad \xEF\xBF\xBD byte"));
}

}  // namespace
}  // namespace muster::wire
