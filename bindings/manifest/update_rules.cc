// See update_rules.h.
#include "bindings/manifest/update_rules.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "bindings/manifest/containers_digest.h"
#include "bindings/manifest/group_pods.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/slices.h"
#include "bindings/manifest/well_known.h"
#include "bindings/manifest/workload_marks.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/value.h"
#include "engine/model/admission_gate.h"
#include "engine/model/elastic.h"

namespace muster::manifest {
namespace {

constexpr std::string_view kLeave = "leave it as it was";

std::string LabelField(std::string_view mark) {
  return "metadata.labels[" + std::string(mark) + "]";
}
std::string AnnotationField(std::string_view mark) {
  return "metadata.annotations[" + std::string(mark) + "]";
}

/// By the label; of one that came from Kueue only the class is known, which `default` gives to all.
bool HadClass(const Workload& known) {
  if (!TextIn(known.labels, kPriorityClassLabel).empty()) return true;
  return known.priority_source == PriorityClassSource::kWorkloadPriorityClass &&
         known.priority_class != "default";
}

bool HasSameRequests(const std::vector<Container>& a, const std::vector<Container>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const Container& x, const Container& y) { return x.requests == y.requests; });
}

/// The first field of the pods' spec that makes another role of them; empty: they have the same.
std::string_view ChangedField(const PodTemplate& before, const PodTemplate& after) {
  if (!HasSameRequests(before.containers, after.containers)) return "containers";
  if (!HasSameRequests(before.init_containers, after.init_containers)) return "initContainers";
  if (before.node_selector != after.node_selector) return "nodeSelector";
  if (before.tolerations != after.tolerations) return "tolerations";
  if (before.required_node_affinity != after.required_node_affinity ||
      before.preferred_node_affinity != after.preferred_node_affinity) {
    return "affinity";
  }
  if (before.overhead != after.overhead) return "overhead";
  if (before.runtime_class != after.runtime_class) return "runtimeClassName";
  return before.pod_requests != after.pod_requests ? "resources" : "";
}

std::int64_t PodsOf(const Workload& workload) {
  std::int64_t pods = 0;
  for (const PodSet& set : workload.pod_sets) pods += set.count;
  return pods;
}

std::string FromTo(std::int64_t before, std::int64_t after) {
  return "cannot change from " + std::to_string(before) + " to " + std::to_string(after);
}

class Rules {
 public:
  Rules(const Workload& known, const Workload& workload) : known_(known), workload_(workload) {}

  /// A StatefulSet may get a class at any time, for it has no effect.
  void Marks(std::string_view kind, bool minds_gates) {
    const bool has_class = !TextIn(workload_.labels, kPriorityClassLabel).empty();
    if (HadClass(known_) && !has_class) {
      Say(LabelField(kPriorityClassLabel), "cannot be removed");
    } else if (!HadClass(known_) && has_class && HasQuota(known_) && kind != "StatefulSet" &&
               known_.priority_source != PriorityClassSource::kWorkloadPriorityClass) {
      Say(LabelField(kPriorityClassLabel), "cannot be added while quota is reserved");
    }
    const auto is_elastic = [](const Workload& each) {
      return TextIn(each.annotations, kElasticJobAnnotation) == "true";
    };
    if (is_elastic(known_) != is_elastic(workload_)) {
      Say(AnnotationField(kElasticJobAnnotation), "cannot change");
    }
    if (!minds_gates) return;
    const auto gates = [](const Workload& each) {
      return NamesIn(TextIn(each.annotations, kAdmissionGatedByAnnotation));
    };
    const std::set<std::string> before = gates(known_);
    const std::set<std::string> after = gates(workload_);
    if (!std::includes(before.begin(), before.end(), after.begin(), after.end())) {
      Say(AnnotationField(kAdmissionGatedByAnnotation), "cannot get a gate later",
          "name it when the job is created");
    }
  }

  /// What a workload keeps of its containers is compared by the engine, the rest here.
  void Containers(bool has_ended) {
    const std::string other = OtherContainers(TextIn(known_.annotations, kContainersAnnotation),
                                              TextIn(workload_.annotations, kContainersAnnotation));
    if (other.empty()) return;
    const std::string field = "the containers of " + Quoted(other);
    const std::string name = known_.key.ToString();
    if (has_ended) {
      Say(field, "may not change: workload " + name + " has ended, and this is another one",
          "forget the old one first (muster cancel " + name + "), or write another name");
    } else if (HasQuota(known_)) {
      Say(field, "may not change while quota is reserved: workload " + name + " holds it",
          "write the old image, command and environment, or submit another workload");
    }
  }

  /// What was made by an earlier version, or imported, does not tell: it has no digest either.
  void Completions() {
    const auto syncs = [](const Workload& each) {
      return objects::TruthValue(TextIn(each.annotations, kSyncCompletionsAnnotation))
          .value_or(false);
    };
    const bool tells = known_.annotations.contains(kSyncCompletionsAnnotation) ||
                       known_.annotations.contains(kContainersAnnotation);
    if (HasQuota(known_) && tells && syncs(known_) != syncs(workload_)) {
      Say(AnnotationField(kSyncCompletionsAnnotation), "cannot change while quota is reserved");
    }
  }

