#include "bindings/objects/webhook.h"

#include <algorithm>

#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/owners.h"
#include "bindings/objects/pod.h"
#include "bindings/objects/topology.h"

namespace muster::objects {
namespace {

bool IsQueuedByItself(const Value& object, const Setting& setting) {
  if (!QueueOf(object).empty()) return true;
  return setting.manage_without_queue && setting.SelectsNamespace(NamespaceOf(object));
}

void SetDefaults(const KindRow& row, Value& object, const Setting& setting) {
  if (row.Is("Pod") && ManagedAncestor(object, setting).object != nullptr) return;
  const std::string ns = NamespaceOf(object);
  const bool is_owned = IsOwnedByManagedKind(object, setting);
  if (QueueOf(object).empty() && !is_owned && setting.HasDefaultQueue(ns) &&
      setting.SelectsNamespace(ns)) {
    object.Make({"metadata", "labels"}).Set(mark::kQueue, Value::Text("default"));
  }
  if (Label(object, mark::kPriorityClass).empty() && !is_owned &&
      setting.GateIsOn("WorkloadPriorityClassDefaulting") &&
      setting.Find("WorkloadPriorityClass", "", "default") != nullptr) {
    object.Make({"metadata", "labels"}).Set(mark::kPriorityClass, Value::Text("default"));
  }
}

/// Whether the ClusterQueue of the object's queue hands jobs to other clusters.
bool GoesElsewhere(const Value& object, const Setting& setting) {
  const Value* queue = setting.Find("LocalQueue", NamespaceOf(object), QueueOf(object));
  if (queue == nullptr) return false;
  const Value* cluster = setting.Find("ClusterQueue", "", queue->At({"spec", "clusterQueue"}).text);
  if (cluster == nullptr) return false;
  std::vector<std::string_view> checks;
  for (const Value& each : cluster->At({"spec", "admissionChecks"}).items) {
    checks.push_back(each.text);
  }
  for (const std::string_view list : {"admissionChecks", "admissionChecksStrategy"}) {
    const Value& strategy = cluster->At({"spec", "admissionChecksStrategy", list});
    for (const Value& each : strategy.items) checks.push_back(each.TextAt("name"));
  }
  for (const std::string_view name : checks) {
    const Value* check = setting.Find("AdmissionCheck", "", name);
    if (check != nullptr && check->At({"spec", "controllerName"}).text == mark::kMultiKueue) {
      return true;
    }
  }
  return false;
}

void SetManager(const KindRow& row, Value& object, const Setting& setting) {
  if (row.managed_by.empty()) return;
  const Value& manager = object.At(row.managed_by);
  if (!manager.text.empty() && manager.text != row.own_manager) return;
  if (GoesElsewhere(object, setting)) {
    object.Make(row.managed_by) = Value::Text(mark::kMultiKueue);
  }
}

void PreparePod(Value& pod, const KindRow& row, const Setting& setting) {
  const bool has_parent = HasAnnotation(pod, mark::kSuspendingParent);
  if (!has_parent) {
    if (!setting.SelectsNamespace(NamespaceOf(pod))) return;
    SetDefaults(row, pod, setting);
    if (!IsToBeQueued(pod, setting)) return;
    Value& finalizers = pod.Make({"metadata", "finalizers"});
    if (!finalizers.IsList()) finalizers = Value::List();
    const Value ours = Value::Text(mark::kManaged);
    if (std::find(finalizers.items.begin(), finalizers.items.end(), ours) ==
        finalizers.items.end()) {
      finalizers.items.push_back(ours);
    }
    pod.Make({"metadata", "labels"}).Set(mark::kManaged, Value::Text("true"));
  }
  const std::string hash = RoleHash(pod);
  AddGate(pod, mark::kAdmissionGate);
  if (setting.GateIsOn("TopologyAwareScheduling")) {
    if (HasAnnotation(pod, mark::kGroupPodIndexLabel)) {
      const std::string index(Label(pod, Annotation(pod, mark::kGroupPodIndexLabel)));
      pod.Make({"metadata", "labels"}).Set(mark::kGroupPodIndex, Value::Text(index));
    }
    AddGate(pod, mark::kTopologyGate);
  }
  pod.Make({"metadata", "annotations"}).Set(mark::kRoleHash, Value::Text(hash));
}

// ---- rules -------------------------------------------------------------------------------------

constexpr std::string_view kNameCure = "use lower case letters, digits, '-' and '.'";

void CheckQueueName(const Value& object, FieldErrors* errors) {
  if (!HasLabel(object, mark::kQueue) || IsSubdomain(QueueOf(object))) return;
  errors->push_back(
      Invalid(LabelField(mark::kQueue), "is no DNS subdomain", std::string(kNameCure)));
}

void CheckPrebuilt(const KindRow& row, const Value& object, const Setting& setting,
                   FieldErrors* errors) {
  const std::string_view name = PrebuiltOf(object, setting);
  if (PrebuiltField(object, setting).empty()) return;
  const std::string field = PrebuiltField(object, setting);
  if (!row.takes_prebuilt) {
    errors->push_back(Forbidden(field, "is not possible for this kind", "remove it"));
  }
  if (!IsSubdomain(name)) {
    errors->push_back(Invalid(field, "is no DNS subdomain", std::string(kNameCure)));
  }
}

void CheckMaxTime(const Value& object, FieldErrors* errors) {
  if (!HasLabel(object, mark::kMaxExecTime)) return;
  const auto seconds = WholeNumber(Label(object, mark::kMaxExecTime));
  if (seconds && *seconds > 0) return;
  errors->push_back(Invalid(LabelField(mark::kMaxExecTime), "must be a whole number from 1",
                            "write seconds, for example \"3600\""));
}

void CheckElastic(const KindRow& row, const Value& object, FieldErrors* errors) {
  if (row.can_be_elastic || Annotation(object, mark::kElastic) != "true") return;
  errors->push_back(
      Forbidden(AnnotationField(mark::kElastic), "is not possible for this kind", "remove it"));
}

std::vector<std::string> GatesOf(const Value& object) {
  std::vector<std::string> gates;
  std::string_view text = Annotation(object, mark::kGatedBy);
  if (text.empty()) return gates;
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    gates.emplace_back(part);
    if (comma == std::string_view::npos) return gates;
    text.remove_prefix(comma + 1);
  }
}

bool IsDomainPath(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || !IsSubdomain(text.substr(0, slash))) return false;
  const std::string_view path = text.substr(slash + 1);
  constexpr std::string_view kOthers = "/-._~%!$&'()*+,;=:";
  return !path.empty() && std::all_of(path.begin(), path.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kOthers.find(c) != std::string_view::npos;
  });
}

