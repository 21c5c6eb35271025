// Policies from the command line: by folder, by binding, and checked on their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bindings/cli/json.h"
#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/cli/sample.h"

namespace muster::cli {
namespace {

using ::testing::HasSubstr;

/// Puts the job with fewer pods first, whatever came first.
constexpr const char* kFewerPodsFirst = R"(return {
  api = 1,
  name = "fewer-pods",
  description = "Fewer pods first.",
  queue_order = function(w, c) return -w.pods end,
}
)";

constexpr const char* kJobs = R"(---
apiVersion: batch/v1
kind: Job
metadata: {name: large, namespace: lab, labels: {kueue.x-k8s.io/queue-name: red}}
spec:
  parallelism: 4
  template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: small, namespace: lab, labels: {kueue.x-k8s.io/queue-name: red}}
spec:
  parallelism: 1
  template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}
)";

class Policies : public ::testing::Test {
 protected:
  Policies() { directory_.Write("policies/fewer-pods/policy.lua", kFewerPodsFirst); }

  std::string Package() const { return (directory_.path() / "policies/fewer-pods").string(); }

  /// The only workload the first cycle admits.
  static std::string FirstAdmitted(const Said& said) {
    if (said.code != kDone) return said.err;
    const Json steps = Json::parse(said.out)["steps"];
    return steps[0]["admitted"].items().begin().key();
  }

  muster::testing::TemporaryDirectory directory_;
};

TEST_F(Policies, WithoutOneTheFirstJobGoesFirst) {
  const Said said = RunCli({"schedule", "-f", "-", "-o", "json"}, std::string(kQueues) + kJobs);
  EXPECT_EQ(FirstAdmitted(said), "lab/job-large");
}

TEST_F(Policies, TheOptionActivatesAFolder) {
  const Said said = RunCli({"schedule", "-f", "-", "-o", "json", "--policy", Package() + "/"},
                           std::string(kQueues) + kJobs);
  EXPECT_EQ(FirstAdmitted(said), "lab/job-small");
}

TEST_F(Policies, ABindingFindsThePackageAboveItsFile) {
  const std::string file =
      directory_
          .Write("cluster/all.yaml", std::string(kQueues) + kJobs +
                                         "---\napiVersion: muster.dev/v1\nkind: PolicyBinding\n"
                                         "metadata: {name: red}\n"
                                         "spec: {policy: fewer-pods, clusterQueues: [red]}\n")
          .string();
  EXPECT_EQ(FirstAdmitted(RunCli({"schedule", "-f", file, "-o", "json"})), "lab/job-small");
  EXPECT_THAT(RunCli({"get", "policies", "-f", file}).out, HasSubstr("queue_order"));
  EXPECT_THAT(RunCli({"explain", "lab/job-large", "-f", file}).out, HasSubstr("policy.lua:5"));
}

TEST_F(Policies, ABindingToAPackageThatIsNowhereIsAnErrorWithItsPlace) {
  const std::string file =
      directory_
          .Write("lost.yaml",
                 "apiVersion: muster.dev/v1\nkind: PolicyBinding\nmetadata: {name: red}\n"
                 "spec: {policy: lost}\n")
          .string();
  const Said said = RunCli({"schedule", "-f", file});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err, HasSubstr(file + ":4:16: there is no package 'lost'; put it into "
                                         "policies/lost beside this file"));
}

TEST_F(Policies, CheckAcceptsASoundPackage) {
  const Said said = RunCli({"policy", "check", Package()});
  EXPECT_EQ(said.code, kDone) << said.err;
  EXPECT_THAT(said.out, HasSubstr("sound: " + Package()));
  EXPECT_THAT(said.out, HasSubstr("queue_order   " + Package() + "/policy.lua:5 "));
}

TEST_F(Policies, CheckNamesEveryMistakeWithItsLine) {
  const std::string file =
      directory_
          .Write("policies/bad/policy.lua",
                 "return {\n  api = 1,\n  name = \"bad\",\n  description = \"x\",\n"
                 "  queue_order = function(w, c) return w.priorty end,\n}\n")
          .string();
  const Said said = RunCli({"policy", "check", (directory_.path() / "policies/bad").string()});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err, HasSubstr(file + ":5:"));
  EXPECT_THAT(said.err, HasSubstr("priority"));
  EXPECT_THAT(said.err, HasSubstr("1 error; the package cannot be used"));
}

}  // namespace
}  // namespace muster::cli
