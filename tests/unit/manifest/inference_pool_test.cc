// InferencePools go through as they are; what is queued is the Deployment of their pods.
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

std::string Pool(const std::string& spec, const std::string& labels = "{}") {
  return "apiVersion: inference.networking.k8s.io/v1\nkind: InferencePool\nmetadata: {name: web, "
         "labels: " +
         labels + "}\nspec: " + spec + "\n";
}

constexpr const char* kSelector = "{selector: {matchLabels: {app: web}}}";

std::string Deployment(const std::string& labels) {
  return "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: "
         "{kueue.x-k8s.io/queue-name: q}}\nspec: {replicas: 2, template: {metadata: {labels: " +
         labels + "}, spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}\n";
}

TEST(InferencePool, IsServedByTheDeploymentOfItsPodsWhichIsQueued) {
  const Manifests read = ParseText(Pool(kSelector) + Deployment("{app: web, tier: front}"));
  EXPECT_THAT(Messages(read), IsEmpty());
  EXPECT_EQ(read.objects.size(), 2U);  // one for each replica
}

TEST(InferencePool, HasTheSelectorOfItsFirstVersions) {
  const Manifests read = ParseText(Pool("{selector: {app: web}}") + Deployment("{app: web}"));
  EXPECT_THAT(Messages(read), IsEmpty());
}

TEST(InferencePool, SaysWhenNothingRunsItsPods) {
  EXPECT_THAT(Messages(ParseText(Pool(kSelector) + Deployment("{app: other}"))),
              ElementsAre(AllOf(HasSubstr("3:18: warning: InferencePool \"web\" asks for no quota"),
                                HasSubstr("(app=web)"), HasSubstr("give their Deployment"))));
}

TEST(InferencePool, WithoutASelectorIsAMistake) {
  EXPECT_THAT(Messages(ParseText(Pool("{}"))), ElementsAre(HasSubstr("selects no pods; write")));
}

TEST(InferencePool, DoesNotHandItsQueueToItsPods) {
  const std::string pool = Pool(kSelector, "{kueue.x-k8s.io/queue-name: q}");
  EXPECT_THAT(Messages(ParseText(pool + Deployment("{app: web}"))),
              ElementsAre(HasSubstr("has no effect on an InferencePool")));
}

}  // namespace
}  // namespace muster::manifest
