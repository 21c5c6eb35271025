// RayCluster, RayJob and RayService: a head, groups of workers and, for a job, its submitter.
#include <algorithm>
#include <array>

#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/pod.h"
#include "muster/quantity.h"

namespace muster::objects {
namespace {

std::string_view ClusterField(const Value& object) {
  const std::string& kind = object.At("kind").text;
  if (kind == "RayJob") return "rayClusterSpec";
  if (kind == "RayService") return "rayClusterConfig";
  return "";
}

ValuePath ClusterPath(const Value& object) {
  const std::string_view field = ClusterField(object);
  return field.empty() ? ValuePath{"spec"} : ValuePath{"spec", std::string(field)};
}

/// As mistakes name it; those of a RayService are told under RayJob's name.
std::string ClusterErrorField(const Value& object) {
  return ClusterField(object).empty() ? "spec" : "spec.rayClusterSpec";
}

Value Resources(std::string_view cpu, std::string_view memory) {
  return Value::Texts({{"cpu", cpu}, {"memory", memory}});
}

Value SubmitterContainer(const Value& cluster) {
  Value container = Value::Map();
  container.Set("name", Value::Text("ray-job-submitter"));
  const auto& heads = cluster.At({"headGroupSpec", "template", "spec", "containers"}).items;
  if (!heads.empty()) container.Set("image", heads[0].At("image"));
  container.Make("resources").Set("requests", Resources("500m", "200Mi"));
  container.Make("resources").Set("limits", Resources("1", "1Gi"));
  return container;
}

bool IsFaultTolerant(const Value& object, const Value& cluster) {
  std::string on(Annotation(object, "ray.io/ft-enabled"));
  for (char& c : on) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return on == "true" || cluster.Has("gcsFaultToleranceOptions");
}

void RaiseTo(Value& requests, std::string_view resource, std::string_view least) {
  const auto has = Quantity::Parse(requests.TextAt(resource));
  if (has && *has >= *Quantity::Parse(least)) return;
  requests.Set(resource, Value::Text(least));
}

/// What else the head's pod holds.
std::string AddToHead(const Value& object, const Value& cluster, Value& head) {
  Value& containers = head.Make({"spec", "containers"});
  if (!containers.IsList()) containers = Value::List();
  if (IsFaultTolerant(object, cluster)) {
    if (containers.items.empty()) return "the head has no container";
    Value& requests = containers.items[0].Make({"resources", "requests"});
    RaiseTo(requests, "cpu", "200m");
    RaiseTo(requests, "memory", "256Mi");
  }
  if (cluster.At("enableInTreeAutoscaling").IsTrue()) {
    Value container = Value::Map();
    container.Set("name", Value::Text("autoscaler"));
    const Value& resources = cluster.At({"autoscalerOptions", "resources"});
    if (resources.IsNull()) {
      container.Make("resources").Set("requests", Resources("500m", "512Mi"));
      container.Make("resources").Set("limits", Resources("500m", "512Mi"));
    } else {
      container.Set("resources", resources);
    }
    containers.items.push_back(std::move(container));
  }
  if (object.At({"spec", "submissionMode"}).text == "SidecarMode") {
    containers.items.push_back(SubmitterContainer(cluster));
  }
  return "";
}

std::int64_t GroupCount(const Value& group) {
  return Times(group.At("replicas").IntOr(1),
               std::max<std::int64_t>(group.At("numOfHosts").IntOr(1), 1));
}

/// The cluster that a RayJob or RayService has now; null for none.
const Value* LiveCluster(const Value& object, const Setting& setting) {
  const Value& name = object.TextAt("kind") == "RayJob"
                          ? object.At({"status", "rayClusterName"})
                          : object.At({"status", "activeServiceStatus", "rayClusterName"});
  return name.text.empty() ? nullptr : setting.Find("RayCluster", NamespaceOf(object), name.text);
}

/// Takes the groups' sizes from the cluster that runs; answers why that cannot be.
std::string FollowSizes(const Value& live, std::vector<JobPodSet>* sets) {
  for (const Value& group : live.At({"spec", "workerGroupSpecs"}).items) {
    const std::string_view name = group.TextAt("groupName");
    const auto same = std::find_if(sets->begin(), sets->end(),
                                   [name](const JobPodSet& set) { return set.name == name; });
    if (same == sets->end()) {
      return "its cluster has a group " + std::string(name) + ", which it does not name";
    }
    if (group.Has("replicas")) same->count = GroupCount(group);
  }
  return "";
}

JobPodSets RayPodSets(const Value& object, const Setting& setting) {
  JobPodSets out;
  const Value& cluster = RayClusterSpec(object);
  const ValuePath base = ClusterPath(object);
  const std::string field = ClusterErrorField(object);
  JobPodSet head;
  head.name = "head";
  head.place = base;
  head.place.insert(head.place.end(), {"headGroupSpec", "template"});
  head.field = field + ".headGroupSpec.template.metadata";
  head.pod_template = cluster.At({"headGroupSpec", "template"});
  out.error = AddToHead(object, cluster, head.pod_template);
  out.sets.push_back(std::move(head));
  const auto& groups = cluster.At("workerGroupSpecs").items;
  const bool grows = cluster.At("enableInTreeAutoscaling").IsTrue() &&
                     Annotation(object, mark::kElastic) == "true" &&
                     setting.GateIsOn("ElasticJobsViaWorkloadSlices") &&
                     object.TextAt("kind") != "RayCluster";
  for (std::size_t i = 0; i < groups.size(); ++i) {
    JobPodSet set;
    set.name = groups[i].TextAt("groupName");
    set.count = GroupCount(groups[i]);
    set.place = base;
    set.place.insert(set.place.end(), {"workerGroupSpecs", std::to_string(i), "template"});
    set.field = field + ".workerGroupSpecs[" + std::to_string(i) + "].template.metadata";
    set.pod_template = groups[i].At("template");
    out.sets.push_back(std::move(set));
  }
  if (object.TextAt("kind") == "RayJob" &&
      object.At({"spec", "submissionMode"}).text == "K8sJobMode") {
    JobPodSet set;
    set.name = "submitter";
    set.place = {"spec", "submitterPodTemplate"};
    set.pod_template = object.At(set.place);
    if (set.pod_template.IsNull()) {
      Value& spec = set.pod_template.Make("spec");
      spec.Make("containers") = Value::List();
      spec.Make("containers").items.push_back(SubmitterContainer(cluster));
      spec.Set("restartPolicy", Value::Text("Never"));
    }
    out.sets.push_back(std::move(set));
  }
  const Value* live = grows ? LiveCluster(object, setting) : nullptr;
  if (live != nullptr && out.error.empty()) out.error = FollowSizes(*live, &out.sets);
  return out;
}

void FillRay(Value& object) {
  if (object.TextAt("kind") == "RayJob") {
    object.Make("spec").Default("submissionMode", Value::Text("K8sJobMode"));
    object.Make("spec").Default("backoffLimit", Value::Number(0));
  }
  const ValuePath base = ClusterPath(object);
  if (object.At(base).At("workerGroupSpecs").IsNull()) return;
  for (Value& group : object.Make(base).Make("workerGroupSpecs").items) {
    group.Default("replicas", Value::Number(0));
    group.Default("minReplicas", Value::Number(0));
    group.Default("maxReplicas", Value::Number(2147483647));
    group.Default("numOfHosts", Value::Number(1));
  }
}

/// Whether a cluster's status tells of pods that are there.
bool HasPods(const Value& cluster_status) {
  if (cluster_status.TextAt("state") == "suspended") return false;
  return cluster_status.At("availableWorkerReplicas").IntOr(0) > 0 ||
         cluster_status.At("readyWorkerReplicas").IntOr(0) > 0 ||
         !cluster_status.At({"head", "podName"}).text.empty();
}

JobStatus RayStatus(const Value& object, const Setting&) {
  JobStatus out;
  const Value& status = object.At("status");
  const std::string& kind = object.At("kind").text;
  out.pods_run = HasPods(status) || HasPods(status.At("rayClusterStatus")) ||
                 HasPods(status.At({"activeServiceStatus", "rayClusterStatus"})) ||
                 HasPods(status.At({"pendingServiceStatus", "rayClusterStatus"}));
  if (kind == "RayCluster") {
    out.pods_ready = out.active = status.TextAt("state") == "ready";
  } else if (kind == "RayService") {
    out.pods_ready = out.active = !TrueCondition(object, {"Ready"}).empty();
  } else {
    const std::string_view deployment = status.TextAt("jobDeploymentStatus");
    out.finished = deployment == "Complete" || deployment == "Failed";
    out.success = status.TextAt("jobStatus") == "SUCCEEDED";
    out.pods_ready = status.At({"rayClusterStatus", "state"}).text == "ready";
    out.active = !deployment.empty() && deployment != "Suspended";
    if (deployment == "ValidationFailed") out.on_hold = deployment;
  }
  return out;
}

void PrepareRay(Value& object, const Setting& setting, bool) {
  if (object.TextAt("kind") == "RayJob" || Annotation(object, mark::kElastic) != "true" ||
      !setting.GateIsOn("ElasticJobsViaWorkloadSlices")) {
    return;
  }
  Value& cluster = object.Make(ClusterPath(object));
  AddGate(cluster.Make({"headGroupSpec", "template"}), mark::kElastic);
  if (!cluster.Has("workerGroupSpecs")) return;
  for (Value& group : cluster.Make("workerGroupSpecs").items) {
    AddGate(group.Make("template"), mark::kElastic);
  }
}

void CheckRay(const Value& object, const Setting& setting, FieldErrors* errors) {
  const Value& cluster = RayClusterSpec(object);
  const std::string field = ClusterErrorField(object);
  const bool is_job = object.TextAt("kind") == "RayJob";
  if (is_job) {
    const bool selects = !object.At({"spec", "clusterSelector"}).Empty();
    if (selects && !cluster.IsNull()) {
      errors->push_back(Invalid("spec.clusterSelector", "cannot stand beside rayClusterSpec",
                                "keep one of them"));
      return;
    }
    if (selects) return;
    if (cluster.IsNull()) {
      errors->push_back(Required(field, "is missing", "add the cluster that the job needs"));
      return;
    }
    if (!object.At({"spec", "shutdownAfterJobFinishes"}).IsTrue()) {
      errors->push_back(Invalid("spec.shutdownAfterJobFinishes",
                                "must be true, or the cluster would keep its quota",
                                "write shutdownAfterJobFinishes: true"));
    }
  }
  const bool may_be_elastic = setting.GateIsOn("ElasticJobsViaWorkloadSlices");
  const bool elastic = may_be_elastic && Annotation(object, mark::kElastic) == "true";
  if (cluster.At("enableInTreeAutoscaling").IsTrue() && !elastic) {
    errors->push_back(Invalid(field + ".enableInTreeAutoscaling",
                              "would grow the cluster beyond its quota",
                              may_be_elastic ? "remove it, or make the object elastic"
                                             : "remove it, and give as many replicas as may run"));
  }
  const auto& groups = cluster.At("workerGroupSpecs").items;
  if (groups.size() + 1 > 18) {
    errors->push_back(Wrong("TooMany", field + ".workerGroupSpecs",
                            "has more groups than a workload has podsets", "keep at most 17"));
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].TextAt("groupName") != "head") continue;
    errors->push_back(Forbidden(field + ".workerGroupSpecs[" + std::to_string(i) + "].groupName",
                                "is the name of the head's podset", "choose another name"));
  }
  if (!elastic || object.TextAt("kind") != "RayCluster") return;
  const auto check = [&](const Value& pod_template, const std::string& at) {
    if (HasGate(pod_template, mark::kElastic)) return;
    errors->push_back(Invalid(at + ".template.spec.schedulingGates",
                              "lacks the gate of elastic jobs",
                              "add the gate " + std::string(mark::kElastic)));
  };
  check(cluster.At({"headGroupSpec", "template"}), "spec.headGroupSpec");
  for (std::size_t i = 0; i < groups.size(); ++i) {
    check(groups[i].At("template"), "spec.workerGroupSpecs[" + std::to_string(i) + "]");
  }
}

