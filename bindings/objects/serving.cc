// Deployment, StatefulSet and LeaderWorkerSet: kinds whose pods are held back, not they.
#include <algorithm>

#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/owners.h"
#include "bindings/objects/pod.h"
#include "bindings/objects/workload.h"

namespace muster::objects {
namespace {

constexpr std::string_view kStatefulSet = "statefulset";
constexpr std::string_view kLws = "leaderworkerset.x-k8s.io/leaderworkerset";
const ValuePath kTemplate = {"spec", "template"};

/// Labels of the object that its pods need, too.
void CopyMarks(const Value& object, Value& pod_template) {
  for (const std::string_view name : {mark::kQueue, mark::kPriorityClass}) {
    const Value& label = object.At({"metadata", "labels", name});
    if (!label.text.empty()) pod_template.Make({"metadata", "labels"}).Set(name, label);
  }
}

void Annotate(Value& pod_template, std::string_view name, std::string_view text) {
  pod_template.Make({"metadata", "annotations"}).Set(name, Value::Text(text));
}

void PrepareDeployment(Value& object, const Setting&, bool is_queued) {
  if (!is_queued) return;
  Value& pod_template = object.Make(kTemplate);
  Annotate(pod_template, mark::kSuspendingParent, "deployment");
  pod_template.Make({"metadata", "labels"}).Set(mark::kManaged, Value::Text("true"));
  CopyMarks(object, pod_template);
}

void PrepareStatefulSet(Value& object, const Setting&, bool is_queued) {
  if (!is_queued || IsChildOfAnother(object)) return;
  Annotate(object.Make(kTemplate), mark::kSuspendingParent, kStatefulSet);
}

void PrepareLws(Value& object, const Setting& setting, bool is_queued) {
  if (!is_queued) return;
  Value& spec = object.Make({"spec", "leaderWorkerTemplate"});
  const bool has_leader = spec.Has("leaderTemplate");
  for (const std::string_view name : {"leaderTemplate", "workerTemplate"}) {
    if (!spec.Has(name)) continue;
    Value& pod_template = spec.Make(name);
    CopyMarks(object, pod_template);
    Annotate(pod_template, mark::kSuspendingParent, kLws);
    Annotate(pod_template, mark::kGroupServing, "true");
  }
  const Value& worker = spec.At({"workerTemplate", "metadata", "annotations"});
  if (has_leader && !worker.Has(mark::kPodSetGroup) &&
      setting.GateIsOn("TopologyAwareScheduling")) {
    Annotate(spec.Make("workerTemplate"), mark::kPodIndexOffset, "1");
  }
}

JobPodSets StatefulSetSets(const Value& object, const Setting&) {
  JobPodSet set;
  set.name = "main";
  set.count = object.At({"spec", "replicas"}).IntOr(1);
  set.pod_template = object.At(kTemplate);
  set.topology_labels = Value::Texts({{"podIndexLabel", "apps.kubernetes.io/pod-index"}});
  return {{std::move(set)}, ""};
}

/// The template without what the kind's own controller writes.
Value LwsTemplate(const Value& pod_template) {
  Value out = pod_template;
  for (const std::string_view part : {"labels", "annotations"}) {
    if (out.At({"metadata", part}).IsNull()) continue;
    std::erase_if(out.Make({"metadata", part}).entries, [](const auto& entry) {
      return entry.first.starts_with("leaderworkerset.sigs.k8s.io") &&
             entry.first != "leaderworkerset.sigs.k8s.io/name";
    });
  }
  return out;
}

/// The podsets of one replica.
JobPodSets LwsSets(const Value& object, const Setting&) {
  const Value& spec = object.At({"spec", "leaderWorkerTemplate"});
  const std::int64_t size = spec.At("size").IntOr(1);
  JobPodSets out;
  const auto add = [&](std::string_view name, std::string_view from, std::int64_t count) {
    JobPodSet set;
    set.name = name;
    set.count = count;
    set.pod_template = LwsTemplate(spec.At(from));
    set.field = "spec.leaderWorkerTemplate." + std::string(from) + ".metadata";
    if (from == "workerTemplate") {
      set.topology_labels =
          Value::Texts({{"podIndexLabel", "leaderworkerset.sigs.k8s.io/worker-index"}});
    }
    out.sets.push_back(std::move(set));
  };
  if (spec.Has("leaderTemplate")) {
    add("leader", "leaderTemplate", 1);
    add("worker", "workerTemplate", size - 1);
  } else {
    add("main", "workerTemplate", size);
  }
  return out;
}

void CheckReplicas(const Value& object, const Setting&, FieldErrors* errors) {
  const std::int64_t replicas = object.At({"spec", "replicas"}).IntOr(1);
  if (replicas >= 0 && replicas <= 1'000'000) return;
  errors->push_back(Invalid("spec.replicas", "must be from 0 to 1000000", "write such a number"));
}

/// Reports each part of a role's shape that differs.
void CompareShapes(const Value& before, const Value& after, const std::string& field,
                   FieldErrors* errors) {
  if (before == after) return;
  const bool maps = before.IsMap() && after.IsMap();
  const bool leaf = field.ends_with(".requests") || field.ends_with(".nodeSelector") ||
                    field.ends_with(".overhead") || field.ends_with(".affinity") ||
                    field.ends_with(".spec.resources");
  if (maps && !leaf) {
    for (const auto& [key, child] : before.entries) {
      CompareShapes(child, after.At(key), field + "." + key, errors);
    }
    for (const auto& [key, child] : after.entries) {
      if (!before.Has(key) && !before.At(key).IsNull()) continue;
      if (!before.Has(key)) CompareShapes(Value(), child, field + "." + key, errors);
    }
    return;
  }
  const bool containers = field.ends_with("ontainers");
  if (containers && before.items.size() == after.items.size()) {
    for (std::size_t i = 0; i < before.items.size(); ++i) {
      CompareShapes(before.items[i], after.items[i], field + "[" + std::to_string(i) + "]", errors);
    }
    return;
  }
  errors->push_back(Invalid(field, "cannot change while the set is queued", "make another set"));
}

void CheckTemplates(const Value& before, const Value& after, const std::string& field,
                    FieldErrors* errors) {
  CompareShapes(RoleShape(before.At("spec")), RoleShape(after.At("spec")), field + ".spec", errors);
}

/// Whether the workload of this name is there and not on hold.
bool HoldsWorkload(const Value& object, const Setting& setting) {
  const Value* workload = setting.Find("Workload", NamespaceOf(object),
                                       WorkloadNameOf(*FindKindRow(object), object, setting));
  if (workload == nullptr) return false;
  for (const Value& condition : workload->At({"status", "conditions"}).items) {
    if (condition.TextAt("type") == "QuotaReserved") {
      return condition.TextAt("status") != "False" || condition.TextAt("reason") != "OnHold";
    }
  }
  return true;
}

void CheckStatefulSetUpdate(const Value& before, const Value& after, const Setting& setting,
                            FieldErrors* errors) {
  if (IsChildOfAnother(after)) return;
  CheckTemplates(before.At(kTemplate), after.At(kTemplate), "spec.template", errors);
  const std::int64_t old_count = before.At({"spec", "replicas"}).IntOr(1);
  const std::int64_t new_count = after.At({"spec", "replicas"}).IntOr(1);
  if (old_count > 0 && new_count > 0 && old_count != new_count) {
    errors->push_back(
        Invalid("spec.replicas", "cannot change while the set runs", "scale it to 0 first"));
  } else if (old_count == 0 && new_count > 0 &&
             (before.At({"status", "replicas"}).IntOr(0) > 0 || HoldsWorkload(before, setting))) {
    errors->push_back(Forbidden("spec.replicas", "cannot grow before the set has come to rest",
                                "wait until its pods are gone"));
  }
}

void CheckLwsUpdate(const Value& before, const Value& after, const Setting& setting,
                    FieldErrors* errors) {
  const std::string at = "spec.leaderWorkerTemplate";
  const Value& old_spec = before.At({"spec", "leaderWorkerTemplate"});
  const Value& new_spec = after.At({"spec", "leaderWorkerTemplate"});
  const bool had = old_spec.Has("leaderTemplate");
  const bool has = new_spec.Has("leaderTemplate");
  if (had && has) {
    CheckTemplates(old_spec.At("leaderTemplate"), new_spec.At("leaderTemplate"),
                   at + ".leaderTemplate", errors);
  } else if (had != has) {
    errors->push_back(Invalid(at + ".leaderTemplate", "cannot come or go", "make another set"));
  }
  CheckTemplates(old_spec.At("workerTemplate"), new_spec.At("workerTemplate"),
                 at + ".workerTemplate", errors);
  if (setting.GateIsOn("LWSImmutableGroupSize") &&
      old_spec.At("size").IntOr(1) != new_spec.At("size").IntOr(1)) {
    errors->push_back(Invalid(at + ".size", "cannot change", "make another set"));
  }
}

/// Which of its pods are on nodes the status does not say: all that are there may be.
JobStatus ServingStatus(const Value& object, const Setting&) {
  JobStatus out;
  out.pods_run = object.At({"status", "replicas"}).IntOr(0) > 0 ||
                 object.At({"status", "readyReplicas"}).IntOr(0) > 0;
  return out;
}

KindRow ServingRow(std::string_view kind) {
  KindRow row;
  row.version = "v1";
  row.group = "apps";
  row.kind = kind;
  row.through_pods = true;
  row.checks_topology = false;
  row.status = ServingStatus;
  row.is_suspended = [](const Value& object) {
    return object.At({"status", "readyReplicas"}).IntOr(0) == 0;
  };
  row.fill = [](Value& object) { object.Make("spec").Default("replicas", Value::Number(1)); };
  return row;
}

}  // namespace

bool IsChildOfAnother(const Value& stateful_set) {
  const Value& parent =
      stateful_set.At({"spec", "template", "metadata", "annotations", mark::kSuspendingParent});
  return !parent.IsNull() && parent.text != kStatefulSet;
}

Value PodOfReplica(const Value& owner, std::int64_t index) {
  Value pod = Value::Texts({{"apiVersion", "v1"}, {"kind", "Pod"}});
  pod.Set("metadata", owner.At("metadata"));
  pod.Make({"metadata", "name"}).text += "-" + std::to_string(index);
  pod.Make("metadata").Remove("annotations");
  const Value& marks = owner.At({"spec", "template", "metadata", "annotations"});
  if (!marks.IsNull()) pod.Make("metadata").Set("annotations", marks);
  for (const auto& [key, text] : owner.At({"spec", "template", "metadata", "labels"}).entries) {
    pod.Make({"metadata", "labels"}).Default(key, text);
  }
  pod.Set("spec", owner.At({"spec", "template", "spec"}));
  return pod;
}

std::vector<Value> PodsOf(const Value& owner, const JobWorkload& workload, const Setting& setting) {
  std::vector<Value> pods;
  const bool is_set = owner.TextAt("kind") == "StatefulSet";
  const std::string name(NameOf(owner));
  const std::string group = workload.annotations.At(mark::kComponentIndex).text;
  const std::int64_t first = owner.At({"spec", "ordinals", "start"}).IntOr(0);
  const Value& groups = owner.At({"spec", "leaderWorkerTemplate"});
  std::int64_t total = 0;
  for (const JobPodSet& set : workload.sets) total += set.count;
  for (std::int64_t i = 0; i < total; ++i) {
    const std::string index = std::to_string(is_set ? first + i : i);
    const bool leads = !is_set && i == 0;
    const Value& own = leads && groups.Has("leaderTemplate") ? groups.At("leaderTemplate")
                       : is_set                              ? owner.At(kTemplate)
                                                             : groups.At("workerTemplate");
    Value pod = Value::Texts({{"apiVersion", "v1"}, {"kind", "Pod"}});
    pod.Set("metadata", own.At("metadata"));
    pod.Set("spec", own.At("spec"));
    Value& metadata = pod.Make("metadata");
    if (!is_set) {
      metadata.Set("name", Value::Text(name + "-" + group + (leads ? "" : "-" + index)));
      Value& labels = metadata.Make("labels");
      labels.Set("leaderworkerset.sigs.k8s.io/name", Value::Text(name));
      labels.Set("leaderworkerset.sigs.k8s.io/group-index", Value::Text(group));
      labels.Set("leaderworkerset.sigs.k8s.io/worker-index", Value::Text(index));
    } else {
      metadata.Set("name", Value::Text(name + "-" + index));
      metadata.Make("labels").Set("apps.kubernetes.io/pod-index", Value::Text(index));
      Value controller = Value::Texts({{"apiVersion", owner.TextAt("apiVersion")},
                                       {"kind", "StatefulSet"},
                                       {"name", name},
                                       {"uid", owner.At({"metadata", "uid"}).text}});
      controller.Set("controller", Value::Bool(true));
      metadata.Set("ownerReferences", Value::List());
      metadata.Make("ownerReferences").items.push_back(std::move(controller));
    }
    metadata.Set("namespace", Value::Text(NamespaceOf(owner)));
    MarkPodOf(owner, pod, setting);
    pods.push_back(std::move(pod));
  }
  return pods;
}

bool MarkPodOf(const Value& owner, Value& pod, const Setting& setting) {
  const KindRow& row = *FindKindRow(owner);
  const Value before = pod;
  std::string workload;
  std::string role = "main";
  std::int64_t total = 0;
  if (row.Is("StatefulSet")) {
    const Value& controller = ControllerOf(pod);
    if (controller.TextAt("kind") != "StatefulSet" ||
        controller.At("uid").text != owner.At({"metadata", "uid"}).text) {
      return false;
    }
    workload = WorkloadNameOf(row, owner, setting);
    total = owner.At({"spec", "replicas"}).IntOr(1);
    CopyMarks(owner, pod);
    Annotate(pod, mark::kGroupFast, "true");
    Annotate(pod, mark::kGroupServing, "true");
    Annotate(pod, mark::kGroupPodIndexLabel, "apps.kubernetes.io/pod-index");
  } else {
    const std::string_view group = Label(pod, "leaderworkerset.sigs.k8s.io/group-index");
    if (group.empty() || Label(pod, "leaderworkerset.sigs.k8s.io/name") != NameOf(owner)) {
      return false;
    }
    workload = WorkloadName(row, std::string(NameOf(owner)) + "-" + std::string(group),
                            owner.At({"metadata", "uid"}).text, "", setting);
    const Value& spec = owner.At({"spec", "leaderWorkerTemplate"});
    total = spec.At("size").IntOr(1);
    if (spec.Has("leaderTemplate")) {
      const bool leads = Label(pod, "leaderworkerset.sigs.k8s.io/worker-index") == "0";
      role = leads ? "leader" : "worker";
    }
  }
  pod.Make({"metadata", "labels"}).Set(mark::kManaged, Value::Text("true"));
  const bool by_annotation =
      setting.GateIsOn("WorkloadIdentifierAnnotations") || workload.size() > mark::kLongestLabel;
  for (const std::string_view name : {mark::kPrebuilt, mark::kGroupName}) {
    pod.Make({"metadata", by_annotation ? "annotations" : "labels"})
        .Set(name, Value::Text(workload));
  }
  Annotate(pod, mark::kGroupTotal, std::to_string(total));
  Annotate(pod, mark::kRoleHash, role);
  return !(pod == before);
}

KindRow DeploymentRow() {
  KindRow row = ServingRow("Deployment");
  row.framework = "deployment";
  row.prepare = PrepareDeployment;
  return row;
}

KindRow StatefulSetRow() {
  KindRow row = ServingRow("StatefulSet");
  row.framework = kStatefulSet;
  row.template_is_spec = true;
  row.pod_sets = StatefulSetSets;
  row.prepare = PrepareStatefulSet;
  row.check_update = CheckStatefulSetUpdate;
  return row;
}

KindRow LeaderWorkerSetRow() {
  KindRow row = ServingRow("LeaderWorkerSet");
  row.framework = kLws;
  row.group = "leaderworkerset.x-k8s.io";
  row.checks_topology = true;
  row.checks_groups = true;
  row.pod_sets = LwsSets;
  row.prepare = PrepareLws;
  row.check_create = CheckReplicas;
  row.check_update = CheckLwsUpdate;
  row.fill = [](Value& object) {
    object.Make("spec").Default("replicas", Value::Number(1));
    object.Make({"spec", "leaderWorkerTemplate"}).Default("size", Value::Number(1));
  };
  return row;
}

}  // namespace muster::objects