void CheckGatedBy(const Value& object, FieldErrors* errors) {
  const std::vector<std::string> gates = GatesOf(object);
  const std::string field = AnnotationField(mark::kGatedBy);
  for (auto gate = gates.begin(); gate != gates.end(); ++gate) {
    if (gate->empty()) {
      errors->push_back(Invalid(field, "has an empty name", "remove the comma too many"));
    } else if (std::find(gates.begin(), gate, *gate) != gate) {
      errors->push_back(Invalid(field, "names a gate twice", "remove one"));
    } else {
      if (!IsDomainPath(*gate)) {
        errors->push_back(Invalid(field, "has a name that is no domain/path",
                                  "write for example example.com/approval"));
      }
      if (gate->size() > 63) {
        errors->push_back(
            Wrong("TooLong", field, "has a name of more than 63 characters", "shorten it"));
      }
    }
  }
}

std::string CureOf(const JobPodSets& sets) {
  if (sets.field == "spec.runtimeRef.name")
    return "add the runtime to the files, or correct the name";
  if (sets.field == "spec.runtimeRef.kind")
    return "write ClusterTrainingRuntime or TrainingRuntime";
  return sets.field.empty() ? "correct the pod template" : "write for example 512m or 2g";
}

/// Annotations of the templates, in each of them and where two belong together.
void CheckTopologies(const KindRow& row, const JobPodSets& sets, const Setting& setting,
                     FieldErrors* errors) {
  if (!row.checks_topology || !setting.GateIsOn("TopologyAwareScheduling")) return;
  const bool is_bound =
      row.topology_count_is_bound && (sets.error.empty() || !row.build_error_refuses);
  const std::size_t before = errors->size();
  for (const JobPodSet& set : sets.sets) {
    if (set.field.empty()) continue;
    CheckTopology(set.pod_template, set.field, is_bound ? set.count : -1, setting, errors);
  }
  if (row.checks_groups && sets.error.empty()) CheckPodSetGroups(sets, errors);
  if (row.build_error_refuses && !sets.error.empty() && errors->size() == before) {
    *errors = {{"Other", sets.field, sets.error, CureOf(sets)}};
  }
}

