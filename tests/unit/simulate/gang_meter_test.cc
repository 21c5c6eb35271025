// How large a gang had a place while a log was played.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "bindings/simulate/figures.h"
#include "bindings/simulate/simulate.h"
#include "tests/unit/simulate/world.h"

namespace muster::simulate {
namespace {

using ::testing::Each;
using ::testing::SizeIs;

constexpr const char* kTwoRacks = R"(
{apiVersion: v1, kind: Namespace, metadata: {name: default}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: Topology, metadata: {name: dc},
 spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: default},
 spec: {topologyName: dc, nodeLabels: {pool: gpu}}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: a},
 spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [nvidia.com/gpu], flavors: [
   {name: default, resources: [{name: nvidia.com/gpu, nominalQuota: 4}]}]}]}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq-a, namespace: default},
 spec: {clusterQueue: a}}
)";

/// Two racks of two hosts, each with one GPU.
manifest::Manifests TwoRacks() {
  std::string text = kTwoRacks;
  for (const std::string host : {"r1-a", "r1-b", "r2-a", "r2-b"}) {
    text += "---\n{apiVersion: v1, kind: Node, metadata: {name: " + host +
            ", labels: {pool: gpu, rack: " + host.substr(0, 2) +
            ", kubernetes.io/hostname: " + host +
            "}}, status: {conditions: [{type: Ready, status: 'True'}], "
            "allocatable: {nvidia.com/gpu: 1, pods: 10}}}\n";
  }
  const std::vector<manifest::Source> sources = {{"racks.yaml", text}};
  manifest::Manifests read = manifest::Parse(sources);
  EXPECT_THAT(read.diagnostics, SizeIs(0));
  return read;
}

TEST(GangMeter, LooksAtTheMiddleOfEachPart) {
  TraceJob three = Job("three", "a", 0, 100, 3);
  three.pods = 3;
  const std::vector<TraceJob> jobs = {three, Job("one", "a", 150, 100, 1),
                                      Job("last", "a", 200, 1, 1)};
  const auto run = Simulate(TwoRacks(), jobs, To({"a"}), {}, {});
  ASSERT_TRUE(run.ok()) << run.status().message();
  ASSERT_THAT(run->gangs, SizeIs(1)) << "hosts are no gang's domain";
  const GangSeries& racks = run->gangs.front();
  EXPECT_EQ(racks.topology, "dc");
  EXPECT_EQ(racks.level, "rack");
  ASSERT_THAT(racks.series, SizeIs(kSeriesParts));
  // A part is a second: three of four hosts are taken until 100 s, none until 150 s, then one.
  const auto begin = racks.series.begin();
  EXPECT_THAT(std::vector<double>(begin, begin + 100), Each(1));
  EXPECT_THAT(std::vector<double>(begin + 100, racks.series.end()), Each(2));
  const Report report = Summarise(jobs, *run);
  ASSERT_THAT(report.gangs, SizeIs(1));
  EXPECT_DOUBLE_EQ(report.gangs.front().mean, 1.5);
  EXPECT_DOUBLE_EQ(report.gangs.front().least, 1);
}

TEST(GangMeter, WithoutATopologyThereIsNone) {
  const std::vector<TraceJob> jobs = {Job("one", "a", 0, 10, 1), Job("two", "a", 10, 10, 1)};
  const auto run = Simulate(Cluster({Gpus("a", 4)}), jobs, To({"a"}), {}, {});
  ASSERT_TRUE(run.ok());
  EXPECT_THAT(run->gangs, SizeIs(0));
  EXPECT_THAT(Summarise(jobs, *run).gangs, SizeIs(0));
}

}  // namespace
}  // namespace muster::simulate
