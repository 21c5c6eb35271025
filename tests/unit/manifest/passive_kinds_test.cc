// A team's folder holds more than jobs: what can never ask for quota is passed by with a note each
// kind, what runs pods is not, and an unknown kind stays a mistake.
#include "bindings/manifest/passive_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Document(const std::string& version, const std::string& kind) {
  return "---\n{apiVersion: " + version + ", kind: " + kind + ", metadata: {name: x}, data: {}}\n";
}

TEST(PassiveKinds, AFolderOfATeamIsReadWithANoteEachKind) {
  const std::string job =
      "---\n{apiVersion: batch/v1, kind: Job, metadata: {name: j, labels: "
      "{kueue.x-k8s.io/queue-name: q}}, spec: {template: {spec: {containers: [{name: c}]}}}}\n";
  const Manifests read =
      ParseText(Document("v1", "ConfigMap") + Document("v1", "Service") + job +
                Document("v1", "ConfigMap") + Document("rbac.authorization.k8s.io/v1", "Role") +
                Document("networking.k8s.io/v1", "Ingress"));
  EXPECT_THAT(
      Messages(read),
      ElementsAre(
          "f.yaml:2:24: warning: 2 of kind ConfigMap ask for no quota and are skipped, this one "
          "first; --ignore-kinds ConfigMap skips them without this note",
          AllOf(HasSubstr("f.yaml:4:24: warning: the Service asks for no quota and is skipped")),
          AllOf(HasSubstr("f.yaml:10:50: warning: the Role asks")),
          HasSubstr("warning: the Ingress asks")));
  EXPECT_FALSE(read.HasErrors());
  EXPECT_EQ(read.objects.size(), 1U);
  EXPECT_TRUE(read.all_named);
}

TEST(PassiveKinds, ThoseOfAListAreNoted) {
  const Manifests read = ParseText(
      "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Secret, metadata: {name: s}}]}");
  EXPECT_THAT(Messages(read), ElementsAre(HasSubstr("warning: the Secret asks for no quota")));
}

TEST(PassiveKinds, IgnoringThemIsSilent) {
  ParseOptions options;
  options.ignore_kinds = {"Secret"};
  EXPECT_THAT(Messages(ParseText(Document("v1", "Secret"), options)), IsEmpty());
}

TEST(PassiveKinds, AKindOfThatNameInAnotherGroupIsNone) {
  for (const auto& [version, kind] :
       {std::pair{"serving.knative.dev/v1", "Service"}, {"v2", "Service"}, {"apps/v1", "Secret"}}) {
    EXPECT_TRUE(ParseText(Document(version, kind)).HasErrors()) << version << " " << kind;
  }
}

TEST(PassiveKinds, WhatRunsPodsIsNoneAndSaysWhatToDo) {
  const auto message = [](const std::string& version, const std::string& kind) {
    EXPECT_FALSE(IsPassiveKind(version.substr(0, version.find('/')), kind));
    const Manifests read = ParseText(Document(version, kind));
    EXPECT_TRUE(read.HasErrors()) << kind;
    return read.diagnostics.empty() ? "" : read.diagnostics.front().ToString();
  };
  EXPECT_THAT(message("apps/v1", "DaemonSet"), HasSubstr("its pods follow the nodes"));
  EXPECT_THAT(message("v1", "ReplicationController"), HasSubstr("write a Deployment"));
  EXPECT_THAT(message("serving.knative.dev/v1", "Service"), HasSubstr("it runs pods"));
  EXPECT_THAT(message("argoproj.io/v1alpha1", "Workflow"), HasSubstr("it runs pods"));
  EXPECT_THAT(message("kubeflow.org/v1", "Notebook"), HasSubstr("declare it by a JobKind"));
  EXPECT_THAT(message("example.com/v1", "Widget"),
              AllOf(HasSubstr("unknown kind \"Widget\""), HasSubstr("--ignore-kinds Widget"),
                    HasSubstr("JobKind")));
}

}  // namespace
}  // namespace muster::manifest
