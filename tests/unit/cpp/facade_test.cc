// The helpers of muster.h: text and files in, a ready engine out, mistakes as text with places.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "muster/muster.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr const char* kFlavor =
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: a100}\n";

TEST(ApplyYaml, AppliesEveryDocument) {
  Engine engine;
  const Status status = ApplyYaml(engine, kFlavor, 0);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_THAT(*engine.Objects(ObjectKind::kResourceFlavor), SizeIs(1));
}

TEST(ApplyYaml, NamesEveryMistakeOnALineOfItsOwnAndChangesNothing) {
  Engine engine;
  const std::string yaml = std::string(kFlavor) +
                           "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\n"
                           "metadata: {name: 'B C'}\nspce: {}\n";
  const Status status = ApplyYaml(engine, yaml, 0, "flavors.yaml");
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("flavors.yaml:7:18: "));
  EXPECT_THAT(status.message(), HasSubstr("\nflavors.yaml:8:1: "));
  EXPECT_THAT(*engine.Objects(ObjectKind::kResourceFlavor), SizeIs(0));
}

TEST(ApplyYaml, AMissingReferenceIsRefusedUnlessAccepted) {
  constexpr const char* kQueue =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\n"
      "metadata: {name: lq, namespace: ns}\nspec: {clusterQueue: none}\n";
  Engine engine;
  const Status refused = ApplyYaml(engine, kQueue, 0, "q.yaml");
  EXPECT_THAT(refused.message(), HasSubstr("q.yaml:4:22: there is no ClusterQueue none"));
  EXPECT_TRUE(ApplyYaml(engine, kQueue, 0, "q.yaml", MissingReference::kAccept).ok());
}

TEST(ApplyFile, ReadsTheFileAndNamesItInMistakes) {
  const testing::TemporaryDirectory directory;
  Engine engine;
  EXPECT_TRUE(ApplyFile(engine, directory.Write("a.yaml", kFlavor).string(), 0).ok());
  EXPECT_TRUE(ApplyFile(engine, directory.Write("empty.yaml", "").string(), 0).ok());
  const std::string bad = directory.Write("bad.yaml", "kind: Nonsense\n").string();
  EXPECT_THAT(ApplyFile(engine, bad, 0).message(), HasSubstr(bad + ":1:"));
  EXPECT_EQ(ApplyFile(engine, (directory.path() / "none").string(), 0).code(),
            StatusCode::kNotFound);
  EXPECT_FALSE(ApplyFile(engine, directory.path().string(), 0).ok());
}

TEST(LoadPolicy, LoadsAPackageThatTheEngineTakes) {
  const Result<std::shared_ptr<Policy>> policy =
      LoadPolicy((testing::SourceDir() / "policies/small-first").string(), {{"aging", "2h"}});
  ASSERT_TRUE(policy.ok()) << policy.status().message();
  Engine engine;
  EXPECT_TRUE(engine.ActivatePolicy(*policy, 0).ok());
  EXPECT_EQ(LoadPolicy("no/such/folder").status().code(), StatusCode::kNotFound);
}

TEST(WallClock, IsAWholeSecondOfThisCentury) {
  const TimeNs now = WallClock();
  EXPECT_EQ(now % kSecond, 0);
  EXPECT_GT(now, 1767225600 * kSecond);
}

}  // namespace
}  // namespace muster
