// Rules of a workload's spec: its podsets and what their pods ask for.
#include <map>
#include <string>

#include "engine/model/elastic.h"
#include "engine/model/expected_run.h"
#include "engine/model/limits.h"
#include "engine/model/priority_boost.h"
#include "engine/validity/validate_kinds.h"
#include "engine/validity/validate_rules.h"

namespace muster {
namespace {

constexpr std::string_view kPodsResource = "pods";

void CheckRequests(const FieldPath& path, const ResourceList& requests, ProblemList& problems) {
  CheckResources(path, requests, problems);
  if (requests.contains(kPodsResource)) {
    problems.Add(path.Entry(kPodsResource),
                 "pods may not be requested; they are counted by the engine", "remove it");
  }
}

void CheckContainers(const FieldPath& list, std::span<const Container> containers,
                     ProblemList& problems) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const FieldPath item = list.At(i);
    const FieldPath resources = item.Child("resources");
    CheckRequests(resources.Child("requests"), containers[i].requests, problems);
    CheckResources(resources.Child("limits"), containers[i].limits, problems);
  }
}

void CheckAffinity(const FieldPath& terms, std::span<const NodeSelectorTerm> affinity,
                   ProblemList& problems) {
  for (std::size_t i = 0; i < affinity.size(); ++i) {
    const FieldPath term = terms.At(i);
    const FieldPath expressions = term.Child("matchExpressions");
    for (std::size_t e = 0; e < affinity[i].match_expressions.size(); ++e) {
      CheckRequirement(expressions.At(e), affinity[i].match_expressions[e], SelectorUse::kNodes,
                       problems);
    }
    const FieldPath fields = term.Child("matchFields");
    for (std::size_t f = 0; f < affinity[i].match_fields.size(); ++f) {
      const FieldPath field = fields.At(f);
      if (affinity[i].match_fields[f].key == "metadata.name") continue;
      problems.Add(field.Child("key"), "only the field metadata.name can be matched",
                   "write \"metadata.name\", or use matchExpressions for a label");
    }
  }
}

void CheckTemplate(const FieldPath& path, const PodTemplate& pods, ProblemList& problems) {
  const FieldPath spec = path.Child("spec");
  CheckContainers(spec.Child("containers"), pods.containers, problems);
  CheckContainers(spec.Child("initContainers"), pods.init_containers, problems);
  const FieldPath resources = spec.Child("resources");
  CheckRequests(resources.Child("requests"), pods.pod_requests, problems);
  CheckResources(resources.Child("limits"), pods.pod_limits, problems);
  if (pods.overhead) CheckResources(spec.Child("overhead"), *pods.overhead, problems);
  CheckOptionalName(spec.Child("runtimeClassName"), pods.runtime_class, problems);
  CheckOptionalName(spec.Child("priorityClassName"), pods.priority_class, problems);
  CheckLabels(spec.Child("nodeSelector"), pods.node_selector, problems);
  CheckTolerations(spec.Child("tolerations"), pods.tolerations, problems);
  if (pods.required_node_affinity) {
    const FieldPath affinity = spec.Child("affinity");
    const FieldPath node = affinity.Child("nodeAffinity");
    const FieldPath required = node.Child("requiredDuringSchedulingIgnoredDuringExecution");
    CheckAffinity(required.Child("nodeSelectorTerms"), *pods.required_node_affinity, problems);
  }
}

void CheckSlices(const FieldPath& path, std::span<const SliceLayer> slices, ProblemList& problems) {
  CheckSize(path, slices.size(), kMaxSliceLayers, problems);
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (slices[i].level.empty()) problems.Add(path, "a slice needs a level", "name a node label");
    CheckAtLeast(path, slices[i].size, 1, problems);
    if (i == 0 || slices[i].size < 1 || slices[i - 1].size % slices[i].size == 0) continue;
    problems.Add(path,
                 "an inner slice of " + std::to_string(slices[i].size) +
                     " pods does not divide the outer one of " + std::to_string(slices[i - 1].size),
                 "write a size that divides it");
  }
}

