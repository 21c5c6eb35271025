// The free part of a template: whatever scalar stands in it, plain or quoted, the object as it may
// run has it as Kubernetes reads it, and the patch is silent about it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "bindings/manifest/start_objects.h"
#include "bindings/manifest/yaml_node.h"
#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/unit/manifest/spot_room.h"

namespace muster::manifest {
namespace {

/// A scalar, and what JSON it is.
struct Spelling {
  const char* plain;
  const char* json;
};
constexpr auto kSpellings = std::to_array<Spelling>({
    {".5", "0.5"},
    {"5.", "5"},
    {"-.5", "-0.5"},
    {"+.5e1", "0.5e1"},
    {"5.e3", "5e3"},
    {"+1", "1"},
    {"-1", "-1"},
    {"0", "0"},
    {"00", "0"},
    {"0x1F", "31"},
    {"0X1f", "31"},
    {"-0x10", "-16"},
    {"0o17", "15"},
    {"0O17", "15"},
    {"0b101", "5"},
    {"1_000", "1000"},
    {"1_0.5", "10.5"},
    {"0x_1F", "31"},
    {"010", "8"},
    {"-010", "-8"},
    {"09", "9"},
    {"018.5", "18.5"},
    {"1e3", "1e3"},
    {"1E+3", "1E+3"},
    {"0.50", "0.50"},
    {"1.0", "1.0"},
    {"12345678901234567890123", "12345678901234567890123"},
    {"0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"},
    {"~", "null"},
    {"null", "null"},
    {"yes", "true"},
    {"Off", "false"},
    {"2026-01-01", "\"2026-01-01\""},
    {"2026-01-01T12:00:00Z", "\"2026-01-01T12:00:00Z\""},
    {"12:30:45", "\"12:30:45\""},
    {"1.2.3", "\"1.2.3\""},
    {"_1", "\"_1\""},
    {"._5", "\"._5\""},
    {".5_0", "\".5_0\""},
    {"0x", "\"0x\""},
    {"0xZZ", "\"0xZZ\""},
    {"1e", "\"1e\""},
    {"1e999", "\"1e999\""},
    {"1e-999", "1e-999"},
    {"500m", "\"500m\""},
    {"1Gi", "\"1Gi\""},
    {"0b12", "\"0b12\""},
});

/// A JobSet with a free field whose items are `items`, as YAML.
std::string JobWith(const std::vector<std::string>& items) {
  std::string text =
      "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\n"
      "metadata: {name: js, uid: u, labels: {kueue.x-k8s.io/queue-name: q}}\n"
      "spec:\n  replicatedJobs:\n  - name: w\n    template: {spec: {template: {spec: {containers: "
      "[{name: c, resources: {requests: {cpu: 1}}}]}}}}\n  coordinator:\n    free:\n";
  for (const std::string& item : items) text += "    - " + item + "\n";
  return text;
}

/// What the object of `job` is when it may run, as its text, and its patch.
StartedObject Started(const std::string& job) {
  Engine engine;
  const std::vector<Source> sources = {{"room.yaml", std::string(kSpotRoom)}, {"job.yaml", job}};
  const Manifests read = Parse(sources);
  for (const Diagnostic& each : read.diagnostics) ADD_FAILURE() << each.ToString();
  EXPECT_TRUE(engine.Apply(read.objects, testing::kNoon).ok());
  EXPECT_TRUE(engine.RunCycle(testing::kNoon).ok());
  const auto started =
      StartObjects(engine, {"default", "jobset-js-3cafe"}, std::span(&sources[1], 1));
  EXPECT_TRUE(started.ok()) << started.status().message();
  return started.ok() ? started->at(0) : StartedObject();
}

/// The free items, each as its JSON.
std::vector<std::string> FreeItems(const StartedObject& started) {
  std::vector<std::string> out;
  for (const auto& item : started.object.At({"spec", "coordinator", "free"}).items) {
    out.push_back(objects::ToJson(item));
  }
  return out;
}

void ExpectSilent(const StartedObject& started) {
  const auto patch = nlohmann::json::parse(objects::ToJson(started.patch), nullptr, false);
  ASSERT_FALSE(patch.is_discarded()) << objects::ToJson(started.patch);
  EXPECT_FALSE(patch["spec"].contains("coordinator"));
  EXPECT_TRUE(nlohmann::json::accept(objects::ToJson(started.object)));
  EXPECT_TRUE(nlohmann::json::accept(objects::ToJsonLines(started.object)));
}

TEST(ScalarsKept, PlainOnesAreWhatKubernetesReads) {
  std::vector<std::string> items;
  std::vector<std::string> expected;
  for (const Spelling& each : kSpellings) {
    items.emplace_back(each.plain);
    expected.emplace_back(each.json);
  }
  const StartedObject started = Started(JobWith(items));
  EXPECT_EQ(FreeItems(started), expected);
  ExpectSilent(started);
}

TEST(ScalarsKept, QuotedOnesAreTheirText) {
  std::vector<std::string> items;
  std::vector<std::string> expected;
  for (const Spelling& each : kSpellings) {
    const std::string text(each.plain);
    const std::string quoted = "\"" + text + "\"";
    items.insert(items.end(), {quoted, "'" + text + "'", "!!str " + text});
    expected.insert(expected.end(), 3, quoted);
  }
  EXPECT_EQ(FreeItems(Started(JobWith(items))), expected);
}

/// Scalars of the letters that numbers have: 20 a job, half of them quoted.
TEST(ScalarsKept, WhateverStandsThereTheObjectIsJsonAndNumbersOfJsonStayAsTheyAre) {
  constexpr std::string_view kLetters = "0123456789..__++--eExXoObBf";
  std::mt19937 random(20261126);
  for (int round = 0; round < 40; ++round) {
    std::vector<std::string> items;
    for (int i = 0; i < 20; ++i) {
      std::string text(1, "0123456789.+-"[random() % 13]);
      for (std::size_t length = random() % 7; length > 0; --length) {
        text += kLetters[random() % kLetters.size()];
      }
      items.push_back(i % 2 == 0 || text == "-" ? "'" + text + "'" : text);
    }
    const std::string job = JobWith(items);
    const StartedObject started = Started(job);
    ExpectSilent(started);
    const std::vector<std::string> out = FreeItems(started);
    ASSERT_EQ(out.size(), items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string& in = items[i];
      const bool is_quoted = in.front() == '\'';
      const std::string text = is_quoted ? in.substr(1, in.size() - 2) : in;
      if (is_quoted) {
        EXPECT_EQ(out[i], "\"" + text + "\"");
      } else if (nlohmann::json::accept(text)) {
        EXPECT_EQ(out[i], text);
      } else if (out[i].front() == '"') {
        EXPECT_EQ(out[i], "\"" + text + "\"");
      } else {
        EXPECT_EQ(JsonNumber(out[i]), out[i]) << text << " is a number once and for all";
      }
    }
  }
}

TEST(ScalarsKept, ANumberThatJsonHasNotIsRefusedWhereItStands) {
  for (const std::string text : {".inf", "-.Inf", ".NAN"}) {
    const Source source{"job.yaml", JobWith({"1", text})};
    const Manifests read = Parse({&source, 1});
    ASSERT_EQ(read.diagnostics.size(), 1U) << text;
    EXPECT_THAT(read.diagnostics[0].ToString(),
                ::testing::AllOf(::testing::HasSubstr("job.yaml:11:7"), ::testing::HasSubstr(text),
                                 ::testing::HasSubstr("with quotes")));
  }
}

TEST(ScalarsKept, AQuantityIsReadInEveryNotation) {
  for (const auto& [written, quantity] :
       {std::pair{"010", "\"8\""}, {"0x10", "\"16\""}, {"+.5", "500m"}}) {
    const std::string job = std::string("apiVersion: batch/v1\nkind: Job\n") +
                            "metadata: {name: j, labels: {kueue.x-k8s.io/queue-name: q}}\n" +
                            "spec: {template: {spec: {containers: [{name: c, resources: " +
                            "{requests: {cpu: " + written + "}}}]}}}\n";
    const Source source{"job.yaml", job};
    const Manifests read = Parse({&source, 1});
    ASSERT_EQ(read.objects.size(), 1U) << written;
    EXPECT_THAT(ToYaml(read.objects[0]), ::testing::HasSubstr(std::string("cpu: ") + quantity));
  }
}

}  // namespace
}  // namespace muster::manifest
