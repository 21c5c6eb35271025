// muster do: commands as JSON into a ledger, answers as JSON out of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bindings/wire/wire.h"
#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"

namespace muster::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kQueue = R"(
  {"command":"apply","objects":[
    {"kind":"ResourceFlavor","name":"default"},
    {"kind":"ClusterQueue","name":"cq","namespaceSelector":{},"resourceGroups":[
      {"coveredResources":["cpu"],"flavors":[
        {"name":"default","resources":[{"name":"cpu","nominal":10}]}]}]},
    {"kind":"LocalQueue","key":{"namespace":"lab","name":"jobs"},"clusterQueue":"cq"}]})";
constexpr const char* kJob = R"(
  {"command":"submit","workloads":[{"key":{"namespace":"lab","name":"train"},"queue":"jobs",
    "podSets":[{"name":"main","pods":{"containers":[{"name":"c","requests":{"cpu":"1"}}]}}]}]})";

std::string Finish(const std::string& name) {
  return R"({"command":"finish","workloads":[{"namespace":"lab","name":")" + name + "\"}]}";
}

class DoVerb : public ::testing::Test {
 protected:
  Said Do(const std::string& json) const {
    return RunCli({"do", "-f", "-", "--db", Db(), "--now", "2026-01-01T12:00:00Z", "--force"},
                  json);
  }
  std::string Db() const { return (directory_.path() / "cluster.ledger").string(); }
  std::string Jobs() const {
    const Said said = RunCli({"get", "workloads", "--db", Db()});
    EXPECT_EQ(said.code, kDone) << said.err;
    return said.out;
  }

  testing::TemporaryDirectory directory_;
};

std::vector<std::string> Lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST_F(DoVerb, AnswersEachCommandInALine) {
  const Said said = Do("[" + std::string(kQueue) + "," + kJob + R"(,{"command":"cycle"}])");
  EXPECT_EQ(said.code, kDone) << said.err;
  const std::vector<std::string> lines = Lines(said.out);
  ASSERT_EQ(lines.size(), 3u) << said.out;
  for (const std::string& line : lines) EXPECT_TRUE(wire::AnswerFromJson(line).ok()) << line;
  EXPECT_EQ(lines[1], R"({"answer":"applied","objects":["created"],"failures":[]})");
  const auto cycle = nlohmann::json::parse(lines[2]);
  EXPECT_EQ(cycle["admitted"][0]["workload"]["name"], "train");
  EXPECT_EQ(cycle["at"], "2026-01-01T12:00:00Z");
  EXPECT_EQ(RunCli({"ledger", "verify", Db(), "--replay"}).code, kDone);
}

TEST_F(DoVerb, AMistakeIsToldWithItsPlaceAndNothingIsDone) {
  ASSERT_EQ(Do(kQueue).code, kDone);
  const std::string file =
      directory_.Write("c.json", "[" + std::string(kJob) + ",\n{\"command\":\"cycel\"}]").string();
  const Said said = RunCli({"do", "-f", file, "--db", Db()});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err, HasSubstr(file + ":4:12: [1].command: unknown word \"cycel\"; "
                                         "write \"cycle\""));
  EXPECT_THAT(said.err, HasSubstr("nothing was done"));
  EXPECT_EQ(said.out, "");
  EXPECT_THAT(Jobs(), Not(HasSubstr("train")));
}

TEST_F(DoVerb, WhereOneIsRefusedThoseBeforeItHaveHappenedAndThoseBehindHaveNot) {
  ASSERT_EQ(Do(kQueue).code, kDone);
  const Said said =
      Do("[" + std::string(kJob) + "," + Finish("other") + "," + Finish("train") + "]");
  EXPECT_EQ(said.code, kNo);
  EXPECT_EQ(Lines(said.out).size(), 1u);
  EXPECT_THAT(said.err, AllOf(StartsWith("muster: command [1] (finish) in line 3 was refused, "
                                         "those before it have happened: "),
                              HasSubstr("lab/other")));
  EXPECT_THAT(Jobs(), AllOf(HasSubstr("train"), Not(HasSubstr("Finished"))));
}

TEST_F(DoVerb, EveryProblemOfARefusedCommandIsTold) {
  const Said said =
      Do(R"({"command":"apply","objects":[{"kind":"LocalQueue","key":{"namespace":"a","name":"b"},)"
         R"("clusterQueue":"none"},{"kind":"Namespace","name":"Not A Name"}]})");
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err,
              AllOf(HasSubstr("stdin:1:102: objects[0].clusterQueue: there is no ClusterQueue"),
                    HasSubstr("objects[1].name: ")));
  EXPECT_THAT(said.err, HasSubstr("muster: 2 errors; command apply was refused\n"));
}

TEST_F(DoVerb, ARefusedFirstCommandLeavesNoLedger) {
  const Said said = Do(R"([{"command":"apply","objects":[{"kind":"LocalQueue",)"
                       R"("key":{"namespace":"a","name":"b"},"clusterQueue":"none"}]}])");
  EXPECT_EQ(said.code, kNo);
  EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
}

TEST_F(DoVerb, MoreMistakesThanAreToldAreSpokenOf) {
  const auto said = [this](int count) {
    std::string list = "[";
    for (int i = 0; i < count; ++i) list += std::string(i == 0 ? "" : ",") + R"({"command":"x"})";
    return Do(list + "]").err;
  };
  EXPECT_THAT(said(30), HasSubstr("20 errors; there are more; nothing was done"));
  EXPECT_THAT(said(20), HasSubstr("20 errors; nothing was done"));
}

