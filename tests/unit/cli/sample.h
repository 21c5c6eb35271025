// A small cluster for the tests of the verbs: red and blue share a cohort, 4 cpus each, and blue
// may reclaim. `train` borrows, so `serve` of blue has to push it out.
#ifndef MUSTER_TESTS_UNIT_CLI_SAMPLE_H_
#define MUSTER_TESTS_UNIT_CLI_SAMPLE_H_

#include <cstddef>
#include <string>

namespace muster::cli {

/// `text` with `to` in the first place where it has `from`; where it has none, no manifest at all.
inline std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  return at == std::string::npos ? "not in the text: " + from : text.replace(at, from.size(), to);
}

inline constexpr const char* kQueues = R"(apiVersion: v1
kind: Namespace
metadata: {name: lab}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: red}
spec:
  namespaceSelector: {}
  cohortName: labs
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: default
      resources: [{name: cpu, nominalQuota: 4}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: blue}
spec:
  namespaceSelector: {}
  cohortName: labs
  preemption: {reclaimWithinCohort: Any}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: default
      resources: [{name: cpu, nominalQuota: 4}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: red, namespace: lab}
spec: {clusterQueue: red}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: blue, namespace: lab}
spec: {clusterQueue: blue}
)";

/// A job of red that needs 6 cpus, and one that finds no room beside it.
inline constexpr const char* kRedJobs = R"(---
apiVersion: batch/v1
kind: Job
metadata: {name: train, namespace: lab, labels: {kueue.x-k8s.io/queue-name: red}}
spec:
  template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 6}}}]}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: wait, namespace: lab, labels: {kueue.x-k8s.io/queue-name: red}}
spec:
  template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 3}}}]}}
)";

/// As kRedJobs, then a job of blue, which takes back what blue lent.
inline constexpr const char* kReclaim = R"(---
apiVersion: batch/v1
kind: Job
metadata: {name: serve, namespace: lab, labels: {kueue.x-k8s.io/queue-name: blue}}
spec:
  template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 4}}}]}}
---
apiVersion: muster.dev/v1
kind: Scenario
now: '2026-01-01T12:00:00Z'
steps:
- cycle: 1
- submit: [lab/job-serve]
- cycle: 1
)";

}  // namespace muster::cli

#endif  // MUSTER_TESTS_UNIT_CLI_SAMPLE_H_
