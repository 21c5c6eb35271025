// Traps that `validate` warns about, each with its place and a cure.
#include "bindings/lab/lint/lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/cli/sample.h"

namespace muster::cli {
namespace {

using ::testing::AllOf;
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

TEST(LintNamespaceQuotas, AreWarnedOfWhereverTheyDecideNothing) {
  const muster::testing::TemporaryDirectory directory;
  const std::string ledger = (directory.path() / "l.ledger").string();
  ASSERT_EQ(RunCli({"apply", "-f", "-", "--db", ledger}, kQueues).code, kDone);
  const std::string quota =
      "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: lab}\n"
      "spec: {hard: {cpu: 1}}\n";
  for (const std::vector<std::string>& verb : std::vector<std::vector<std::string>>{
           {"apply", "-f", "-"}, {"submit", "-f", "-", "--db", ledger}, {"schedule", "-f", "-"}}) {
    const std::string before = verb[0] == "submit" ? "" : kQueues;
    const Said said = RunCli(verb, before + kRedJobs + quota);
    EXPECT_EQ(said.code, kDone) << verb[0] << said.err;
    EXPECT_THAT(said.err, HasSubstr("warning: ResourceQuotas are not stored and decide nothing"))
        << verb[0];
  }
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

TEST(LintNames, AMistakeElsewhereHidesNoSlipAndMakesNoneUp) {
  const std::string broken =
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: c}\n"
      "spec: {namespaceSelector: {}, queueingStrategy: FIFO, cohortName: reserach}\n";
  const std::string slip = "only this names the cohort \"reserach\"";
  const std::string a = QueueIn("a", "research");
  const Said alone = RunCli({"validate", "-f", "-"}, a + QueueIn("b", "research") + broken);
  EXPECT_THAT(alone.err, AllOf(HasSubstr("cannot be \"FIFO\""), HasSubstr(slip)));
  const Said two = RunCli({"validate", "-f", "-"}, a + QueueIn("b", "reserach") + broken);
  EXPECT_THAT(two.err, AllOf(HasSubstr("cannot be \"FIFO\""), Not(HasSubstr(slip))));
}

TEST(Validate, ADocumentOfAForeignKindHidesNoReferenceMistake) {
  const std::string lost =
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\n"
      "metadata: {name: l, namespace: lab}\nspec: {clusterQueue: rde}\n";
  for (const char* kind : {"ConfigMap", "Gizmo"}) {
    const Said said = RunCli({"validate", "-f", "-"}, std::string(kQueues) + lost +
                                                          "---\napiVersion: v1\nkind: " + kind +
                                                          "\nmetadata: {name: x}\n");
    EXPECT_THAT(said.err, AllOf(HasSubstr(kind), HasSubstr("there is no ClusterQueue rde")));
  }
  // One that may be meant as a known kind may be what is missing.
  for (const char* kind : {"ClusterQueu", "ClusterQueueList"}) {
    const Said said = RunCli({"validate", "-f", "-"}, std::string(kQueues) + lost +
                                                          "---\napiVersion: v1\nkind: " + kind +
                                                          "\nmetadata: {name: rde}\n");
    EXPECT_THAT(said.err, AllOf(HasSubstr(kind), Not(HasSubstr("there is no ClusterQueue"))));
  }
}

TEST(LintNames, ASlipInAShortNameIsWarnedOf) {
  for (const auto& [meant, slip] :
       std::vector<std::pair<std::string, std::string>>{{"ml", "lm"},
                                                        {"ml", "mll"},
                                                        {"gpu", "gup"},
                                                        {"lab", "labs"},
                                                        {"labs", "labb"},
                                                        {"team", "taem"},
                                                        {"lab", "Lab"},
                                                        {"red", "rad"}}) {
    const Said said = RunCli({"apply", "-f", "-"},
                             QueueIn("a", meant) + QueueIn("b", meant) + QueueIn("c", slip));
    EXPECT_THAT(said.err, HasSubstr("only this names the cohort \"" + slip + "\"")) << meant;
  }
}

std::string CohortNamed(const std::string& name) {
  return "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: " + name + "}\n";
}

TEST(LintNames, TheNameThatOneObjectAloneNamesIsTheOneThatIsWarnedOf) {
  const Said use = RunCli({"apply", "-f", "-"}, CohortNamed("research") + QueueIn("a", "reserach"));
  EXPECT_THAT(use.err, HasSubstr("only this names the cohort \"reserach\""));
  EXPECT_THAT(use.err, Not(HasSubstr("nothing names")));
  const Said declared =
      RunCli({"apply", "-f", "-"},
             CohortNamed("reserach") + QueueIn("a", "research") + QueueIn("b", "research"));
  EXPECT_THAT(declared.err, HasSubstr("stdin:4:18: warning: nothing names the Cohort \"reserach\", "
                                      "and no object declares \"research\""));
  EXPECT_THAT(declared.err, Not(HasSubstr("only this names")));
  const Said fine = RunCli({"apply", "-f", "-"}, CohortNamed("research") + CohortNamed("reserve") +
                                                     QueueIn("a", "research"));
  EXPECT_THAT(fine.err, Not(HasSubstr("reserve")));
}

TEST(LintNames, NamesThatDifferOnPurposeAreNotWarnedOf) {
  for (const auto& [one, other] : std::vector<std::pair<std::string, std::string>>{
           {"gpu", "cpu"}, {"a", "b"}, {"ml", "nl"}, {"co1", "co2"}, {"a1", "a10"}}) {
    const Said said = RunCli({"validate", "-f", "-"},
                             QueueIn("a", one) + QueueIn("b", one) + QueueIn("c", other));
    EXPECT_THAT(said.err, Not(HasSubstr("only this names"))) << one << other;
  }
  for (const char* other : {"team-b", "hardware", "team-a2"}) {
    const Said said = RunCli({"validate", "-f", "-"},
                             QueueIn("a", "team-a") + QueueIn("b", "team-a") + QueueIn("c", other));
    EXPECT_THAT(said.err, Not(HasSubstr("only this names"))) << other;
  }
}

std::string With(const std::string& spec) {
  return Replaced(kHopeless, "spec: {containers", "spec: {" + spec + "containers");
}

constexpr const char* kTainted =
    "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: spot}\n"
    "spec: {nodeLabels: {pool: spot}, nodeTaints: [{key: spot, value: y, effect: NoSchedule}]}\n"
    "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: only-spot}\n"
    "spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: "
    "spot, resources: [{name: cpu, nominalQuota: 99}]}]}]}\n"
    "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\n"
    "metadata: {name: spot, namespace: lab}\nspec: {clusterQueue: only-spot}\n";

TEST(LintNeverFits, PodsThatNoFlavorTakesAreNamedWithTheReason) {
  const auto said = [](const std::string& spec) {
    const std::string job = Replaced(With(spec), "queue-name: red", "queue-name: spot");
    return RunCli({"validate", "-f", "-"}, std::string(kQueues) + kTainted + job).err;
  };
  EXPECT_THAT(said(""), HasSubstr("lab/job-huge fits no flavor of ClusterQueue only-spot for cpu: "
                                  "untolerated taint"));
  const std::string tolerates = "tolerations: [{key: spot, operator: Exists}], ";
  EXPECT_THAT(said(tolerates), Not(HasSubstr("never start")));
  EXPECT_THAT(said(tolerates + "nodeSelector: {pool: dedicated}, "),
              HasSubstr("flavor spot doesn't match node affinity: it will never start"));
  EXPECT_THAT(said(tolerates + "nodeSelector: {pool: spot}, "), Not(HasSubstr("never start")));
}

TEST(LintNeverFits, AJobInANamespaceThatItsQueueDoesNotSelectIsNamed) {
  const std::string queues =
      Replaced(kTainted, "namespaceSelector: {}", "namespaceSelector: {matchLabels: {team: red}}");
  const std::string job = Replaced(With("tolerations: [{key: spot, operator: Exists}], "),
                                   "queue-name: red", "queue-name: spot");
  const std::string warning =
      "lab/job-huge is in namespace lab, which ClusterQueue only-spot does not select: it will "
      "never start";
  EXPECT_THAT(RunCli({"validate", "-f", "-"}, std::string(kQueues) + queues + job).err,
              HasSubstr(warning));
  const muster::testing::TemporaryDirectory directory;
  const std::string ledger = (directory.path() / "l.ledger").string();
  const Said applied = RunCli({"apply", "-f", "-", "--db", ledger}, kQueues + queues);
  ASSERT_EQ(applied.code, kDone) << applied.err;
  EXPECT_THAT(applied.err,
              HasSubstr("ClusterQueue only-spot does not select namespace lab: nothing "
                        "in this LocalQueue will ever start"));
  EXPECT_THAT(RunCli({"submit", "-f", "-", "--db", ledger}, job).err, HasSubstr(warning));
}

TEST(LintNeverFits, ARequestAboveItsLimitIsNamed) {
  const std::string job =
      Replaced(kHopeless, "requests: {cpu: 9}", "requests: {cpu: 2}, limits: {cpu: 1}");
  EXPECT_THAT(RunCli({"validate", "-f", "-"}, kQueues + job).err,
              HasSubstr("lab/job-huge breaks a rule (pod set main: containers[0]: cpu request "
                        "exceeds its limit): it will never start"));
}

TEST(LintNeverFits, WhatIsIgnoredKeepsNothingOut) {
  const std::string gpu = Replaced(kHopeless, "cpu: 9", "nvidia.com/gpu: 1");
  const std::string config =
      "---\napiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
      "resources: {quotaCheckStrategy: IgnoreUndeclared}\n";
  EXPECT_THAT(RunCli({"validate", "-f", "-"}, kQueues + config + gpu).err,
              Not(HasSubstr("never start")));
}

std::string Config(const std::string& fields) {
  return "---\napiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n" + fields + "\n";
}

TEST(LintResourceNames, AResourceThatNoQueueCoversIsWarnedOf) {
  const auto said = [](const std::string& fields) {
    return RunCli({"validate", "-f", "-"}, kQueues + Config(fields)).err;
  };
  const std::string weights = "admissionFairSharing: {usageHalfLifeTime: 1h, resourceWeights: {";
  EXPECT_THAT(
      said(weights + "cpuu: 1}}"),
      HasSubstr("warning: the weight of \"cpuu\" has no effect: no ClusterQueue covers that "
                "resource; write \"cpu\""));
  EXPECT_THAT(said(weights + "cpu: 1}}"), Not(HasSubstr("has no effect")));
  const std::string rule = "resources: {transformations: [{input: ";
  EXPECT_THAT(said(rule + "example.com/gpu, outputs: {cpuu: 1}}]}"),
              HasSubstr("the output \"cpuu\" has no effect"));
  EXPECT_THAT(said(rule + "example.com/gpu, outputs: {cpu: 1}}]}"), Not(HasSubstr("no effect")));
  EXPECT_THAT(said(rule + "cppu, outputs: {cpu: 1}}]}"), HasSubstr("the input \"cppu\""));
  EXPECT_THAT(said("resources: {excludeResourcePrefixes: [cp]}"),
              HasSubstr("\"cp\" excludes cpu, for which a ClusterQueue has a quota"));
}

std::string Binding(const std::string& policy, const std::string& cohort) {
  return "---\napiVersion: muster.dev/v1\nkind: PolicyBinding\nmetadata: {name: b}\nspec: "
         "{policy: " +
         policy + ", cohorts: [" + cohort + "]}\n";
}

TEST(LintBindings, ANameThatIsNearlyThatOfACohortOrPackageIsWarnedOf) {
  const std::string queues = QueueIn("a", "research") + QueueIn("b", "research");
  const auto said = [&](const std::string& binding) {
    return RunCli({"validate", "-f", "-"}, queues + binding).err;
  };
  EXPECT_EQ(said(Binding("small-first", "research")), "");
  EXPECT_THAT(said(Binding("smal-first", "reserach")),
              ::testing::AllOf(HasSubstr("warning: no package \"smal-first\" is active; write "
                                         "\"small-first\" if that is meant"),
                               HasSubstr("warning: no ClusterQueue is in a cohort \"reserach\", so "
                                         "nothing there is bound; write \"research\" if that is "
                                         "meant")));
  EXPECT_THAT(
      said(Binding("our-own-rules", "research")),
      HasSubstr("warning: there is no package \"our-own-rules\", without which muster "
                "schedule -f refuses these files; put it into policies/our-own-rules beside "
                "this file, or activate it in the ledger\n"));
}

TEST(LintBindings, KnowEveryPackageThatComesWithMuster) {
  std::vector<std::string> folders;
  for (const auto& file :
       muster::testing::FilesUnder(muster::testing::SourceDir() / "policies", "policy.lua")) {
    const auto folder = file.parent_path();
    if (folder.parent_path().filename() == "policies") folders.push_back(folder.filename());
  }
  EXPECT_THAT(lab::ShippedPackages(), ::testing::ElementsAreArray(folders));
}

TEST(LintLocalQueues, ANamespaceThatNothingDeclaresBesideSomeThatAreIsWarnedOf) {
  const std::string other = Replaced(Replaced(kTainted, "namespace: lab", "namespace: elsewhere"),
                                     "name: spot, namespace", "name: other, namespace");
  const Said said = RunCli({"validate", "-f", "-"}, kQueues + other);
  EXPECT_THAT(said.err, HasSubstr("no Namespace declares \"elsewhere\", which is created with this "
                                  "LocalQueue; add kind: Namespace, or correct the name"));
}

TEST(LintShares, ThoseThatNoConfigurationTurnsOnAreWarnedOfOnce) {
  const std::string weighted =
      Replaced(Replaced(kQueues, "spec: {clusterQueue: red}",
                        "spec: {clusterQueue: red, fairSharing: {weight: 2}}"),
               "  cohortName: labs\n", "  cohortName: labs\n  fairSharing: {weight: 3}\n");
  const auto said = [&weighted](const std::string& configuration) {
    return RunCli({"validate", "-f", "-"}, weighted +
                                               "---\napiVersion: config.kueue.x-k8s.io/v1beta2\n"
                                               "kind: Configuration\n" +
                                               configuration)
        .err;
  };
  const auto warning = [](const std::string& part) {
    return HasSubstr(
        "warning: fairSharing decides nothing, but in policies that read it: no "
        "Configuration has " +
        part + "; apply one with " + part + ", or remove it\n");
  };
  EXPECT_THAT(said("manageJobsWithoutQueueName: false\n"),
              ::testing::AllOf(warning("fairSharing"), warning("admissionFairSharing")));
  EXPECT_EQ(said("fairSharing: {}\nadmissionFairSharing: {usageHalfLifeTime: 10m, "
                 "usageSamplingInterval: 5m}\n"),
            "");
}

}  // namespace
}  // namespace muster::cli