  void StatefulSet() {
    const std::int64_t before = PodsOf(known_);
    const std::int64_t after = PodsOf(workload_);
    if (before != after) {
      Say("spec.replicas", FromTo(before, after), "scale it to 0 first, or leave it as it was");
    }
    Templates("spec.template");
  }

  void LeaderWorkerSet() {
    const std::string part = "spec.leaderWorkerTemplate.";
    if (known_.pod_sets.size() != workload_.pod_sets.size()) {
      const bool comes = known_.pod_sets.size() < workload_.pod_sets.size();
      return Say(part + "leaderTemplate",
                 std::string("cannot be ") + (comes ? "added" : "removed") + " later");
    }
    const std::int64_t before = PodsOf(known_);
    const std::int64_t after = PodsOf(workload_);
    if (before != after) Say(part + "size", FromTo(before, after));
    Templates("");
  }

  std::vector<UpdateProblem> Take() { return std::move(problems_); }

 private:
  /// `field` is that of the template; empty: named by the podset, of a LeaderWorkerSet.
  void Templates(const std::string& field) {
    for (const PodSet& after : workload_.pod_sets) {
      for (const PodSet& before : known_.pod_sets) {
        if (before.name != after.name) continue;
        const std::string_view changed = ChangedField(before.pods, after.pods);
        if (changed.empty()) continue;
        const std::string own = std::string("spec.leaderWorkerTemplate.") +
                                (after.name == "leader" ? "leader" : "worker") + "Template";
        Say((field.empty() ? own : field) + ".spec." + std::string(changed),
            "cannot change while it is queued");
      }
    }
  }

  void Say(std::string field, std::string what, std::string_view cure = kLeave) {
    problems_.push_back({std::move(field), std::move(what), std::string(cure)});
  }

  const Workload& known_;
  const Workload& workload_;
  std::vector<UpdateProblem> problems_;
};

}  // namespace

std::vector<UpdateProblem> UpdateProblems(std::string_view kind, const WorkloadView& known,
                                          const Workload& workload, bool minds_gates) {
  Rules rules(known.spec, workload);
  const bool has_ended = known.phase == WorkloadPhase::kFinished;
  rules.Containers(has_ended);
  if (has_ended) return rules.Take();
  rules.Marks(kind, minds_gates);
  if (kind == "Job") rules.Completions();
  // One that was scaled to nothing may come back with other pods.
  if (known.spec.active && !HasQuota(known.spec)) {
    if (kind == "StatefulSet") rules.StatefulSet();
    if (kind == "LeaderWorkerSet") rules.LeaderWorkerSet();
  }
  return rules.Take();
}

std::vector<UpdateProblem> PodProblems(const Engine& engine, const std::vector<GivenPod>& pods,
                                       const Key& own, const std::optional<WorkloadView>& known,
                                       GroupsByPod* groups) {
  std::vector<UpdateProblem> problems;
  if (pods.empty()) return problems;
  const PodRoles members = known ? PodsOfGroup(known->spec) : PodRoles();
  const std::set<std::string> kept =
      known ? NotRetriablePodsOf(known->spec) : std::set<std::string>();
  for (const GivenPod& pod : pods) {
    const std::string of_pod = "of Pod " + Quoted(pod.name) + " cannot ";
    if (members.contains(pod.name)) {
      if (pod.not_retriable || !kept.contains(pod.name)) continue;
      problems.push_back({AnnotationField(objects::mark::kRetriable),
                          of_pod + "be taken back, for it was \"false\"",
                          "write \"false\", or make another group", pod.retriable});
    } else if (const auto group = groups->OtherGroupOf(engine, pod.name, own)) {
      problems.push_back({pod.group_field,
                          of_pod + "change: it is one of the pod group " +
                              Quoted(group->ToString()) + ", which has not ended",
                          "leave it as it was, or make another pod", pod.group});
    }
  }
  return problems;
}

std::optional<UpdateProblem> ReturnProblem(const WorkloadView& known, const Workload& workload,
                                           std::int64_t replicas_left) {
  const bool is_gone = known.phase == WorkloadPhase::kFinished || known.spec.active;
  if (is_gone || (replicas_left <= 0 && !HasQuota(known.spec))) return std::nullopt;
  const std::string cannot = "cannot be " + std::to_string(PodsOf(workload)) + " again while ";
  if (replicas_left > 0) {
    return UpdateProblem{
        "spec.replicas",
        cannot + "pods of before are left: status.replicas is " + std::to_string(replicas_left),
        "leave it at 0 until status.replicas is 0"};
  }
  return UpdateProblem{
      "spec.replicas",
      cannot + "workload " + known.spec.key.ToString() + " holds quota for pods of before",
      "leave it at 0 until the workload is on hold: muster observe or evicted tells that its pods "
      "are gone"};
}

bool KeepClass(std::string_view kind, const Workload& known, Workload* workload) {
  const std::string written = TextIn(workload->labels, kPriorityClassLabel);
  const bool names_pods = known.priority_source == PriorityClassSource::kPodPriorityClass;
  const bool keeps = kind == "StatefulSet" || names_pods;
  if (!keeps || written.empty() || known.priority_class == written) return false;
  workload->priority_source = known.priority_source;
  workload->priority_class = known.priority_class;
  // Without any class a label would count as one.
  if (known.priority_source == PriorityClassSource::kNone) {
    workload->labels.Mutable().erase(std::string(kPriorityClassLabel));
  }
  return true;
}

}  // namespace muster::manifest
