// See admitted_as.h.
#include "bindings/manifest/admitted_as.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "bindings/manifest/containers_digest.h"
#include "bindings/manifest/decode.h"
#include "bindings/manifest/plain.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/slices.h"
#include "bindings/manifest/workload_marks.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/pod.h"
#include "bindings/objects/pod_group.h"
#include "engine/model/requests.h"

namespace muster::manifest {
namespace {

/// As the workload was read, when it was submitted.
PodTemplate TemplateOf(const objects::Value& pod_template) {
  YamlArena arena;
  Reporter reporter;
  const ParseOptions options;
  Decoding decoding{reporter, options};
  PodTemplateText out;
  Read(Value(*NodeOf(pod_template, {}, arena), "template", decoding), &out);
  return std::move(out.pods);
}

/// With limits as requests that are missing, as the quota is charged.
PodTemplate Charged(PodTemplate pods) {
  const Configuration config;
  return FillDefaults(std::move(pods), {config, {}, {}});
}

class Comparison {
 public:
  Comparison(const Engine& engine, const std::string& ns) {
    const Result<std::vector<Object>> ranges = engine.Objects(ObjectKind::kLimitRange);
    if (!ranges.ok()) return;
    has_defaults_ = std::any_of(ranges->begin(), ranges->end(), [&ns](const Object& each) {
      return std::get<LimitRange>(each).key.ns == ns;
    });
  }

  /// `set`: how the podset is called in the answer.
  std::string Pods(const std::string& set, const objects::Value& pod_template,
                   const PodTemplate& known) const {
    return Pods(set, TemplateOf(pod_template), known);
  }
  std::string Pods(const std::string& set, PodTemplate written, const PodTemplate& known) const {
    const PodTemplate asked = Charged(std::move(written));
    const PodTemplate had = Charged(known);
    std::string what = Containers("the containers", set, asked.containers, had.containers);
    if (what.empty()) {
      what = Containers("the init containers", set, asked.init_containers, had.init_containers);
    }
    if (what.empty()) what = Amounts("its pods in " + set, asked.pod_requests, had.pod_requests);
    return what;
  }

 private:
  std::string Containers(const std::string& which, const std::string& set,
                         const std::vector<Container>& asked,
                         const std::vector<Container>& had) const {
    const auto is_same = [](const Container& a, const Container& b) {
      return a.name == b.name && a.restart_always == b.restart_always;
    };
    if (!std::equal(asked.begin(), asked.end(), had.begin(), had.end(), is_same)) {
      return "has other containers in " + set + ": " + which + " are not those";
    }
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const std::string container = "container " + Quoted(asked[i].name) + " of " + set;
      const std::string what = Amounts(container, asked[i].requests, had[i].requests);
      if (!what.empty()) return what;
    }
    return "";
  }

  std::string Amounts(const std::string& of, const ResourceList& asked,
                      const ResourceList& had) const {
    for (const auto& [resource, amount] : asked) {
      const auto known = had.find(resource);
      if (known != had.end() && known->second == amount) continue;
      return Text(of, resource, amount.ToString(),
                  known == had.end() ? "none" : known->second.ToString());
    }
    if (has_defaults_) return "";
    for (const auto& [resource, amount] : had) {
      if (!asked.contains(resource)) return Text(of, resource, "none", amount.ToString());
    }
    return "";
  }

  static std::string Text(const std::string& of, const std::string& resource,
                          const std::string& asked, const std::string& had) {
    return "asks for " + asked + " of " + resource + " in " + of + ", and was admitted with " + had;
  }

  bool has_defaults_ = false;
};

std::string Pods(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " pod" : " pods");
}

/// With fewer pods than it asked for it holds a place for those that it was given.
bool IsCountOf(std::int64_t count, const PodSet& set, const WorkloadView& view) {
  if (count == set.count) return true;
  if (!view.spec.status.admission) return false;
  const auto& assigned = view.spec.status.admission->pod_sets;
  return std::any_of(assigned.begin(), assigned.end(), [&](const PodSetAssignment& each) {
    return each.name == set.name && each.count == count;
  });
}

}  // namespace

