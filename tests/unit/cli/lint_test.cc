// Traps that `validate` warns about, each with its place and a cure.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/cli/sample.h"

namespace muster::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Flavor(const std::string& labels) {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\n"
         "metadata: {name: gpu-a100}\nspec:\n  nodeLabels:\n    " +
         labels + "\n";
}

std::string Nodes(const std::string& labels, int count) {
  std::string list = "apiVersion: v1\nkind: List\nitems:\n";
  for (int i = 0; i < count; ++i) {
    list += "- {apiVersion: v1, kind: Node, metadata: {name: n" + std::to_string(i) +
            ", labels: {" + labels + "}}}\n";
  }
  return list;
}

Said ValidateWithNodes(const std::string& flavor, const std::string& nodes) {
  const muster::testing::TemporaryDirectory directory;
  const std::string file = directory.Write("nodes.yaml", nodes).string();
  return RunCli({"validate", "-f", "-", "--nodes", file}, flavor);
}

TEST(LintFlavors, NamesTheNearestValueAndHowManyNodesHaveIt) {
  const Said said = ValidateWithNodes(Flavor("gpu-type: a100"), Nodes("gpu-type: A100", 12));
  EXPECT_EQ(said.code, kDone);
  EXPECT_EQ(said.err,
            "stdin:6:15: warning: gpu-type=a100 matches no node; 12 nodes have gpu-type=A100; "
            "write gpu-type: A100\n");
  EXPECT_THAT(said.out, HasSubstr("valid: 1 ResourceFlavor (1 warning)"));
}

TEST(LintFlavors, NamesTheNearestKey) {
  const Said said = ValidateWithNodes(Flavor("gpu-typ: a100"), Nodes("gpu-type: a100", 1));
  EXPECT_THAT(said.err, HasSubstr("gpu-typ=a100 matches no node; 1 node has gpu-type=a100; write "
                                  "gpu-type: a100"));
}

TEST(LintFlavors, LabelsMustMeetOnOneNode) {
  const std::string nodes = Nodes("gpu-type: a100", 2) +
                            "---\napiVersion: v1\nkind: Node\n"
                            "metadata: {name: z, labels: {zone: b}}\n";
  const Said said = ValidateWithNodes(Flavor("{gpu-type: a100, zone: b}"), nodes);
  EXPECT_THAT(said.err, HasSubstr("no node has all labels of flavor gpu-a100: 2 nodes have "
                                  "gpu-type=a100, 1 node has zone=b"));
}

TEST(LintFlavors, AMatchingFlavorAndAFlavorWithoutLabelsAreFine) {
  EXPECT_EQ(ValidateWithNodes(Flavor("gpu-type: a100"), Nodes("gpu-type: a100, x: y", 1)).err, "");
  EXPECT_EQ(ValidateWithNodes("apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\n"
                              "metadata: {name: default}\n",
                              Nodes("a: b", 1))
                .err,
            "");
}

TEST(LintFlavors, AFileWithoutNodesIsSaid) {
  EXPECT_THAT(ValidateWithNodes(Flavor("a: b"),
                                "apiVersion: v1\nkind: Namespace\n"
                                "metadata: {name: x}\n")
                  .err,
              HasSubstr("--nodes: no document of kind Node"));
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  return at == std::string::npos ? "not in the text: " + from : text.replace(at, from.size(), to);
}

TEST(LintSelectors, AQueueWithoutASelectorAdmitsNothing) {
  const Said said =
      RunCli({"validate", "-f", "-"}, Replaced(kQueues, "  namespaceSelector: {}\n", ""));
  EXPECT_EQ(said.code, kDone);
  EXPECT_THAT(said.err, HasSubstr("warning: ClusterQueue red selects no namespace"));
  EXPECT_THAT(said.err, HasSubstr("write `namespaceSelector: {}`"));
  EXPECT_THAT(said.err, Not(HasSubstr("ClusterQueue blue")));
}

TEST(LintSelectors, ASelectorMustSelectSomeNamespaceThereIs) {
  const Said said = RunCli(
      {"validate", "-f", "-"},
      Replaced(kQueues, "namespaceSelector: {}", "namespaceSelector: {matchLabels: {team: red}}"));
  EXPECT_THAT(said.err, HasSubstr("stdin:13:"));
  EXPECT_THAT(said.err, HasSubstr("ClusterQueue red selects none of the 1 namespaces"));
  EXPECT_EQ(RunCli({"validate", "-f", "-"},
                   Replaced(kQueues, "namespaceSelector: {}",
                            "namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: lab}}"))
                .err,
            "");
}

TEST(LintReclaim, ACohortThatLendsForEverIsNamed) {
  const std::string never = Replaced(kQueues, "  preemption: {reclaimWithinCohort: Any}\n", "");
  const Said said = RunCli({"validate", "-f", "-"}, never);
  EXPECT_THAT(said.err, HasSubstr("what is lent in cohort labs can never be reclaimed: all its 2 "
                                  "ClusterQueues say reclaimWithinCohort: Never"));
  EXPECT_EQ(RunCli({"validate", "-f", "-"}, kQueues).err, "");
}

TEST(LintReclaim, WhereNobodyMayBorrowThereIsNothingToReclaim) {
  std::string none = Replaced(kQueues, "  preemption: {reclaimWithinCohort: Any}\n", "");
  for (int i = 0; i < 2; ++i) {
    none = Replaced(none, "nominalQuota: 4}", "nominalQuota: 4, borrowingLimit: 0 }");
  }
  EXPECT_EQ(RunCli({"validate", "-f", "-"}, none).err, "");
}

