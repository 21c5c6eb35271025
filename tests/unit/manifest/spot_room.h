// A queue of one flavor whose nodes have a label, so that a start has something to say.
#ifndef MUSTER_TESTS_UNIT_MANIFEST_SPOT_ROOM_H_
#define MUSTER_TESTS_UNIT_MANIFEST_SPOT_ROOM_H_

#include <string_view>

namespace muster::manifest {

inline constexpr std::string_view kSpotRoom = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: spot}
spec: {nodeLabels: {pool: spot}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu, memory]
    flavors:
    - name: spot
      resources: [{name: cpu, nominalQuota: 20}, {name: memory, nominalQuota: 20Gi}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: q, namespace: default}
spec: {clusterQueue: cq}
)";

}  // namespace muster::manifest

#endif  // MUSTER_TESTS_UNIT_MANIFEST_SPOT_ROOM_H_
