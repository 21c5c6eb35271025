// Decisions and cursors on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bindings/cli/json.h"
#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/cli/sample.h"

namespace muster::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ConsumersOnTheCommandLine : public ::testing::Test {
 protected:
  Said Try(std::vector<std::string> args, const std::string& input = "") const {
    args.insert(args.end(), {"--db", (directory_.path() / "cluster.ledger").string()});
    return RunCli(args, input);
  }
  std::string Do(const std::vector<std::string>& args, const std::string& input = "") const {
    const Said said = Try(args, input);
    EXPECT_EQ(said.code, kDone) << args.front() << ": " << said.err;
    return said.out;
  }
  void Begin() const {
    Do({"apply", "-f", "-", "--now", "2026-01-01T12:00:00Z"}, kQueues);
    EXPECT_EQ(Do({"consumer", "add", "gateway"}), "gateway has acknowledged 0 of 0\n");
    Do({"submit", "-f", "-"}, kRedJobs);
    Do({"schedule", "--until-idle"});
  }

  testing::TemporaryDirectory directory_;
};

TEST_F(ConsumersOnTheCommandLine, DecisionsComeAgainUntilTheyAreAcknowledged) {
  Begin();
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_THAT(Do({"decisions", "gateway"}),
                AllOf(HasSubstr("NUMBER"), HasSubstr("start"), HasSubstr("cpu on")));
  }
  const Json told = Json::parse(Do({"decisions", "gateway", "-o", "json"}));
  EXPECT_EQ(told["answer"], "decisions");
  const std::string last = std::to_string(told["last"].get<int>());
  EXPECT_THAT(Do({"get", "consumers"}), AllOf(HasSubstr("BEHIND"), HasSubstr("gateway")));
  EXPECT_EQ(Do({"acknowledge", "gateway", last}),
            "gateway has acknowledged " + last + " of " + last + "\n");
  const Said none = Try({"decisions", "gateway"});
  EXPECT_EQ(none.code, kDone);
  EXPECT_EQ(none.err, "no decision is newer\n");
  const Json view = Json::parse(Do({"get", "consumer", "gateway", "-o", "json"}));
  EXPECT_EQ(view["behind"], 0);
  EXPECT_THAT(Do({"describe", "consumer", "gateway"}), HasSubstr("acknowledgedAt"));
  EXPECT_EQ(Json::parse(Do({"consumer", "remove", "gateway", "-o", "json"}))["answer"], "done");
}

TEST_F(ConsumersOnTheCommandLine, AreReadBehindANumberInBites) {
  Begin();
  const Json told = Json::parse(Do({"decisions", "--after", "0", "--limit", "1", "-o", "json"}));
  EXPECT_EQ(told["decisions"].size(), 1U);
  EXPECT_EQ(told["decisions"][0]["number"], 1);
}

TEST_F(ConsumersOnTheCommandLine, MistakesSayWhatToWrite) {
  Begin();
  const auto wrong = [&](const std::vector<std::string>& args, int code, const char* says) {
    const Said said = Try(args);
    EXPECT_EQ(said.code, code) << args.front();
    EXPECT_THAT(said.err, HasSubstr(says));
  };
  wrong({"decisions"}, kWrongUse, "name one of CONSUMER and --after");
  wrong({"decisions", "gateway", "--after", "1"}, kWrongUse, "name one of");
  wrong({"decisions", "--after", "x"}, kWrongUse, "a whole number, not 'x'");
  wrong({"decisions", "gatewy"}, kNo, "write gateway");
  wrong({"acknowledge", "gateway", "-1"}, kWrongUse, "");
  wrong({"acknowledge", "gateway", "many"}, kWrongUse, "not 'many'");
  wrong({"acknowledge", "gateway", "99"}, kNo, "there is no decision 99 yet");
  wrong({"consumer", "add", "a b"}, kNo, "letters, digits");
  wrong({"consumer", "add", "second", "--after", "x"}, kWrongUse, "not 'x'");
  wrong({"consumer", "remove", "second"}, kNo, "no consumer \"second\"; registered: gateway");
}

}  // namespace
}  // namespace muster::cli
