// Whole calls of Parse: several sources, lists, duplicates, foreign kinds, order of messages.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "bindings/manifest/limits.h"
#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string NamespaceText(std::string_view name) {
  return "{apiVersion: v1, kind: Namespace, metadata: {name: " + std::string(name) + "}}\n";
}

std::vector<std::string> Names(const Manifests& manifests) {
  std::vector<std::string> names;
  for (const Object& object : manifests.objects) names.push_back(KeyOf(object).name);
  return names;
}

TEST(Parse, ObjectsComeInTheOrderOfTheSources) {
  const std::vector<Source> sources = {
      {"b.yaml", NamespaceText("z") + "---\n" + NamespaceText("y")},
      {"a.yaml", NamespaceText("x")}};
  const Manifests manifests = Parse(sources);
  EXPECT_THAT(Names(manifests), ElementsAre("z", "y", "x"));
  EXPECT_FALSE(manifests.HasErrors());
}

TEST(Parse, NothingIsNoMistake) {
  const Manifests manifests = Parse({});
  EXPECT_THAT(manifests.objects, IsEmpty());
  EXPECT_THAT(manifests.diagnostics, IsEmpty());
  EXPECT_EQ(manifests.PlaceOf(0, "spec").line, 0);
}

TEST(Parse, ListsAreUnpackedAtAnyDepth) {
  const Manifests manifests =
      ParseText("{apiVersion: v1, kind: List, metadata: {resourceVersion: ''}, items: [" +
                NamespaceText("a") + ", {apiVersion: v1, kind: List, items: [" +
                NamespaceText("b") + "]}, " + NamespaceText("c") + "]}");
  EXPECT_THAT(Messages(manifests), IsEmpty());
  EXPECT_THAT(Names(manifests), ElementsAre("a", "b", "c"));
}

TEST(Parse, JsonIsReadToo) {
  EXPECT_THAT(
      Names(ParseText(R"({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}})")),
      ElementsAre("a"));
}

TEST(Parse, AMistakeLeavesOutItsObjectOnly) {
  const Manifests manifests =
      ParseText(NamespaceText("a") + "---\n" +
                "{apiVersion: v1, kind: Namespace, metadata: {name: b, x: 1}}\n"
                "---\n" +
                NamespaceText("c"));
  EXPECT_THAT(Names(manifests), ElementsAre("a", "c"));
  EXPECT_TRUE(manifests.HasErrors());
}

TEST(Parse, ForeignKindsCanBeIgnored) {
  const std::string text =
      "{apiVersion: apps/v1, kind: Deployment, anything: goes}\n---\n"
      "{apiVersion: batch.volcano.sh/v1alpha1, kind: Job}\n---\n" +
      NamespaceText("a");
  EXPECT_EQ(Messages(ParseText(text)).size(), 2U);
  ParseOptions options;
  options.ignore_kinds = {"Deployment", "Job"};
  const Manifests manifests = ParseText(text, options);
  EXPECT_THAT(Messages(manifests), IsEmpty());
  EXPECT_THAT(Names(manifests), ElementsAre("a"));
}

TEST(Parse, OurOwnKindsCannotBeIgnored) {
  ParseOptions options;
  options.ignore_kinds = {"Namespace"};
  EXPECT_THAT(Names(ParseText(NamespaceText("a"), options)), ElementsAre("a"));
}

TEST(Parse, TheSameObjectInTwoFilesIsADuplicate) {
  const std::vector<Source> sources = {{"a.yaml", NamespaceText("x")},
                                       {"b.yaml", NamespaceText("x")}};
  const Manifests manifests = Parse(sources);
  EXPECT_THAT(
      Messages(manifests),
      ElementsAre("b.yaml:1:52: Namespace \"x\" is defined twice, first in a.yaml:1:52; remove "
                  "one of them, or rename it"));
  EXPECT_THAT(Names(manifests), ElementsAre("x"));
}

TEST(Parse, OneNameMayServeSeveralKindsAndNamespaces) {
  const std::string queue =
      "{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: x, "
      "namespace: ";
  EXPECT_THAT(
      Messages(ParseText(NamespaceText("x") + "---\n" + queue + "a}}\n---\n" + queue + "b}}\n")),
      IsEmpty());
}

TEST(Parse, MessagesComeByPlace) {
  const Manifests manifests = ParseText(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\n"
      "spec:\n  zzz: 1\n  stopPolicy: X\n  preemption: {withinClusterQueue: Y}\n");
  EXPECT_THAT(Messages(manifests),
              ElementsAre(HasSubstr(":5:3:"), HasSubstr(":6:15:"), HasSubstr(":7:36:")));
}

TEST(Parse, UsesOfAScenarioAreLookedUpInAllSources) {
  const std::vector<Source> sources = {
      {"s.yaml", "{apiVersion: muster.dev/v1, kind: Scenario, steps: [{submit: [n/a, n/b]}]}"},
      {"w.yaml",
       "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: a, namespace: n}}"}};
  EXPECT_THAT(
      Messages(Parse(sources)),
      ElementsAre("s.yaml:1:68: there is no Workload \"n/b\" in these files; write \"n/a\""));
}

TEST(Parse, MessagesAreBounded) {
  std::string text = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n";
  for (std::size_t i = 0; i < kMaxDiagnostics + 7; ++i) text += "  x" + std::to_string(i) + ": 1\n";
  const Manifests manifests = ParseText(text);
  EXPECT_EQ(manifests.diagnostics.size(), kMaxDiagnostics + 1);
  EXPECT_EQ(manifests.diagnostics.back().what, "7 more mistakes are not shown");
}

TEST(Parse, ManyWarningsRefuseNothingAndHideNoError) {
  std::string text;
  for (std::size_t i = 0; i < kMaxDiagnostics + 7; ++i) {
    text +=
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c" + std::to_string(i) + "}\n---\n";
  }
  const Manifests warned = ParseText(text);
  EXPECT_FALSE(warned.HasErrors());
  EXPECT_EQ(warned.diagnostics.size(), kMaxDiagnostics + 1);
  EXPECT_EQ(warned.diagnostics.back().what, "7 more warnings are not shown");

  const Manifests wrong = ParseText(text + "apiVersion: v1\nkind: Namespace\nmetadata: {nam: a}\n");
  EXPECT_TRUE(wrong.HasErrors());
  const auto& all = wrong.diagnostics;
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const Diagnostic& each) {
    return each.what.find("unknown field \"nam\"") != std::string::npos;
  }));
}

TEST(Diagnostic, ShowsWhatIsKnown) {
  Diagnostic diagnostic;
  diagnostic.what = "it is wrong";
  EXPECT_EQ(diagnostic.ToString(), "it is wrong");
  diagnostic.place.file = "f.yaml";
  EXPECT_EQ(diagnostic.ToString(), "f.yaml: it is wrong");
  diagnostic.place.line = 3;
  diagnostic.place.column = 7;
  diagnostic.cure = "write right";
  EXPECT_EQ(diagnostic.ToString(), "f.yaml:3:7: it is wrong; write right");
  diagnostic.severity = Severity::kWarning;
  EXPECT_EQ(diagnostic.ToString(), "f.yaml:3:7: warning: it is wrong; write right");
}

}  // namespace
}  // namespace muster::manifest
