// Reports of the command that say which job of a name they are about.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/testing/command.h"
#include "tests/testing/paths.h"
#include "tests/unit/cli/sample.h"

namespace muster::testing {
namespace {

using ::testing::HasSubstr;

class ReportsByUid : public ::testing::Test {
 protected:
  std::string Db() const { return (directory_.path() / "cluster.ledger").string(); }
  std::string Jobs() const { return directory_.Write("jobs.yaml", cli::kRedJobs).string(); }
  CommandResult Try(std::vector<std::string> args) const {
    args.insert(args.end(), {"--db", Db()});
    return RunMuster(args);
  }
  std::string Do(const std::vector<std::string>& args) const {
    const CommandResult result = Try(args);
    EXPECT_EQ(result.exit_code, 0) << args.front() << ": " << result.err;
    return result.out;
  }
  /// Queues are there, `train` runs and `wait` waits.
  void Begin() const {
    Do({"apply", "-f", directory_.Write("queues.yaml", cli::kQueues).string()});
    Do({"submit", "-f", Jobs()});
    Do({"schedule", "--until-idle"});
  }

  TemporaryDirectory directory_;
};

TEST_F(ReportsByUid, AreAboutTheJobOfThatUid) {
  Begin();
  const auto uid = [this] {
    return nlohmann::json::parse(
               Do({"get", "wl", "job-train", "-n", "lab", "-o", "json"}))["metadata"]["uid"]
        .get<std::string>();
  };
  const std::string first = uid();
  Do({"cancel", "lab/job-train", "--uid", first});
  Do({"cancel", "lab/job-wait"});
  Do({"submit", "-f", Jobs()});
  Do({"schedule", "--until-idle"});
  const std::string second = uid();
  ASSERT_NE(first, second);
  for (const auto& words : {std::vector<std::string>{"finish", "lab/job-train"},
                            {"ready", "lab/job-train"},
                            {"cancel", "lab/job-train"},
                            {"evict", "lab/job-train", "--reason", "Word"},
                            {"evicted", "lab/job-train"},
                            {"update", "lab/job-train", "--priority", "9"},
                            {"check", "lab/job-train", "prov", "ready"}}) {
    std::vector<std::string> late = words;
    late.insert(late.end(), {"--uid", first});
    const CommandResult refused = Try(late);
    EXPECT_EQ(refused.exit_code, 2) << words.front();
    EXPECT_THAT(refused.err, HasSubstr("of uid " + first)) << words.front();
  }
  EXPECT_EQ(Try({"finish", "lab/job-train", "lab/job-wait", "--uid", second}).exit_code, 1);
  EXPECT_EQ(Do({"finish", "lab/job-train", "--uid", second}), "Workload lab/job-train finished\n");
  EXPECT_EQ(RunMuster({"ledger", "verify", Db(), "--replay"}).exit_code, 0);
}

TEST_F(ReportsByUid, AreAboutTheRunThatTheySay) {
  Begin();
  Do({"cancel", "lab/job-wait"});
  Do({"evict", "lab/job-train", "--reason", "Word", "--run", "1"});
  Do({"evicted", "lab/job-train", "--run", "1"});
  Do({"schedule", "--until-idle"});
  Do({"evict", "lab/job-train", "--reason", "Word", "--run", "2"});
  for (const auto& words : {std::vector<std::string>{"finish", "lab/job-train"},
                            {"ready", "lab/job-train"},
                            {"cancel", "lab/job-train"},
                            {"evict", "lab/job-train", "--reason", "Word"},
                            {"evicted", "lab/job-train"},
                            {"update", "lab/job-train", "--priority", "9"},
                            {"check", "lab/job-train", "prov", "ready"}}) {
    std::vector<std::string> late = words;
    late.insert(late.end(), {"--run", "1"});
    const CommandResult refused = Try(late);
    EXPECT_EQ(refused.exit_code, 2) << words.front();
    EXPECT_THAT(refused.err, HasSubstr("this is about run 1 of lab/job-train, and its newest is "
                                       "run 2"))
        << words.front();
    late.back() = "first";
    const CommandResult wrong = Try(late);
    EXPECT_EQ(wrong.exit_code, 1) << words.front();
    EXPECT_THAT(wrong.err, HasSubstr("--run takes the number of a run")) << words.front();
  }
  EXPECT_EQ(Try({"finish", "lab/job-train", "lab/other", "--run", "2"}).exit_code, 1);
  Do({"evicted", "lab/job-train", "--run", "2"});
  EXPECT_EQ(RunMuster({"ledger", "verify", Db(), "--replay"}).exit_code, 0);
}

}  // namespace
}  // namespace muster::testing
