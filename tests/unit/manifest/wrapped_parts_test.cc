// Parts of an AppWrapper that Kueue takes without asking quota for their pods are told of.
#include "bindings/manifest/wrapped_parts.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What is said of a wrapper with a Job and this component.
std::vector<std::string> SaidOfComponent(const std::string& component) {
  const std::string pods = "{spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}";
  const Manifests read = ParseText(
      "apiVersion: workload.codeflare.dev/v1beta2\nkind: AppWrapper\n"
      "metadata: {name: w, labels: {kueue.x-k8s.io/queue-name: q}}\nspec:\n  components:\n"
      "  - template: {apiVersion: batch/v1, kind: Job, spec: {template: " +
      pods + "}}\n  - " + component + "\n");
  EXPECT_FALSE(read.HasErrors());
  EXPECT_EQ(read.objects.size(), 1U);
  return Messages(read);
}

TEST(WrappedParts, PodsOfAKindThatIsNotReadAreWarnedOf) {
  for (const char* head : {"apps/v1, kind: DaemonSet", "kubeflow.org/v1, kind: TFJob",
                           "batch/v1, kind: CronJob", "example.com/v1, kind: Jobb"}) {
    EXPECT_THAT(SaidOfComponent("template: {apiVersion: " + std::string(head) + ", spec: {}}"),
                ElementsAre(HasSubstr("f.yaml:7:")))
        << head;
  }
}

TEST(WrappedParts, AKindWithoutPodsAndOneWhosePodsAreToldAreNot) {
  EXPECT_THAT(SaidOfComponent("template: {apiVersion: v1, kind: ConfigMap}"), IsEmpty());
  EXPECT_THAT(
      SaidOfComponent("{template: {apiVersion: example.com/v1, kind: Jobb, spec: {t: {spec: "
                      "{containers: [{name: c}]}}}}, podSets: [{path: template.spec.t}]}"),
      IsEmpty());
}

TEST(WrappedParts, APathThatLeadsNowhereIsWarnedOf) {
  const std::string job = "{template: {apiVersion: batch/v1, kind: Job, spec: {template: {}}}, ";
  EXPECT_THAT(SaidOfComponent(job + "podSets: [{path: template.spec.nope}]}"),
              ElementsAre(HasSubstr("no queue is charged for its pods")));
  EXPECT_THAT(SaidOfComponent(job + "podSets: [{path: template.kind}]}"),
              ElementsAre(HasSubstr("leads to no pod template")));
}

}  // namespace
}  // namespace muster::manifest
