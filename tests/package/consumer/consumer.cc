// One queue, one job, one decision, from the installed headers and libraries alone.
#include <cstdio>

#include "muster/muster.h"

constexpr const char* kObjects = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team}
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
metadata: {name: main, namespace: default}
spec: {clusterQueue: team}
---
apiVersion: batch/v1
kind: Job
metadata: {name: one, namespace: default, labels: {kueue.x-k8s.io/queue-name: main}}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, image: i, resources: {requests: {cpu: 3}}}]
)";

int main() {
  muster::Engine engine;
  const muster::TimeNs now = muster::WallClock();
  const muster::Status applied = muster::ApplyYaml(engine, kObjects, now);
  const auto cycle = engine.RunCycle(now);
  if (!applied.ok() || !cycle.ok() || cycle->admitted.size() != 1) {
    std::printf("expected one admission: %s\n", applied.message().c_str());
    return 1;
  }
  std::printf("admitted %s\n", cycle->admitted[0].workload.name.c_str());
}