/// Segments, which all pods are in.
void CheckSegments(const FieldPath& request, const PodSet& pod_set, ProblemList& problems) {
  const std::vector<SliceLayer>& segments = pod_set.topology->segments;
  if (segments.empty()) return;
  const FieldPath path = request.Child("segments");
  CheckSlices(path, segments, problems);
  if (!pod_set.topology->slices.empty()) {
    problems.Add(path, "segments and slices exclude each other", "keep one of them");
  }
  if (!pod_set.topology->pod_set_group.empty()) {
    problems.Add(path, "podsets that are placed together have no segments",
                 "remove the segments or podSetGroupName");
  }
  if (pod_set.min_count) {
    problems.Add(path, "a podset with minCount has no segments",
                 "remove minCount: segments are for all pods");
  }
  const std::int32_t size = segments.front().size;
  if (size < 1 || pod_set.count % size == 0) return;
  problems.Add(path,
               std::to_string(pod_set.count) + " pods are no multiple of a segment of " +
                   std::to_string(size),
               "write a size that divides " + std::to_string(pod_set.count));
}

void CheckTopologyRequest(const FieldPath& path, const TopologyRequest& request,
                          ProblemList& problems) {
  const int asked = !request.required.empty() + !request.preferred.empty() + request.unconstrained;
  if (asked > 1) {
    problems.Add(path, "required, preferred and unconstrained exclude each other",
                 "keep one of them");
  }
  CheckSlices(path, request.slices, problems);
}

void CheckPodSet(const FieldPath& path, const PodSet& pod_set, ProblemList& problems) {
  CheckShortName(path.Child("name"), pod_set.name, problems);
  CheckAtLeast(path.Child("count"), pod_set.count, 0, problems);
  if (pod_set.min_count) {
    const FieldPath min_count = path.Child("minCount");
    CheckAtLeast(min_count, *pod_set.min_count, 1, problems);
    if (*pod_set.min_count > pod_set.count) {
      problems.Add(min_count, std::to_string(*pod_set.min_count) + " is more than count",
                   "write " + std::to_string(pod_set.count) + " or less");
    }
  }
  if (pod_set.topology) {
    CheckTopologyRequest(path.Child("topologyRequest"), *pod_set.topology, problems);
    CheckSegments(path.Child("topologyRequest"), pod_set, problems);
  }
  CheckTemplate(path.Child("template"), pod_set.pods, problems);
}

/// Podsets that are placed together: exactly two, which ask for the same level.
void CheckGroups(const FieldPath& list, std::span<const PodSet> pod_sets, ProblemList& problems) {
  std::map<std::string_view, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < pod_sets.size(); ++i) {
    if (!pod_sets[i].topology || pod_sets[i].topology->pod_set_group.empty()) continue;
    groups[pod_sets[i].topology->pod_set_group].push_back(i);
  }
  for (const auto& [name, members] : groups) {
    const FieldPath last = list.At(members.back());
    const FieldPath request = last.Child("topologyRequest");
    if (members.size() != 2) {
      problems.AddTolerable(
          request.Child("podSetGroupName"),
          "group " + Quote(name) + " has " + std::to_string(members.size()) + " podsets",
          "give the name to exactly two");
      continue;
    }
    const TopologyRequest& first = *pod_sets[members[0]].topology;
    const TopologyRequest& second = *pod_sets[members[1]].topology;
    if (first.required != second.required || first.preferred != second.preferred) {
      problems.Add(request, "the podsets of group " + Quote(name) + " ask for different levels",
                   "give both the same required or preferred level");
    }
  }
}