std::string StartRay(Value& object, const JobPodSets& sets, std::span<const StartInfo> infos) {
  if (infos.size() != sets.sets.size()) return "the number of podsets does not match";
  for (std::size_t i = 0; i < infos.size(); ++i) {
    Value& pod_template = object.Make(sets.sets[i].place);
    if (pod_template.IsNull()) pod_template = sets.sets[i].pod_template;  // the submitter
    std::string conflict = MergeInto(pod_template, infos[i]);
    if (!conflict.empty()) return conflict;
  }
  return "";
}

KindRow RayRow() {
  KindRow row;
  row.group = "ray.io";
  row.version = "v1";
  row.own_manager = "ray.io/kuberay-operator";
  row.can_be_elastic = true;
  row.build_error_refuses = true;
  row.checks_groups = true;
  row.only_with_queue = true;
  row.fill = FillRay;
  row.pod_sets = RayPodSets;
  row.status = RayStatus;
  row.prepare = PrepareRay;
  row.check_create = CheckRay;
  row.start = StartRay;
  return row;
}

}  // namespace

const Value& RayClusterSpec(const Value& object) { return object.At(ClusterPath(object)); }

bool ScalesItself(const Value& object) {
  const KindRow* row = FindKindRow(object);
  return row != nullptr && row->group == "ray.io" &&
         RayClusterSpec(object).At("enableInTreeAutoscaling").IsTrue();
}

