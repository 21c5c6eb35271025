// Advice on quotas and namespaces that are taken otherwise than they are written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/cli/sample.h"

namespace muster::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(LintLocalQueues, ANamespaceThatALedgerDoesNotHaveIsWarnedOfToo) {
  const muster::testing::TemporaryDirectory directory;
  const std::string db = (directory.path() / "l.ledger").string();
  const auto apply = [&db](const std::string& text) {
    return RunCli({"apply", "-f", "-", "--db", db}, text).err;
  };
  EXPECT_EQ(apply(kQueues), "");
  const std::string local =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: new";
  EXPECT_THAT(apply(local + ", namespace: elsewhere}\nspec: {clusterQueue: red}\n"),
              HasSubstr("warning: no Namespace declares \"elsewhere\", which is created with this "
                        "LocalQueue; add kind: Namespace, or correct the name"));
  EXPECT_THAT(apply(local + "}\nspec: {clusterQueue: red}\n"),
              HasSubstr("no Namespace declares \"default\""));
  EXPECT_EQ(apply(local + ", namespace: elsewhere}\nspec: {clusterQueue: red}\n"), "");
}

TEST(LintDevices, QuotaInPartsOfADeviceSaysWhatItCountsAs) {
  const std::string parts =
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: parts}\n"
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: parts}\n"
      "spec:\n  cohortName: c\n  namespaceSelector: {}\n  resourceGroups:\n"
      "  - coveredResources: [cpu, nvidia.com/gpu]\n"
      "    flavors: [{name: parts, resources: [{name: cpu, nominalQuota: 1500m}, {name: "
      "nvidia.com/gpu, nominalQuota: 1.5, borrowingLimit: 500m, lendingLimit: 300m}]}]\n"
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: c}\n"
      "spec:\n  resourceGroups:\n  - coveredResources: [nvidia.com/gpu]\n"
      "    flavors: [{name: parts, resources: [{name: nvidia.com/gpu, nominalQuota: 2500m}]}]\n";
  for (const char* verb : {"validate", "apply"}) {
    const std::string said = RunCli({verb, "-f", "-"}, parts).err;
    EXPECT_THAT(said, HasSubstr("warning: nominalQuota 1500m of \"nvidia.com/gpu\" counts as 2: a "
                                "device is not divided; write a whole number"));
    EXPECT_THAT(said, HasSubstr("borrowingLimit 500m of \"nvidia.com/gpu\" counts as 1"));
    EXPECT_THAT(said, HasSubstr("lendingLimit 300m of \"nvidia.com/gpu\" counts as 1"));
    EXPECT_THAT(said, HasSubstr("nominalQuota 2500m of \"nvidia.com/gpu\" counts as 3"));
    EXPECT_THAT(said, Not(HasSubstr("cpu")));
  }
}

TEST(Diagnose, AMisspeltWordDoesNotHideWhatIsWrongWithTheQuotasBesideIt) {
  const std::string queue =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: z}\nspec:\n"
      "  namespaceSelector: {}\n  queueingStrategy: BestEffort\n  resourceGroups:\n"
      "  - coveredResources: [cpu, memory]\n    flavors: [{name: spot, resources: [{name: cpu, "
      "nominalQuota: 1, lendingLimit: 1}]}]\n";
  const std::string both = RunCli({"validate", "-f", "-"}, queue).err;
  EXPECT_THAT(both, HasSubstr("BestEffort"));
  const std::string rest =
      RunCli({"validate", "-f", "-"}, Replaced(queue, "BestEffort", "BestEffortFIFO")).err;
  std::size_t mistakes = 0;
  for (std::size_t begin = 0; begin < rest.size();) {
    const std::size_t end = rest.find('\n', begin);
    const std::string line = rest.substr(begin, end - begin);
    begin = end == std::string::npos ? rest.size() : end + 1;
    if (!line.starts_with("stdin:") || line.find("warning: ") != std::string::npos) continue;
    ++mistakes;
    EXPECT_THAT(both, HasSubstr(line));
  }
  EXPECT_GT(mistakes, 1U) << rest;
}

}  // namespace
}  // namespace muster::cli