TEST_F(DoVerb, WhatWouldChangeNothingIsRefused) {
  ASSERT_EQ(Do("[" + std::string(kQueue) + "," + kJob + R"(,{"command":"cycle"}])").code, kDone);
  const std::string train = R"("workload":{"namespace":"lab","name":"train"})";
  const std::string hash(64, 'a');
  for (const auto& [command, why] : std::vector<std::pair<std::string, std::string>>{
           {R"("evict",)" + train + R"(,"reason":"two words")",
            "reason takes one word such as NodeMaintenance, not \"two words\""},
           {R"("note-staged","package":"x","hash":"zz")",
            "hash takes the 64 hexadecimal digits of a package, not \"zz\""},
           {R"("roll-back-policy","package":"x","before":[])",
            "no policy package \"x\" is active; none is"},
           {R"("delete","kind":"Configuration","key":{"name":"default"})",
            "there is no Configuration: the defaults count already"},
           {R"("delete","kind":"EngineConfiguration","key":{"name":"default"})",
            "there is no EngineConfiguration: the defaults count already"}}) {
    const Said said = Do("{\"command\":" + command + "}");
    EXPECT_EQ(said.code, kNo) << command;
    EXPECT_EQ(said.out, "") << command;
    EXPECT_THAT(said.err, HasSubstr(why));
  }
  EXPECT_EQ(Do(R"({"command":"note-staged","package":"x","hash":")" + hash + "\"}").code, kDone);
  EXPECT_EQ(Do(R"({"command":"evict",)" + train + R"(,"reason":"NodeMaintenance"})").code, kDone);
  EXPECT_EQ(RunCli({"delete", "configuration", "default", "--db", Db()}).code, kNo);
}

TEST_F(DoVerb, WhatIsSaidTwiceIsDoneOnceOrRefused) {
  ASSERT_EQ(Do(kQueue).code, kDone);
  const std::string jobs = R"("workloads":[{"namespace":"lab","name":"train"}]})";
  const std::string evict =
      R"({"command":"evict","workload":{"namespace":"lab","name":"train"},"reason":"Maintenance"})";
  const auto twice = [this](const std::string& command) {
    EXPECT_EQ(Do(command).code, kDone) << command;
    return Do(command).code;
  };
  EXPECT_EQ(twice(kJob), kDone);
  EXPECT_EQ(Do(R"({"command":"cycle"})").code, kDone);
  EXPECT_EQ(twice(R"({"command":"ready",)" + jobs), kDone);
  EXPECT_EQ(twice(evict), kDone);
  EXPECT_EQ(twice(R"({"command":"evicted",)" + jobs), kNo);
  EXPECT_EQ(twice(R"({"command":"finish",)" + jobs), kDone);
  EXPECT_EQ(twice(R"({"command":"cancel",)" + jobs), kNo);
  EXPECT_EQ(
      twice(R"({"command":"delete","kind":"LocalQueue","key":{"namespace":"lab","name":"jobs"}})"),
      kNo);
}

TEST_F(DoVerb, APackageThatTheLedgerHasIsActivatedByItsHash) {
  ASSERT_EQ(Do(kQueue).code, kDone);
  const std::string hash(64, 'a');
  const Said said = Do(R"({"command":"activate-policy","hash":")" + hash + "\"}");
  EXPECT_EQ(said.code, kNo) << said.err;
  EXPECT_THAT(said.err, HasSubstr("command activate-policy was refused: the ledger has no policy"));
  const std::string folder = (testing::SourceDir() / "policies" / "small-first").string();
  const std::vector<std::string> now = {"--db", Db(), "--now", "2026-01-01T12:00:00Z"};
  std::vector<std::string> activate = {"policy", "activate", folder};
  activate.insert(activate.end(), now.begin(), now.end());
  const Said activated = RunCli(activate);
  ASSERT_EQ(activated.code, kDone) << activated.err;
  const Said found = RunCli({"ledger", "query", Db(), "SELECT hash FROM policy", "-o", "json"});
  ASSERT_EQ(found.code, kDone) << found.err;
  const std::string stored = nlohmann::json::parse(found.out)[0]["hash"];
  const Said again = Do(R"({"command":"activate-policy","hash":")" + stored + "\"}");
  EXPECT_EQ(again.code, kDone) << again.err;
  EXPECT_EQ(again.out, "{\"answer\":\"activated\",\"stopped\":[]}\n");
}

TEST_F(DoVerb, OnlyAnApplyBeginsALedger) {
  EXPECT_EQ(Do(R"({"command":"cycle"})").code, kWrongUse);
  EXPECT_EQ(Do(kQueue).code, kDone);
  EXPECT_EQ(Do(R"({"command":"cycle"})").code, kDone);
}

TEST_F(DoVerb, PrintsTheSchemaWithoutALedger) {
  const Said said = RunCli({"do", "--schema"});
  EXPECT_EQ(said.code, kDone) << said.err;
  EXPECT_EQ(said.out, wire::Schema());
  EXPECT_EQ(RunCli({"do", "--db", Db()}).code, kWrongUse);
  EXPECT_EQ(RunCli({"do", "--schema", "-f", "x"}).code, kWrongUse);
  const Said unread = RunCli({"do", "-f", "no-such-file.json", "--db", Db()});
  EXPECT_EQ(unread.code, kWrongUse);
  EXPECT_THAT(unread.err, HasSubstr("no-such-file.json"));
}

}  // namespace
}  // namespace muster::cli
