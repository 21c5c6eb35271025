// A cluster of racks as manifests: a queue whose flavors are of a topology, and hosts.
#ifndef MUSTER_TESTS_UNIT_CLI_RACKS_H_
#define MUSTER_TESTS_UNIT_CLI_RACKS_H_

#include <string>
#include <vector>

namespace muster::cli {

/// Topology `dc` of blocks, racks and hosts; namespace `ml` with LocalQueue `q`, of ClusterQueue
/// `ml`, which has `quota` of the resource on each of the flavors, in order. Hosts of a flavor have
/// label `pool` with its name.
inline std::string RacksOf(const std::vector<std::string>& flavors, const std::string& resource,
                           int quota) {
  std::string quotas;
  std::string objects = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: dc}
spec: {levels: [{nodeLabel: block}, {nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: v1
kind: Namespace
metadata: {name: ml}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: q, namespace: ml}
spec: {clusterQueue: ml}
)";
  for (const std::string& flavor : flavors) {
    objects += "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: " +
               flavor + "}\nspec: {topologyName: dc, nodeLabels: {pool: " + flavor + "}}\n";
    quotas += std::string(quotas.empty() ? "" : ", ") + "{name: " + flavor +
              ", resources: [{name: " + resource + ", nominalQuota: " + std::to_string(quota) +
              "}]}";
  }
  return objects +
         "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: ml}\n"
         "spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [" +
         resource + "], flavors: [" + quotas + "]}]}\n";
}

/// Host `name` of a rack in block `b`, with that much: "cpu: 4".
inline std::string HostOf(const std::string& name, const std::string& rack,
                          const std::string& flavor, const std::string& amount,
                          bool cordoned = false) {
  return "---\napiVersion: v1\nkind: Node\nmetadata: {name: " + name +
         ", labels: {block: b, rack: " + rack + ", pool: " + flavor +
         ", kubernetes.io/hostname: " + name +
         "}}\nspec: {unschedulable: " + (cordoned ? "true" : "false") +
         "}\nstatus: {allocatable: {" + amount +
         ", pods: 10}, conditions: [{type: Ready, status: \"True\"}]}\n";
}

}  // namespace muster::cli

#endif  // MUSTER_TESTS_UNIT_CLI_RACKS_H_
