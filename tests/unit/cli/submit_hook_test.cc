// A submit hook that fails lets the job in as it came, and that is said, also to programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/json.h"
#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/cli/sample.h"

namespace muster::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kErrsOnSome = R"(return { api = 1, name = "errs", labels = { "stage" },
  submit = function(w, c) if muster.glob(w.label.stage, "b?d") then error("boom") end end }
)";

/// A job of red with the label `stage`.
std::string Job(const std::string& name, const std::string& stage) {
  return "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: " + name +
         ", namespace: lab, labels: {kueue.x-k8s.io/queue-name: red, stage: " + stage +
         "}}\nspec:\n  template: {spec: {containers: [{name: c, image: i, resources: "
         "{requests: {cpu: 1}}}]}}\n";
}

class SubmitHook : public ::testing::Test {
 protected:
  SubmitHook() { directory_.Write("errs/policy.lua", kErrsOnSome); }

  std::string Package() const { return (directory_.path() / "errs").string(); }
  Said Ask(std::vector<std::string> args, const std::string& input) const {
    args.insert(args.end(), {"--db", (directory_.path() / "cluster.ledger").string(), "--now",
                             "2026-01-01T12:00:00Z"});
    return RunCli(args, input);
  }
  Said Try(const std::vector<std::string>& args, const std::string& input = "") const {
    Said said = Ask(args, input);
    EXPECT_EQ(said.code, kDone) << args.front() << ": " << said.err;
    return said;
  }
  void Begin() const {
    Try({"apply", "-f", "-"}, kQueues);
    Try({"policy", "activate", Package()});
  }

  testing::TemporaryDirectory directory_;
};

TEST_F(SubmitHook, ThatFailsIsWarnedOfWithWhatWasDoneInstead) {
  Begin();
  const std::string jobs = Job("fine", "good") + Job("one", "bad");
  for (const char* verb : {"submit", "apply"}) {
    const Said said = Try({verb, "-f", "-"}, jobs);
    EXPECT_THAT(said.err, HasSubstr("warning: submit of policy errs failed for red, lab/job-one "
                                    "was queued as submitted instead: "));
    EXPECT_THAT(said.err, HasSubstr("boom"));
    EXPECT_THAT(said.err, Not(HasSubstr("job-fine")));
  }
  EXPECT_THAT(Try({"submit", "-f", "-", "--quiet"}, jobs).out,
              HasSubstr("1 warning; without --quiet they are shown"));
}

TEST_F(SubmitHook, ThatRefusesOneRefusesAllAndSaysSo) {
  directory_.Write("errs/policy.lua",
                   "return { api = 1, name = \"errs\", labels = { \"stage\" },\n"
                   "submit = function(w, c)\n"
                   "  if w.label.stage == \"bad\" then return c.reject(\"no\") end end }");
  Begin();
  const std::string jobs = Job("fine", "good") + Job("one", "bad");
  for (const auto& [verb, end] :
       {std::pair("submit", "; nothing was submitted\n"), {"apply", "; nothing was applied\n"}}) {
    const Said said = Ask({verb, "-f", "-"}, jobs);
    EXPECT_EQ(said.code, kNo);
    EXPECT_EQ(said.err, std::string("muster: rejected lab/job-one: no (policy errs)") + end);
  }
  EXPECT_THAT(Try({"get", "wl"}).out, Not(HasSubstr("job-fine")));
}

TEST_F(SubmitHook, ThatFailsForManyIsOneWarning) {
  Begin();
  const Said said =
      Try({"submit", "-f", "-"}, Job("one", "bad") + Job("two", "bad") + Job("three", "bad"));
  EXPECT_THAT(said.err, HasSubstr("lab/job-one and 2 more jobs were queued as submitted instead"));
  EXPECT_THAT(said.err, Not(HasSubstr("job-two")));
}

TEST_F(SubmitHook, ThatFailsStandsBesideItsJobInJson) {
  Begin();
  const Json list = Json::parse(
      Try({"submit", "-f", "-", "-o", "json"}, Job("fine", "good") + Job("one", "bad")).out);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_FALSE(list[0].contains("policyFailure"));
  EXPECT_EQ(list[1]["result"], "created");
  const Json& failure = list[1]["policyFailure"];
  EXPECT_EQ(failure["policy"], "errs");
  EXPECT_EQ(failure["hook"], "submit");
  EXPECT_EQ(failure["clusterQueue"], "red");
  EXPECT_EQ(failure["instead"], "queued as submitted");
  EXPECT_THAT(failure["message"].get<std::string>(), HasSubstr("boom"));
}

TEST_F(SubmitHook, ThatFailsInAScenarioIsToldBeforeTheCycle) {
  const std::string steps =
      "---\napiVersion: muster.dev/v1\nkind: Scenario\nnow: '2026-01-01T12:00:00Z'\n"
      "steps:\n- submit: [lab/job-one]\n- cycle: 1\n";
  const std::string all = kQueues + Job("one", "bad") + steps;
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"schedule"}, {"get", "wl"}}) {
    std::vector<std::string> args = verb;
    args.insert(args.end(), {"-f", "-", "--policy", Package()});
    const Said said = RunCli(args, all);
    EXPECT_EQ(said.code, kDone) << said.err;
    EXPECT_THAT(said.err, HasSubstr("submit of policy errs failed for red, lab/job-one was"));
  }
}

TEST_F(SubmitHook, ThatFailsEndsASpec) {
  directory_.Write("errs/policy_spec.lua",
                   "it('t', function()\n"
                   "  local c = fx.cluster { gpus = 8 }\n"
                   "  c:submit { fx.workload { label = { stage = 'bad' } } }\n"
                   "  assert(c)\nend)\n");
  const Said said = RunCli({"policy", "test", Package()});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.out, HasSubstr("boom"));
}

}  // namespace
}  // namespace muster::cli
