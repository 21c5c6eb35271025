// Marks for the queues on pods and on templates of every kind: a misspelt one is told its name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/testing/paths.h"
#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Manifests ReadStrictly(const std::string& text) {
  ParseOptions strict;
  strict.refuse_unread = true;
  return ParseText(text, strict);
}

std::string Pod(const std::string& labels, const std::string& annotations = "") {
  return "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {" + labels +
         "}, annotations: {" + annotations + "}}, spec: {containers: [{name: c}]}}\n";
}

TEST(PodMarks, AMisspeltOneOfAPodIsAMistakeWithTheClosestName) {
  EXPECT_THAT(Messages(ReadStrictly(Pod("kueue.x-k8s.io/quene-name: q"))),
              ElementsAre("f.yaml:1:58: unknown label \"kueue.x-k8s.io/quene-name\"; write "
                          "\"kueue.x-k8s.io/queue-name\""));
  EXPECT_THAT(Messages(ReadStrictly(
                  Pod("kueue.x-k8s.io/queue-name: q", "kueue.x-k8s.io/pod-group-nam: g"))),
              ElementsAre(AllOf(HasSubstr("unknown annotation"),
                                HasSubstr("write \"kueue.x-k8s.io/pod-group-name\""))));
  EXPECT_THAT(Messages(ReadStrictly(Pod("kueue.x-k8s.io/zzzzzzzzzzzzzzzz: q"))),
              ElementsAre(AllOf(HasSubstr("unknown label"), HasSubstr("remove it"))));
}

TEST(PodMarks, AMisspeltPrefixIsOneToo) {
  EXPECT_THAT(Messages(ReadStrictly(Pod("kueue.x-k8s.i/queue-name: q"))),
              ElementsAre(HasSubstr("write \"kueue.x-k8s.io/queue-name\"")));
}

TEST(PodMarks, OneAmongTheWrongMapIsToldTheOther) {
  EXPECT_THAT(Messages(ReadStrictly(Pod("", "kueue.x-k8s.io/queue-name: q"))),
              ElementsAre(AllOf(HasSubstr("has no effect among the annotations"),
                                HasSubstr("write it in metadata.labels"))));
  EXPECT_THAT(Messages(ReadStrictly(Pod("kueue.x-k8s.io/podset-required-topology: rack"))),
              ElementsAre(HasSubstr("write it in metadata.annotations")));
}

TEST(PodMarks, ThoseOfKueueAndOfOthersAreNoMistake) {
  EXPECT_THAT(
      Messages(ReadStrictly(Pod("kueue-team: a, example.com/kueue: b, app: c, "
                                "kueue.x-k8s.io/managed: 'true', kueue.x-k8s.io/podset: main",
                                "kueue.x-k8s.io/role-hash: '1', kueue.x-k8s.io/workload: w"))),
      IsEmpty());
}

/// Each example with a misspelt mark on every template in it, as its text says `template:`.
TEST(PodMarks, TheTemplatesOfEveryKindAreLookedThrough) {
  int kinds = 0;
  for (const auto& path : testing::FilesUnder(testing::SourceDir() / "examples/kinds", ".yaml")) {
    std::string text = testing::ReadFile(path);
    const std::size_t containers = text.find("containers:");
    if (containers == text.npos) continue;
    const std::size_t begin = text.rfind('\n', containers) + 1;
    if (text.find_first_not_of(' ', begin) != containers || begin < 2) continue;
    // The template's metadata stands before its spec, or is made there.
    const std::size_t spec = text.rfind("spec:", containers);
    const std::size_t line = text.rfind('\n', spec) + 1;
    const std::string indent(text.find_first_not_of(' ', line) - line, ' ');
    if (text.find_first_not_of(' ', line) != spec || indent.empty()) continue;
    const std::size_t given = text.rfind("metadata:", spec);
    if (given != text.npos && text.rfind("template:", spec) < given) continue;
    text.insert(line, indent +
                          "metadata: {annotations: {kueue.x-k8s.io/podset-requird-topology: "
                          "rack}}\n");
    ++kinds;
    EXPECT_THAT(Messages(ReadStrictly(text)),
                Contains(AllOf(HasSubstr("unknown annotation"),
                               HasSubstr("\"kueue.x-k8s.io/podset-required-topology\""))))
        << path << "\n"
        << text;
  }
  EXPECT_GE(kinds, 10);
}

}  // namespace
}  // namespace muster::manifest
