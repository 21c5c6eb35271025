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

TEST_F(Policies, ABindingToAFolderWithAPackageOfAnotherNameIsAnErrorWithItsPlace) {
  directory_.Write("policies/other/policy.lua", kFewerPodsFirst);
  const std::string file =
      directory_
          .Write("named.yaml",
                 "apiVersion: muster.dev/v1\nkind: PolicyBinding\nmetadata: {name: red}\n"
                 "spec: {policy: other}\n")
          .string();
  const Said said = RunCli({"schedule", "-f", file});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err, HasSubstr(file + ":4:16: the package in "));
  EXPECT_THAT(said.err, HasSubstr("policies/other is not called 'other'; write name = \"other\" in "
                                  "its policy.lua, or bind it by its name"));
}

TEST_F(Policies, CheckAndActivateWarnOfWhatIsMostLikelyNotMeant) {
  const std::string file =
      directory_
          .Write("policies/folder/policy.lua",
                 "return {\n  api = 1,\n  name = \"name\",\n  labels = { \"tier\" },\n"
                 "  queue_order = function(w, c) return w.priority end,\n}\n")
          .string();
  const std::string folder = (directory_.path() / "policies/folder").string();
  const std::string db = (directory_.path() / "red.ledger").string();
  ASSERT_EQ(RunCli({"apply", "-f", "-", "--db", db}, kQueues).code, kDone);
  for (const std::vector<std::string>& args : {std::vector<std::string>{"policy", "check", folder},
                                               {"policy", "activate", folder, "--db", db}}) {
    const Said said = RunCli(args);
    EXPECT_EQ(said.code, kDone) << said.err;
    EXPECT_THAT(said.err, HasSubstr(file + ":3:3: warning: the package is called 'name' and its "
                                           "folder 'folder'; rename one of them"));
    EXPECT_THAT(said.err, HasSubstr(file + ":4:14: warning: label 'tier' is declared and no hook"));
  }
}

TEST_F(Policies, ActivatingHereIsWarnedOfWhereAServiceIsNamed) {
  const std::string db = (directory_.path() / "red.ledger").string();
  ASSERT_EQ(RunCli({"apply", "-f", "-", "--db", db}, kQueues).code, kDone);
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"policy", "activate", Package(), "--db", db},
        {"policy", "rollback", "--db", db}}) {
    std::istringstream in;
    std::ostringstream out, err;
    Io io{in, out, err, Paint(), Paint()};
    io.server = "http://127.0.0.1:9";
    EXPECT_EQ(RunMuster(args, io), kDone) << err.str();
    EXPECT_THAT(err.str(), HasSubstr("warning: MUSTER_SERVER is set, and policy " + args[1] +
                                     " works on the ledger " + db +
                                     " here; a service takes "
                                     "packages from the folder of its --policies"));
  }
}

/// One parameter of each type, and lists and maps of each that they can be of.
constexpr const char* kAllParameters = R"(return {
  api = 1,
  name = "typed",
  params = {
    num = { type = "number", default = 1 },
    int = { type = "integer", default = 1 },
    yes = { type = "boolean", default = false },
    str = { type = "string", default = "" },
    dur = { type = "duration", default = "5m" },
    day = { type = "date", default = "2026-01-01" },
    one = { type = "enum", values = { "a", "b" }, default = "a" },
    strs = { type = "list", of = "string", default = {} },
    nums = { type = "list", of = "number", default = {} },
    ints = { type = "list", of = "integer", default = {} },
    durs = { type = "list", of = "duration", default = {} },
    str_of = { type = "map", of = "string", default = {} },
    num_of = { type = "map", of = "number", default = {} },
    int_of = { type = "map", of = "integer", default = {} },
    dur_of = { type = "map", of = "duration", default = {} },
  },
  queue_order = function(_, c)
    local p = c.params
    return p.num + p.int + (p.yes and 1 or 0) + #p.str + p.dur + p.day + #p.one,
      #p.strs + #p.nums + #p.ints + #p.durs,
      (p.str_of.a and 1 or 0) + (p.num_of.a or 0) + (p.int_of.a or 0) + (p.dur_of.a or 0)
  end,
}
)";

// What get and describe print, in YAML and JSON, applies as it stands and changes nothing.
TEST_F(Policies, ABindingThatIsPrintedAppliesUnchangedWithEveryTypeOfParameter) {
  directory_.Write("policies/typed/policy.lua", kAllParameters);
  const std::string db = (directory_.path() / "red.ledger").string();
  const auto done = [&](std::vector<std::string> args, const std::string& input = "") {
    args.insert(args.end(), {"--db", db});
    const Said said = RunCli(args, input);
    EXPECT_EQ(said.code, kDone) << args[0] << ": " << said.err << input;
    return said.out;
  };
  done({"apply", "-f", "-"}, kQueues);
  done({"policy", "activate", (directory_.path() / "policies/typed").string(), "--untested"});
  done({"apply", "-f", "-"},
       "apiVersion: muster.dev/v1\nkind: PolicyBinding\nmetadata: {name: red}\nspec:\n"
       "  policy: typed\n  clusterQueues: [red]\n  params: {num: -0.5, int: 3, yes: true,\n"
       "    str: 'a: \"b\" #\u00e9, [c]', dur: 1h30m, day: 2026-12-01, one: b, strs: [x, 'y, \"z', "
       "'3'],\n"
       "    nums: [1.5, -2], ints: [], durs: [10m, 2d], str_of: {a: 'true', 'b/c': \"d'e\\\\\"},\n"
       "    num_of: {a: 1e3}, int_of: {}, dur_of: {a: 1h}}\n");
  EXPECT_THAT(done({"get", "policybindings"}), HasSubstr("decides queue_order"));
  const std::string before = done({"get", "policybindings", "-o", "json"});
  for (const std::string verb : {"get", "describe"}) {
    for (const std::string form : {"yaml", "json"}) {
      const std::string printed = done({verb, "policybinding", "red", "-o", form});
      EXPECT_THAT(done({"apply", "-f", "-"}, printed), HasSubstr("unchanged")) << printed;
    }
  }
  EXPECT_EQ(done({"get", "policybindings", "-o", "json"}), before);
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