std::string DifferenceFrom(const Engine& engine, const WorkloadView& view, const JobObject& job) {
  const std::vector<objects::JobPodSet>& sets = job.workload.sets;
  const auto& known = view.spec.pod_sets;
  if (sets.size() != known.size()) {
    return "has " + std::to_string(sets.size()) + " podsets, and was admitted with " +
           std::to_string(known.size());
  }
  const bool scales_itself = IsElastic(view) && objects::ScalesItself(job.objects.front());
  const Comparison comparison(engine, view.spec.key.ns);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::string name = Quoted(sets[i].name);
    if (sets[i].name != known[i].name) {
      return "has a podset " + name + ", and was admitted with " + Quoted(known[i].name);
    }
    if (!scales_itself && !IsCountOf(sets[i].count, known[i], view)) {
      return "asks for " + Pods(sets[i].count) + " in " + name + ", and was admitted with " +
             std::to_string(known[i].count);
    }
    std::string what = comparison.Pods(name, sets[i].pod_template, known[i].pods);
    if (!what.empty()) return what;
  }
  const std::string other =
      OtherContainers(TextIn(view.spec.annotations, kContainersAnnotation), ContainersDigest(sets));
  if (other.empty()) return "";
  return "has containers in " + Quoted(other) +
         " with another image, command, environment or the like than it was admitted with";
}

bool AsksForTheSame(const Engine& engine, const WorkloadView& known, const Workload& asked) {
  return std::equal(asked.pod_sets.begin(), asked.pod_sets.end(), known.spec.pod_sets.begin(),
                    known.spec.pod_sets.end(),
                    [&known](const PodSet& set, const PodSet& had) {
                      return IsCountOf(set.count, had, known);
                    }) &&
         AsksForTheSamePods(engine, known, asked);
}

bool AsksForTheSamePods(const Engine& engine, const WorkloadView& known, const Workload& asked) {
  const Comparison comparison(engine, known.spec.key.ns);
  return std::equal(asked.pod_sets.begin(), asked.pod_sets.end(), known.spec.pod_sets.begin(),
                    known.spec.pod_sets.end(), [&](const PodSet& set, const PodSet& had) {
                      return set.name == had.name &&
                             comparison.Pods(set.name, set.pods, had.pods).empty();
                    });
}

std::string PodDifferenceFrom(const Engine& engine, const WorkloadView& view,
                              const objects::Value& pod) {
  const std::string role = objects::RoleHash(pod);
  for (const PodSet& set : view.spec.pod_sets) {
    if (set.name != role) continue;
    const objects::Setting setting;
    const objects::JobPodSets sets =
        objects::BuildPodSets(*objects::FindKindRow("v1", "Pod"), pod, setting);
    if (!sets.error.empty()) return sets.error;
    return Comparison(engine, view.spec.key.ns)
        .Pods("role " + Quoted(role), sets.sets.front().pod_template, set.pods);
  }
  return "";
}

std::vector<objects::Value> PodsWithPlace(const WorkloadView& view, const JobObject& job) {
  std::map<std::string, std::int64_t> places;
  for (const PodSet& set : view.spec.pod_sets) places[set.name] = set.count;
  PodRoles known = PodsOfGroup(view.spec);
  for (const std::string& lost : job.group->lost) known.erase(lost);
  for (const auto& [name, role] : known) --places[role];
  std::vector<objects::Value> out;
  for (const objects::Value& pod : job.objects) {
    // One that has failed is not started again: another takes its place.
    if (!objects::FillsPlace(pod)) continue;
    const auto place = places.find(objects::RoleHash(pod));
    const bool is_known = known.contains(std::string(objects::NameOf(pod)));
    if (place == places.end()) continue;
    if (is_known || place->second-- > 0) out.push_back(pod);
  }
  return out;
}

}  // namespace muster::manifest
