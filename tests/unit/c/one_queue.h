// What the tests of the C library apply: one queue of four processors.
#ifndef MUSTER_TESTS_UNIT_C_ONE_QUEUE_H_
#define MUSTER_TESTS_UNIT_C_ONE_QUEUE_H_

namespace muster::testing {

/// LocalQueue jobs of namespace team, ClusterQueue queue.
inline constexpr const char* kOneQueue = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: queue}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: default
      resources: [{name: cpu, nominalQuota: 4}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {namespace: team, name: jobs}
spec: {clusterQueue: queue}
)";

}  // namespace muster::testing

#endif  // MUSTER_TESTS_UNIT_C_ONE_QUEUE_H_