void CheckPodSets(const FieldPath& list, std::span<const PodSet> pod_sets, ProblemList& problems) {
  CheckNotEmpty(list, pod_sets.size(), problems);
  CheckSize(list, pod_sets.size(), kMaxPodSets, problems);
  UniqueNames names;
  bool has_min_count = false;
  for (std::size_t i = 0; i < pod_sets.size(); ++i) {
    const FieldPath item = list.At(i);
    CheckPodSet(item, pod_sets[i], problems);
    names.Check(item.Child("name"), pod_sets[i].name, problems);
    if (pod_sets[i].min_count && has_min_count) {
      problems.AddTolerable(item.Child("minCount"), "only one podset may have a minCount",
                            "remove it");
    }
    has_min_count = has_min_count || pod_sets[i].min_count.has_value();
  }
  CheckGroups(list, pod_sets, problems);
  CheckAsked(list, pod_sets, problems);
}

std::string Annotation(std::string_view name) {
  return "metadata.annotations[" + std::string(name) + "]";
}

/// An elastic job changes its size by slices, each of which starts whole.
void CheckSlice(const Workload& workload, ProblemList& problems) {
  const auto replaced = workload.annotations.find(kReplacementForAnnotation);
  if (replaced != workload.annotations.end() && !ParseSliceKey(replaced->second)) {
    problems.AddTolerable(Annotation(kReplacementForAnnotation),
                          Quote(replaced->second) + " names no workload",
                          "write the one that it replaces as namespace/name");
  }
  const auto elastic = workload.annotations.find(kElasticJobAnnotation);
  if (elastic == workload.annotations.end() || elastic->second != "true") return;
  for (const PodSet& pod_set : workload.pod_sets) {
    if (!pod_set.min_count) continue;
    problems.AddTolerable(
        Annotation(kElasticJobAnnotation),
        "an elastic job cannot have a minCount, as podset " + Quote(pod_set.name) + " has",
        "remove one of both");
  }
}

}  // namespace

void Check(const Workload& workload, ProblemList& problems, KnownValid known) {
  if (known == KnownValid::kAllButName) {
    CheckName(FieldPath("metadata").Child("name"), workload.key.name, problems);
    return CheckStatus(workload, problems);
  }
  CheckKey(workload.key, problems);
  CheckLabels(FieldPath("metadata").Child("labels"), workload.labels, problems);
  const FieldPath spec("spec");
  CheckOptionalName(spec.Child("queueName"), workload.queue, problems);
  if (known == KnownValid::kNothing) {
    CheckPodSets(spec.Child("podSets"), workload.pod_sets, problems);
  }
  const FieldPath class_ref = spec.Child("priorityClassRef");
  CheckOptionalName(class_ref.Child("name"), workload.priority_class, problems);
  if (workload.priority_source != PriorityClassSource::kNone && workload.priority_class.empty()) {
    problems.Add(class_ref.Child("name"), "required", "name the priority class");
  }
  const auto boost = workload.annotations.find(kPriorityBoostAnnotation);
  if (boost != workload.annotations.end() && !ParseBoost(boost->second)) {
    problems.AddTolerable(Annotation(kPriorityBoostAnnotation),
                          Quote(boost->second) + " is no boost of a priority",
                          "write a whole number from -2147483648 to 2147483647");
  }
  if (!workload.annotations.empty()) CheckSlice(workload, problems);
  if (workload.max_execution_seconds) {
    CheckAtLeast(spec.Child("maximumExecutionTimeSeconds"), *workload.max_execution_seconds, 1,
                 problems);
  }
  const FieldPath gates = spec.Child("preemptionGates");
  CheckSize(gates, workload.preemption_gates.size(), kMaxPreemptionGates, problems);
  CheckUnique(gates, workload.preemption_gates, problems);
  CheckStatus(workload, problems);
}

void ValidateGiven(const Workload& workload, std::size_t index, std::vector<Problem>& out) {
  if (workload.labels.empty()) return;
  const auto expected = workload.labels.find(kExpectedRunLabel);
  if (expected == workload.labels.end() || ParseExpectedRun(expected->second)) return;
  ProblemList(index, Strictness::kStrict, out)
      .Add("metadata.labels[" + std::string(kExpectedRunLabel) + "]",
           Quote(expected->second) + " is no time that it may be expected to run",
           "write whole seconds from 1 to " + std::to_string(kLongestExpectedRun));
}

}  // namespace muster