constexpr const char* kNamespaceQuota =
    "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: compute, namespace: lab}\n"
    "spec: {hard: {requests.cpu: '5'}}\n";

TEST(LintNamespaceQuotas, AJobThatWouldBeAdmittedAndNeverRunIsNamedWithBothFigures) {
  const Said said =
      RunCli({"validate", "-f", "-"}, std::string(kQueues) + kRedJobs + kNamespaceQuota);
  EXPECT_EQ(said.code, kDone) << said.err;
  EXPECT_THAT(said.err, HasSubstr("warning: ResourceQuota lab/compute allows 5 cpu, but "
                                  "lab/job-train asks for 6, which its ClusterQueue can admit (up "
                                  "to 8)"));
  EXPECT_THAT(said.err, Not(HasSubstr("job-wait")));
}

TEST(LintNamespaceQuotas, WithoutJobsTheQueuesAreCompared) {
  const Said said = RunCli({"validate", "-f", "-"},
                           std::string(kQueues) + Replaced(kNamespaceQuota, "'5'", "'3'"));
  EXPECT_THAT(said.err, HasSubstr("allows 3 cpu, but ClusterQueue red has a nominal quota of 4 for "
                                  "LocalQueue lab/red"));
  EXPECT_EQ(RunCli({"validate", "-f", "-"}, std::string(kQueues) + kNamespaceQuota).err, "");
}

constexpr const char* kHopeless =
    "---\napiVersion: batch/v1\nkind: Job\n"
    "metadata: {name: huge, namespace: lab, labels: {kueue.x-k8s.io/queue-name: red}}\nspec:\n"
    "  template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 9}}}]}}\n";

TEST(LintNeverFits, AJobThatCanNeverStartIsWarnedAboutWithItsPlace) {
  const Said said = RunCli({"validate", "-f", "-"}, std::string(kQueues) + kRedJobs + kHopeless);
  EXPECT_EQ(said.code, kDone);
  EXPECT_THAT(said.err,
              HasSubstr("warning: lab/job-huge asks for 9 cpu, and ClusterQueue red can never have "
                        "more than 8 in one flavor, borrowing included: it will never start; ask "
                        "for less, or raise the quota"));
  const std::string whole = std::string(kQueues) + kRedJobs + kHopeless;
  const auto lines = std::count(
      whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(whole.find("cpu: 9")), '\n');
  EXPECT_THAT(said.err, ::testing::StartsWith("stdin:" + std::to_string(lines + 1) + ":"))
      << "where the request is written";
  EXPECT_THAT(said.err, Not(HasSubstr("job-train"))) << "it borrows what blue has";
}

TEST(LintNeverFits, AResourceThatNoQueueCoversIsNamed) {
  const std::string gpu = Replaced(kHopeless, "cpu: 9", "nvidia.com/gpu: 1");
  EXPECT_THAT(RunCli({"validate", "-f", "-"}, kQueues + gpu).err,
              HasSubstr("asks for 1 nvidia.com/gpu, which no resource group of ClusterQueue red "
                        "covers: it will never start"));
}

TEST(LintNeverFits, ApplyAndSubmitWarnAndGoOn) {
  const muster::testing::TemporaryDirectory directory;
  const std::string ledger = (directory.path() / "l.ledger").string();
  const Said applied = RunCli({"apply", "-f", "-", "--db", ledger}, kQueues);
  ASSERT_EQ(applied.code, kDone) << applied.err;
  const Said submitted = RunCli({"submit", "-f", "-", "--db", ledger}, kHopeless);
  EXPECT_EQ(submitted.code, kDone);
  EXPECT_THAT(submitted.err, HasSubstr("it will never start"));
  EXPECT_THAT(submitted.out, HasSubstr("Workload lab/job-huge created"));
  const Said again = RunCli({"apply", "-f", "-"}, std::string(kQueues) + kHopeless);
  EXPECT_EQ(again.code, kDone);
  EXPECT_THAT(again.err, HasSubstr("it will never start"));
}

std::string QueueIn(const std::string& name, const std::string& cohort) {
  return "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: " + name +
         "}\nspec: {namespaceSelector: {}, cohortName: " + cohort + "}\n";
}

TEST(LintNames, ACohortThatOneQueueNamesAndThatLooksMisspeltIsWarnedOf) {
  const std::string two = QueueIn("a", "research") + QueueIn("b", "research");
  const Said said = RunCli({"validate", "-f", "-"}, two + QueueIn("c", "reserach"));
  EXPECT_EQ(said.code, kDone);
  EXPECT_THAT(said.err, HasSubstr("only this names the cohort \"reserach\", which is created with "
                                  "it; write \"research\" if that is meant"));
  EXPECT_THAT(RunCli({"apply", "-f", "-"}, two + QueueIn("c", "Research")).err,
              HasSubstr("\"Research\""));
}

TEST(LintNames, NamesThatDifferOnPurposeAreNotWarnedOf) {
  for (const char* other : {"team-b", "hardware", "team-a2"}) {
    const Said said = RunCli({"validate", "-f", "-"},
                             QueueIn("a", "team-a") + QueueIn("b", "team-a") + QueueIn("c", other));
    EXPECT_THAT(said.err, Not(HasSubstr("only this names"))) << other;
  }
}

}  // namespace
}  // namespace muster::cli
