// Texts for random calls: manifests, names, kinds, commands and parameters, right ones and wrong
// ones.
#ifndef MUSTER_TESTS_C_LIBRARY_CALLS_TEXTS_H_
#define MUSTER_TESTS_C_LIBRARY_CALLS_TEXTS_H_

#include <array>

namespace muster::testing {

inline constexpr const char* kQueues = R"(
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor,
 metadata: {name: gpu}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck,
 metadata: {name: budget}, spec: {controllerName: finance}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue,
 metadata: {name: one}, spec: {cohortName: all, namespaceSelector: {},
  preemption: {withinClusterQueue: LowerPriority, reclaimWithinCohort: Any},
  resourceGroups: [{coveredResources: [cpu], flavors: [{name: gpu,
    resources: [{name: cpu, nominalQuota: 4}]}]}]}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue,
 metadata: {name: a, namespace: team}, spec: {clusterQueue: one}}
)";
inline constexpr const char* kMoreQueues = R"(
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue,
 metadata: {name: two}, spec: {cohortName: all, namespaceSelector: {},
  admissionChecksStrategy: {admissionChecks: [{name: budget}]},
  resourceGroups: [{coveredResources: [cpu], flavors: [{name: gpu,
    resources: [{name: cpu, nominalQuota: 2}]}]}]}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue,
 metadata: {name: b, namespace: team}, spec: {clusterQueue: two}}
)";
inline constexpr const char* kWorkload = R"(
{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload,
 metadata: {name: shape, namespace: team}, spec: {queueName: a, podSets: [
  {name: main, count: 1,
   template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]}}
)";
inline constexpr const char* kScenario = R"(
steps:
- cycle: 1
  expect: {admitted: {}}
)";
inline constexpr std::array kManifests = {
    kQueues,   kMoreQueues,
    kWorkload, kScenario,
    "",        "{",
    "kind: [", "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: one}}"};
inline constexpr std::array kNames = {"w0",  "w1",  "w2",   "w3", "a",     "b",
                                      "one", "two", "team", "",   "Up per"};
inline constexpr std::array kKinds = {"workloads", "cq",       "lq",    "cohorts", "flavors",
                                      "consumers", "accounts", "nodes", "nothing", ""};
inline constexpr std::array kCommands = {
    R"({"command":"cycle"})",
    R"({"command":"submit","workloads":[{"key":{"namespace":"team","name":"w1"},"queue":"a",
      "podSets":[{"name":"main","count":2,
        "pods":{"containers":[{"name":"c","requests":{"cpu":"1500m"}}]}}]}]})",
    R"({"command":"finish","workloads":[{"namespace":"team","name":"w1"}]})",
    R"([{"command":"cancel","workloads":[{"namespace":"team","name":"w0"}]},{"command":"cycle"}])",
    R"({"command":"evict","workload":{"namespace":"team","name":"w2"},"reason":"Asked"})",
    R"({"command":"update","workload":{"namespace":"team","name":"w1"},
      "reclaimablePods":[{"podSet":"main","count":1}]})",
    R"({"command":"delete","kind":"LocalQueue","key":{"namespace":"team","name":"b"}})",
    R"({"command":"apply","objects":[{"kind":"ResourceFlavor","name":"other"}]})",
    R"({"command":"no such thing"})",
    "[]",
    "{",
};

inline constexpr std::array<const char*, 4> kParams = {nullptr, "{}", R"({"gpus":"4"})", "[1"};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_C_LIBRARY_CALLS_TEXTS_H_