bool Applies(const KindRow& row, const Value& object, const Setting& setting) {
  return !row.only_with_queue || !QueueOf(object).empty() || setting.manage_without_queue;
}

/// The rules of creation. Podsets that cannot be built hide all else for some kinds.
FieldErrors CreationRules(const KindRow& row, const Value& object, const Setting& setting,
                          bool with_own_rules) {
  FieldErrors errors;
  if (row.checks_alone != nullptr && row.checks_alone(object) && Applies(row, object, setting)) {
    row.check_create(object, setting, &errors);
    return errors;
  }
  CheckQueueName(object, &errors);
  CheckElastic(row, object, &errors);
  if (setting.GateIsOn("AdmissionGatedBy")) CheckGatedBy(object, &errors);
  if (!row.through_pods) {
    CheckPrebuilt(row, object, setting, &errors);
    CheckMaxTime(object, &errors);
  }
  if (with_own_rules && row.check_create != nullptr && Applies(row, object, setting)) {
    row.check_create(object, setting, &errors);
  }
  if (row.pod_sets == nullptr) return errors;
  const JobPodSets sets = BuildPodSets(row, object, setting);
  if (row.build_error_hides && !sets.error.empty()) {
    return {{"Other", sets.field, sets.error, CureOf(sets)}};
  }
  CheckTopologies(row, sets, setting, &errors);
  return errors;
}

}  // namespace

bool IsToBeQueued(const Value& object, const Setting& setting) {
  const Ancestor ancestor = ManagedAncestor(object, setting);
  if (ancestor.object != nullptr || !ancestor.error.empty()) return false;
  return IsQueuedByItself(object, setting);
}

void Prepare(const KindRow& row, Value& object, const Setting& setting) {
  if (!setting.IsEnabled(row.framework)) return;
  if (row.Is("Pod")) return PreparePod(object, row, setting);
  SetDefaults(row, object, setting);
  const bool is_queued = IsToBeQueued(object, setting);
  if (is_queued && !row.suspend.empty() && !object.At(row.suspend).IsTrue()) {
    object.Make(row.suspend) = Value::Bool(true);
  }
  SetManager(row, object, setting);
  if (row.prepare != nullptr) row.prepare(object, setting, is_queued);
}

FieldErrors CheckCreate(const KindRow& row, const Value& object, const Setting& setting) {
  if (!setting.IsEnabled(row.framework)) return {};
  // Pods that are held back for their parent, and those left alone, need no owner.
  const bool has_owner = !row.Is("Pod") || (!HasAnnotation(object, mark::kSuspendingParent) &&
                                            setting.SelectsNamespace(NamespaceOf(object)));
  const Ancestor ancestor = has_owner ? ManagedAncestor(object, setting) : Ancestor();
  if (!ancestor.error.empty()) return {{"Other", "", ancestor.error, "create the owner first"}};
  return CreationRules(row, object, setting, true);
}

