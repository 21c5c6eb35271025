#include "bindings/objects/workload.h"

#include <algorithm>
#include <limits>

#include "bindings/objects/hash.h"
#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/owners.h"
#include "bindings/objects/pod.h"

namespace muster::objects {
namespace {

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

/// What else the name of an elastic object's workload is made from.
std::string ElasticExtra(const KindRow& row, const Value& object, const Setting& setting) {
  if (!setting.numbers_slices || !IsElastic(row, object, setting)) return "";
  std::string extra = std::to_string(object.At({"metadata", "generation"}).IntOr(0));
  if (row.Is("RayJob") || row.Is("RayService")) {
    const std::string_view generation = Annotation(object, mark::kRayGeneration);
    if (!generation.empty()) extra += "_" + std::string(generation);
  }
  return extra;
}

/// The class of pods named `name`, or the default of all; empty kind: there is none.
const Value* GlobalDefault(const Setting& setting) {
  const Value* lowest = nullptr;
  for (const Value* each : setting.AllOf("PriorityClass")) {
    if (!each->At("globalDefault").IsTrue()) continue;
    if (lowest == nullptr || each->At("value").IntOr(0) < lowest->At("value").IntOr(0)) {
      lowest = each;
    }
  }
  return lowest;
}

std::string FirstPodClass(const JobWorkload& workload) {
  for (const JobPodSet& set : workload.sets) {
    const std::string& name = set.pod_template.At({"spec", "priorityClassName"}).text;
    if (!name.empty()) return name;
  }
  return "";
}

JobWorkload NewWorkload(const KindRow& row, const Value& object, const Setting& setting) {
  JobWorkload out;
  out.ns = NamespaceOf(object);
  out.owners = {std::string(row.kind) + "/" + std::string(NameOf(object))};
  TakeMarks(object, setting, &out);
  return out;
}

void MarkAsGroup(const KindRow& row, const Value& object, JobWorkload* workload) {
  workload->annotations.Set(mark::kIsGroup, Value::Text("true"));
  workload->annotations.Set("kueue.x-k8s.io/job-owner-gvk",
                            Value::Text(std::string(row.group) + "/" + std::string(row.version) +
                                        ", Kind=" + std::string(row.kind)));
  workload->annotations.Set("kueue.x-k8s.io/job-owner-name", Value::Text(NameOf(object)));
}

void SetName(const KindRow& row, std::string_view name, const Value& object, std::string_view extra,
             const Setting& setting, JobWorkload* workload) {
  const std::string& uid = object.At({"metadata", "uid"}).text;
  workload->name = WorkloadName(row, name, uid, extra, setting);
  if (!uid.empty()) workload->name_without_uid = WorkloadName(row, name, "", extra, setting);
}

/// One for each replica of a LeaderWorkerSet.
JobWorkloads ReplicaWorkloads(const KindRow& row, const Value& object, const Setting& setting) {
  JobWorkloads out;
  std::int64_t replicas = object.At({"spec", "replicas"}).IntOr(1);
  const Value& rolling = object.At({"spec", "rolloutStrategy", "rollingUpdateConfiguration"});
  const Value& surge = rolling.At("maxSurge");
  if (!surge.IsNull() && surge.text != "0" && surge.text != "0%") {
    replicas = std::max(replicas, object.At({"status", "replicas"}).IntOr(0));
  }
  const JobPodSets sets = BuildPodSets(row, object, setting);
  out.held = sets.error;
  out.mark = sets.mark;
  for (std::int64_t i = 0; i < replicas && out.held.empty(); ++i) {
    JobWorkload each = NewWorkload(row, object, setting);
    each.sets = sets.sets;
    SetName(row, std::string(NameOf(object)) + "-" + std::to_string(i), object, "", setting, &each);
    MarkAsGroup(row, object, &each);
    each.annotations.Set(mark::kComponentIndex, Value::Text(std::to_string(i)));
    out.held = SetPriority(row, object, setting, &each);
    if (out.held.empty()) out.made.push_back(std::move(each));
  }
  return out;
}

std::string MergeMap(Value& into, const Value& added) {
  for (const auto& [key, value] : added.entries) {
    const Value* present = into.Find(key);
    if (present != nullptr && !(*present == value)) return key + " is " + present->text;
    into.Set(key, value);
  }
  return "";
}

void AppendNew(Value& into, const Value& added) {
  for (const Value& each : added.items) {
    if (std::find(into.items.begin(), into.items.end(), each) == into.items.end()) {
      into.items.push_back(each);
    }
  }
}

bool IsDnsLabel(std::string_view text) {
  return !text.empty() && text.size() <= 63 && text.front() != '-' && text.back() != '-' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

/// What the admission checks ask for, in their order.
std::string AddChecks(const std::vector<Value>& checks, StartInfo* info) {
  for (const Value& check : checks) {
    for (const Value& update : check.At("podSetUpdates").items) {
      if (update.TextAt("name") != info->pod_set) continue;
      std::string conflict = MergeMap(info->labels, update.At("labels"));
      if (conflict.empty()) conflict = MergeMap(info->annotations, update.At("annotations"));
      if (conflict.empty()) conflict = MergeMap(info->node_selector, update.At("nodeSelector"));
      if (!conflict.empty()) return conflict;
      AppendNew(info->tolerations, update.At("tolerations"));
    }
  }
  return "";
}

}  // namespace

std::string WorkloadName(const KindRow& row, std::string_view name, std::string_view uid,
                         std::string_view extra, const Setting& setting) {
  std::string hashed = std::string(row.kind) + "\n" + std::string(row.group) + "\n" +
                       std::string(name) + "\n" + std::string(uid);
  if (!extra.empty()) hashed += "\n" + std::string(extra);
  const std::size_t longest = setting.GateIsOn("ShortWorkloadNames") ? 57 : 247;
  std::string prefix = Lower(row.kind) + "-" + std::string(name);
  if (prefix.size() > longest) prefix.resize(longest);
  return prefix + "-" + Sha1(hashed).substr(0, 5);
}

std::vector<std::string> WorkloadNames(const KindRow& row, std::string_view name,
                                       std::string_view uid, const Setting& setting) {
  const bool is_each = row.Is("LeaderWorkerSet") || row.Is("Deployment");
  const std::string meant = std::string(name) + (is_each ? "-0" : "");
  const KindRow& made = row.Is("Deployment") ? *FindKindRow("v1", "Pod") : row;
  return {WorkloadName(made, meant, uid, "", setting), WorkloadName(made, meant, "", "", setting)};
}

std::string WorkloadNameOf(const KindRow& row, const Value& object, const Setting& setting) {
  return WorkloadName(row, NameOf(object), object.At({"metadata", "uid"}).text,
                      ElasticExtra(row, object, setting), setting);
}

bool NamedByAnnotation(const Value& object, std::string_view mark, const Setting& setting) {
  const std::string_view name = Annotation(object, mark);
  // An empty annotation names nothing; the label may.
  if (setting.GateIsOn("WorkloadIdentifierAnnotations")) return !name.empty();
  return Label(object, mark).empty() && name.size() > mark::kLongestLabel;
}

std::string_view PrebuiltOf(const Value& object, const Setting& setting) {
  if (NamedByAnnotation(object, mark::kPrebuilt, setting))
    return Annotation(object, mark::kPrebuilt);
  return Label(object, mark::kPrebuilt);
}

std::string PrebuiltField(const Value& object, const Setting& setting) {
  if (NamedByAnnotation(object, mark::kPrebuilt, setting)) return AnnotationField(mark::kPrebuilt);
  return HasLabel(object, mark::kPrebuilt) ? LabelField(mark::kPrebuilt) : "";
}

void TakeMarks(const Value& object, const Setting& setting, JobWorkload* workload) {
  workload->queue = QueueOf(object);
  const auto seconds = WholeNumber(Label(object, mark::kMaxExecTime));
  if (seconds && *seconds > 0 && *seconds <= std::numeric_limits<std::int32_t>::max()) {
    workload->max_seconds = *seconds;
  }
  for (const auto& [name, value] : object.At({"metadata", "annotations"}).entries) {
    const bool is_gate = name == mark::kGatedBy && setting.GateIsOn("AdmissionGatedBy");
    if (name.starts_with("provreq.kueue.x-k8s.io/") || is_gate) {
      workload->annotations.Set(name, value);
    }
  }
}

std::string SetPriority(const KindRow& row, const Value& object, const Setting& setting,
                        JobWorkload* workload) {
  workload->class_kind.clear();
  workload->class_name.clear();
  workload->priority = 0;
  const auto take = [workload](const Value& found, std::string_view kind) {
    workload->class_kind = kind;
    workload->class_name = NameOf(found);
    workload->priority = found.At("value").IntOr(0);
  };
  const std::string_view by_label = Label(object, mark::kPriorityClass);
  if (!setting.resolves_priorities) {
    const std::string by_rule = row.priority_class != nullptr ? row.priority_class(object) : "";
    workload->class_name = by_label.empty() ? by_rule : by_label;
    if (!workload->class_name.empty()) {
      workload->class_kind = by_label.empty() ? "PriorityClass" : "WorkloadPriorityClass";
    }
    return "";
  }
  if (!by_label.empty()) {
    const Value* found = setting.Find("WorkloadPriorityClass", "", by_label);
    if (found == nullptr) {
      return "there is no WorkloadPriorityClass " + std::string(by_label);
    }
    take(*found, "WorkloadPriorityClass");
    return "";
  }
  const std::string name =
      row.priority_class != nullptr ? row.priority_class(object) : FirstPodClass(*workload);
  if (!name.empty()) {
    const Value* found = setting.Find("PriorityClass", "", name);
    if (found == nullptr) return "there is no PriorityClass " + name;
    take(*found, "PriorityClass");
  } else if (const Value* found = GlobalDefault(setting)) {
    take(*found, "PriorityClass");
  }
  return "";
}

bool IsReconciled(const KindRow& row, const Value& object, const Setting& setting) {
  if (!setting.IsEnabled(row.framework) || row.Is("Deployment")) return false;
  if (row.Is("Pod")) {
    if (Label(object, mark::kManaged) != "true") return false;
    const bool has_parent = HasAnnotation(object, mark::kSuspendingParent);
    if (setting.frameworks && !setting.frameworks->contains("pod") && !has_parent) return false;
    return setting.SelectsNamespace(NamespaceOf(object));
  }
  if (row.runs_elsewhere != nullptr && row.runs_elsewhere(object)) return false;
  if (QueueOf(object).empty() && !setting.manage_without_queue) return false;
  const bool minds_namespace = !row.through_pods || QueueOf(object).empty();
  if (minds_namespace && !setting.SelectsNamespace(NamespaceOf(object))) return false;
  if (row.Is("StatefulSet") && IsChildOfAnother(object)) return false;
  const Ancestor ancestor = ManagedAncestor(object, setting);
  return ancestor.object == nullptr && ancestor.error.empty();
}

JobWorkloads WorkloadsOf(const KindRow& row, const Value& object, const Setting& setting) {
  if (row.Is("LeaderWorkerSet")) return ReplicaWorkloads(row, object, setting);
  JobWorkloads out;
  if (row.Is("StatefulSet") && object.At({"spec", "replicas"}).IntOr(1) <= 0) return out;
  JobWorkload made = NewWorkload(row, object, setting);
  JobPodSets sets = BuildPodSets(row, object, setting);
  out.held = sets.error;
  out.mark = sets.mark;
  made.sets = std::move(sets.sets);
  if (row.template_is_spec) {
    for (JobPodSet& set : made.sets) set.pod_template.Remove("metadata");
  }
  if (out.held.empty()) out.held = SetPriority(row, object, setting, &made);
  if (!out.held.empty()) return out;
  SetName(row, NameOf(object), object, ElasticExtra(row, object, setting), setting, &made);
  if (row.Is("StatefulSet")) MarkAsGroup(row, object, &made);
  if (IsElastic(row, object, setting)) {
    made.annotations.Set(mark::kElastic, Value::Text("true"));
    made.annotations.Set(mark::kSliceName, Value::Text(made.name));
  }
  out.made.push_back(std::move(made));
  return out;
}

StartInfos StartInfosFor(const JobWorkload& workload, const JobAdmission& admission,
                         std::string_view slice_name, const Setting& setting) {
  StartInfos out;
  const bool has_topologies = setting.GateIsOn("TopologyAwareScheduling");
  for (std::size_t i = 0; i < admission.sets.size() && i < workload.sets.size(); ++i) {
    const PodSetAdmission& set = admission.sets[i];
    StartInfo info;
    info.pod_set = set.name;
    info.count = set.count;
    info.labels.Set(mark::kPodSet, Value::Text(set.name));
    if (setting.GateIsOn("AssignQueueLabelsForPods")) {
      if (!workload.queue.empty()) info.labels.Set(mark::kLocalQueue, Value::Text(workload.queue));
      if (IsDnsLabel(admission.cluster_queue)) {
        info.labels.Set(mark::kClusterQueue, Value::Text(admission.cluster_queue));
      }
    }
    if (has_topologies) info.annotations.Set(mark::kWorkload, Value::Text(workload.name));
    if (!slice_name.empty()) info.annotations.Set(mark::kSliceName, Value::Text(slice_name));
    if (set.has_topology && has_topologies) {
      info.gates.items.push_back(Value::Texts({{"name", mark::kTopologyGate}}));
      const Value& asked = workload.sets[i].topology;
      if (!asked.Has("required") && !asked.Has("preferred") && !asked.Has("unconstrained")) {
        info.annotations.Set(mark::kUnconstrainedTopology, Value::Text("true"));
      }
    }
    for (const std::string& name : set.flavors) {
      const Value* flavor = setting.Find("ResourceFlavor", "", name);
      if (flavor == nullptr) continue;
      for (const auto& [key, value] : flavor->At({"spec", "nodeLabels"}).entries) {
        info.node_selector.Default(key, value);
      }
      AppendNew(info.tolerations, flavor->At({"spec", "tolerations"}));
    }
    const std::string conflict = AddChecks(admission.checks, &info);
    if (out.conflict.empty()) out.conflict = conflict;
    out.infos.push_back(std::move(info));
  }
  return out;
}

std::string Start(const KindRow& row, Value& object, const JobWorkload& workload,
                  std::span<const StartInfo> infos) {
  Value started = object;
  const JobPodSets sets{workload.sets, ""};
  if (row.start != nullptr) {
    std::string conflict = row.start(started, sets, infos);
    if (!conflict.empty()) return conflict;
  } else {
    if (infos.size() != sets.sets.size()) return "the number of podsets does not match";
    for (std::size_t i = 0; i < infos.size(); ++i) {
      std::string conflict = MergeInto(started.Make(sets.sets[i].place), infos[i]);
      if (!conflict.empty()) return conflict;
    }
  }
  if (!row.suspend.empty()) {
    if (row.suspend_is_omitted) {
      const ValuePath outer(row.suspend.begin(), row.suspend.end() - 1);
      started.Make(outer).Remove(row.suspend.back());
    } else {
      started.Make(row.suspend) = Value::Bool(false);
    }
  }
  object = std::move(started);
  return "";
}

void Stop(const KindRow& row, Value& object, const JobWorkload& workload) {
  if (!row.suspend.empty()) object.Make(row.suspend) = Value::Bool(true);
  const JobPodSets sets{workload.sets, ""};
  if (row.stop != nullptr) return row.stop(object, sets);
  for (const JobPodSet& set : workload.sets) {
    if (!set.place.empty() && !object.At(set.place).IsNull()) {
      RestoreTemplate(object.Make(set.place), set.pod_template);
    }
  }
}

}  // namespace muster::objects
