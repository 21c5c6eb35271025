// An engine with one queue, and objects of job kinds that are submitted, started and observed as a
// gateway does it.
#ifndef MUSTER_TESTS_UNIT_MANIFEST_SETTLED_H_
#define MUSTER_TESTS_UNIT_MANIFEST_SETTLED_H_

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/job_objects.h"
#include "bindings/manifest/named_by_uid.h"
#include "bindings/manifest/observe_objects.h"
#include "tests/testing/builders.h"
#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {

inline constexpr std::string_view kSettledRoom =
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: f}\n---\n"
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: cq}\n"
    "spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, "
    "resources: [{name: cpu, nominalQuota: 10}]}]}]}\n---\n"
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: q}\n"
    "spec: {clusterQueue: cq}\n";
inline constexpr std::string_view kOnePod =
    "{spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}";

class Settled : public ::testing::Test {
 protected:
  Settled() { EXPECT_THAT(Apply(std::string(kSettledRoom)), ::testing::IsEmpty()); }

  /// As a door does it; what is said of it.
  std::vector<std::string> Apply(const std::string& text) {
    Manifests read = ParseText(text);
    NamesByUid names;
    Settle(engine_, &read, &names);
    std::vector<std::string> said = Messages(read);
    if (read.HasErrors()) return said;
    Status status =
        engine_.Apply(read.objects, testing::kNoon, MissingReference::kRefuse, &applied_);
    if (status.ok()) status = Follow(&engine_, read, testing::kNoon, &applied_);
    if (!status.ok()) said.emplace_back(status.message());
    return said;
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    const auto all = engine_.Workloads();
    for (const WorkloadView& each : *all) names.push_back(each.spec.key.name);
    return names;
  }
  std::vector<std::string> Results(const std::string& text) {
    const Source source{"f.yaml", text};
    const auto observed = ObserveAll(
        &engine_, ReadJobObjects({&source, 1}, std::nullopt, testing::kNoon), testing::kNoon);
    if (!observed.ok()) return {std::string(observed.status().message())};
    std::vector<std::string> results;
    for (const Observed& each : *observed) results.push_back(each.result);
    return results;
  }
  void Admit() { EXPECT_TRUE(engine_.RunCycle(testing::kNoon).ok()); }

  Engine engine_;
  std::vector<Applied> applied_;  ///< what became of the objects of the last call
};

inline std::string ObjectText(const std::string& api_version, const std::string& kind,
                              const std::string& metadata, const std::string& rest) {
  return "---\napiVersion: " + api_version + "\nkind: " + kind + "\nmetadata: {name: n" + metadata +
         ", labels: {kueue.x-k8s.io/queue-name: q}}\n" + rest;
}
inline std::string BatchJobText(const std::string& metadata = "", const std::string& rest = "") {
  return ObjectText("batch/v1", "Job", metadata,
                    "spec: {template: " + std::string(kOnePod) + "}\n" + rest);
}
inline std::string SetText(const std::string& metadata = "", const std::string& rest = "") {
  return ObjectText("jobset.x-k8s.io/v1alpha2", "JobSet", metadata,
                    "spec: {replicatedJobs: [{name: w, template: {spec: {template: " +
                        std::string(kOnePod) + "}}}]}\n" + rest);
}
inline std::string PodText(const std::string& name, int total = 3, const std::string& cpu = "1",
                           const std::string& rest = "") {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
         ", labels: {kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/pod-group-name: g}, annotations: "
         "{kueue.x-k8s.io/pod-group-total-count: '" +
         std::to_string(total) +
         "'}}\nspec: {containers: [{name: c, resources: {requests: {cpu: " + cpu + "}}}]}\n" + rest;
}

}  // namespace muster::manifest

#endif  // MUSTER_TESTS_UNIT_MANIFEST_SETTLED_H_