FieldErrors CheckUpdate(const KindRow& row, const Value& before, const Value& after,
                        const Setting& setting) {
  if (!setting.IsEnabled(row.framework)) return {};
  FieldErrors errors;
  const bool queued_before = !QueueOf(before).empty() || setting.manage_without_queue;
  const bool queued_after = !QueueOf(after).empty() || setting.manage_without_queue;
  const bool asks_before = queued_before && setting.GateIsOn("ValidateRayAndSparkJobUpdates");
  if (row.only_with_queue && !asks_before && !queued_after) return errors;
  const bool suspended = row.through_pods ? IsSuspended(row, before) : IsSuspended(row, after);
  const auto invalid = [&errors](std::string field, std::string what, Line rule = Line::Here()) {
    errors.push_back(Invalid(std::move(field), std::move(what), "leave it as it was", rule));
  };
  // The queue.
  const bool removed = !QueueOf(before).empty() && QueueOf(after).empty();
  if (row.through_pods) {
    if (removed) {
      invalid(LabelField(mark::kQueue), "cannot be removed");
    } else if (!suspended && QueueOf(before) != QueueOf(after)) {
      invalid(LabelField(mark::kQueue), "cannot change while pods run");
    }
  } else if (!suspended && QueueOf(before) != QueueOf(after)) {
    invalid(LabelField(mark::kQueue), "cannot change while the job runs");
  } else if (removed && setting.HasDefaultQueue(NamespaceOf(after))) {
    invalid(LabelField(mark::kQueue), "cannot be removed where there is a default queue");
  }
  // The class.
  const bool had_class = !Label(before, mark::kPriorityClass).empty();
  const bool has_class = !Label(after, mark::kPriorityClass).empty();
  if (had_class && !has_class) {
    invalid(LabelField(mark::kPriorityClass), "cannot be removed");
  } else if (!had_class && has_class && !suspended) {
    invalid(LabelField(mark::kPriorityClass), "cannot be added while the job runs");
  }
  // Marks that only come with an object.
  if (!row.through_pods) {
    if (suspended || IsElastic(row, before, setting)) {
      if (!row.checks_again) CheckPrebuilt(row, after, setting, &errors);
    } else if (PrebuiltOf(before, setting) != PrebuiltOf(after, setting)) {
      const std::string field = PrebuiltField(after, setting);
      invalid(field.empty() ? LabelField(mark::kPrebuilt) : field,
              "cannot change while the job runs");
    }
    const bool both_suspended = suspended && IsSuspended(row, before);
    if (Label(before, mark::kMaxExecTime) != Label(after, mark::kMaxExecTime) && !both_suspended) {
      invalid(LabelField(mark::kMaxExecTime), "cannot change while the job runs");
    }
    if ((Annotation(before, mark::kElastic) == "true") !=
        (Annotation(after, mark::kElastic) == "true")) {
      invalid(AnnotationField(mark::kElastic), "cannot change");
    }
  }
  if (setting.GateIsOn("AdmissionGatedBy")) {
    const std::vector<std::string> old_gates = GatesOf(before);
    for (const std::string& gate : GatesOf(after)) {
      if (std::find(old_gates.begin(), old_gates.end(), gate) != old_gates.end()) continue;
      errors.push_back(Forbidden(AnnotationField(mark::kGatedBy), "cannot get a gate later",
                                 "name it when the job is created"));
      break;
    }
  }
  // The rules of creation once more.
  const bool own_rules = !row.update_checks_again && (!row.only_with_queue || queued_after);
  if (row.through_pods) {
    CheckQueueName(after, &errors);
    CheckElastic(row, after, &errors);
    if (setting.GateIsOn("AdmissionGatedBy")) CheckGatedBy(after, &errors);
    if (row.check_create != nullptr) row.check_create(after, setting, &errors);
    if (row.checks_topology && row.pod_sets != nullptr) {
      CheckTopologies(row, BuildPodSets(row, after, setting), setting, &errors);
    }
    if (row.check_update != nullptr && IsToBeQueued(after, setting)) {
      row.check_update(before, after, setting, &errors);
    }
    return errors;
  }
  if (row.checks_again) {
    for (FieldError& error : CreationRules(row, after, setting, own_rules)) {
      if (error.type == "Other") return {error};
      errors.push_back(std::move(error));
    }
  } else {
    if (setting.GateIsOn("AdmissionGatedBy")) CheckGatedBy(after, &errors);
    if (row.pod_sets != nullptr) {
      CheckTopologies(row, BuildPodSets(row, after, setting), setting, &errors);
    }
  }
  if (row.check_update != nullptr) row.check_update(before, after, setting, &errors);
  return errors;
}

}  // namespace muster::objects