bool LacksCluster(const Value& object, const Setting& setting) {
  return ScalesItself(object) && object.TextAt("kind") != "RayCluster" &&
         Annotation(object, mark::kElastic) == "true" && LiveCluster(object, setting) == nullptr;
}

bool FollowCluster(const KindRow& row, Value& object, const Setting& setting) {
  const bool is_job = row.Is("RayJob");
  if ((!is_job && !row.Is("RayService")) || !IsElastic(row, object, setting)) return false;
  const Value* cluster = LiveCluster(object, setting);
  const std::string generation =
      cluster == nullptr ? std::string()
                         : std::to_string(cluster->At({"metadata", "generation"}).IntOr(0));
  Value& mark = object.Make({"metadata", "annotations"}).Make(mark::kRayGeneration);
  if (mark.IsText() && mark.text == generation) return false;
  mark = Value::Text(generation);
  return true;
}

KindRow RayClusterRow() {
  KindRow row = RayRow();
  row.framework = "ray.io/raycluster";
  row.kind = "RayCluster";
  row.suspend = {"spec", "suspend"};
  row.managed_by = {"spec", "managedBy"};
  return row;
}

KindRow RayJobRow() {
  KindRow row = RayRow();
  row.framework = "ray.io/rayjob";
  row.kind = "RayJob";
  row.runs_elsewhere = [](const Value& object) {
    return !object.At({"spec", "clusterSelector"}).Empty();
  };
  row.checks_alone = [](const Value& object) {
    return !object.At({"spec", "clusterSelector"}).Empty() || RayClusterSpec(object).IsNull();
  };
  row.suspend = {"spec", "suspend"};
  row.suspend_is_omitted = true;
  row.managed_by = {"spec", "managedBy"};
  return row;
}

KindRow RayServiceRow() {
  KindRow row = RayRow();
  row.framework = "ray.io/rayservice";
  row.kind = "RayService";
  row.suspend = {"spec", "rayClusterConfig", "suspend"};
  row.managed_by = {"spec", "managedBy"};
  return row;
}

}  // namespace muster::objects
