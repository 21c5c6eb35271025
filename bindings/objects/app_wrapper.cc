// AppWrapper: the pods of the objects that it wraps, reduced to what scheduling needs.
#include <algorithm>

#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"

namespace muster::objects {
namespace {

struct Wrapped {
  const Value* pod_template = nullptr;
  std::int64_t count = 1;
  Value topology_labels = Value::Map();
};

std::int64_t PodsOf(const Value& job_spec) {
  const std::int64_t parallelism = job_spec.At("parallelism").IntOr(1);
  return std::min(parallelism, job_spec.At("completions").IntOr(parallelism));
}

void AddRay(const Value& cluster, std::vector<Wrapped>* out) {
  out->push_back({&cluster.At({"headGroupSpec", "template"}), 1, Value::Map()});
  for (const Value& group : cluster.At("workerGroupSpecs").items) {
    out->push_back({&group.At("template"), group.At("replicas").IntOr(1), Value::Map()});
  }
}

constexpr std::string_view kCompletionIndex = "batch.kubernetes.io/job-completion-index";

void Infer(const Value& object, std::vector<Wrapped>* out) {
  if (FindKindRow(object) == nullptr) return;  // maybe the name of a kind, of another group
  const std::string& kind = object.At("kind").text;
  const Value& spec = object.At("spec");
  if (kind == "Pod") {
    out->push_back({&object, 1, Value::Map()});
  } else if (kind == "Job") {
    out->push_back(
        {&spec.At("template"), PodsOf(spec), Value::Texts({{"podIndexLabel", kCompletionIndex}})});
  } else if (kind == "Deployment" || kind == "StatefulSet") {
    out->push_back({&spec.At("template"), spec.At("replicas").IntOr(1), Value::Map()});
  } else if (kind == "JobSet") {
    for (const JobPodSet& set : JobSetPodSets(spec, {"spec"}).sets) {
      out->push_back({&object.At(set.place), set.count, set.topology_labels});
    }
  } else if (kind == "PyTorchJob") {
    for (const std::string_view type : {"Master", "Worker"}) {
      const Value& replica = spec.At({"pytorchReplicaSpecs", type});
      if (replica.IsNull()) continue;
      out->push_back({&replica.At("template"), replica.At("replicas").IntOr(1),
                      Value::Texts({{"podIndexLabel", "training.kubeflow.org/replica-index"}})});
    }
  } else if (kind == "RayCluster") {
    AddRay(spec, out);
  } else if (kind == "RayJob") {
    AddRay(spec.At("rayClusterSpec"), out);
  }
}

Wrapped Declared(const Value& component, const Value& declared) {
  constexpr std::string_view kPrefix = "workload.codeflare.dev.appwrapper/tas-";
  Wrapped out;
  out.pod_template = &component.At(WrappedPath(declared.TextAt("path")));
  out.count = declared.At("replicas").IntOr(1);
  const Value& marks = declared.At("annotations");
  const auto mark = [&](std::string_view name) -> const Value& {
    return marks.At(std::string(kPrefix) + std::string(name));
  };
  if (!mark("pod-index-label").IsNull()) {
    out.topology_labels.Set("podIndexLabel", mark("pod-index-label"));
  }
  if (!mark("sub-group-index-label").IsNull()) {
    out.topology_labels.Set("subGroupIndexLabel", mark("sub-group-index-label"));
  }
  if (const auto count = WholeNumber(mark("sub-group-count").text)) {
    out.topology_labels.Set("subGroupCount", Value::Number(*count));
  }
  return out;
}

/// The podsets of a component, in order.
std::vector<Wrapped> PodsOfComponent(const Value& component) {
  std::vector<Wrapped> all;
  const auto& declared = component.At("podSets").items;
  if (declared.empty()) {
    Infer(component.At("template"), &all);
  } else {
    for (const Value& each : declared) all.push_back(Declared(component, each));
  }
  std::erase_if(all, [](const Wrapped& each) { return !each.pod_template->IsMap(); });
  return all;
}

Value KeepOf(const Value& from, std::initializer_list<std::string_view> keys) {
  Value out = Value::Map();
  for (const std::string_view key : keys) {
    if (from.Has(key)) out.Set(key, from.At(key));
  }
  return out;
}

Value Reduced(const Value& pod_template) {
  Value out = Value::Map();
  out.Set("metadata", KeepOf(pod_template.At("metadata"), {"labels", "annotations"}));
  const Value& spec = pod_template.At("spec");
  Value kept = KeepOf(spec, {"nodeSelector", "tolerations", "affinity", "priorityClassName",
                             "overhead", "topologySpreadConstraints"});
  for (const std::string_view list : {"containers", "initContainers"}) {
    if (!spec.Has(list)) continue;
    Value containers = Value::List();
    for (const Value& each : spec.At(list).items) {
      containers.items.push_back(
          KeepOf(each, {"name", "image", "command", "args", "resources", "securityContext"}));
    }
    kept.Set(list, std::move(containers));
  }
  out.Set("spec", std::move(kept));
  return out;
}

JobPodSets WrappedSets(const Value& object, const Setting&) {
  JobPodSets out;
  for (const Value& component : object.At({"spec", "components"}).items) {
    for (Wrapped& each : PodsOfComponent(component)) {
      JobPodSet set;
      set.name = std::string(NameOf(object)) + "-" + std::to_string(out.sets.size());
      set.count = each.count;
      set.pod_template = Reduced(*each.pod_template);
      set.topology_labels = std::move(each.topology_labels);
      out.sets.push_back(std::move(set));
    }
  }
  return out;
}

JobStatus WrapperStatus(const Value& object, const Setting&) {
  JobStatus out;
  const std::string& phase = object.At({"status", "phase"}).text;
  out.success = phase == "Succeeded";
  out.finished =
      out.success || (phase == "Failed" && TrueCondition(object, {"ResourcesDeployed"}).empty());
  out.pods_ready = !TrueCondition(object, {"PodsReady"}).empty();
  out.active = !TrueCondition(object, {"QuotaReserved"}).empty();
  out.pods_run = !TrueCondition(object, {"ResourcesDeployed"}).empty();
  return out;
}

Value InfoOf(const StartInfo& info) {
  Value out = Value::Map();
  const auto add = [&out](std::string_view name, const Value& value) {
    if (!value.Empty()) out.Set(name, value);
  };
  add("annotations", info.annotations);
  add("labels", info.labels);
  add("nodeSelector", info.node_selector);
  add("tolerations", info.tolerations);
  add("schedulingGates", info.gates);
  return out;
}

std::string StartWrapper(Value& object, const JobPodSets& sets, std::span<const StartInfo> infos) {
  if (infos.size() != sets.sets.size()) return "the number of podsets does not match";
  std::size_t next = 0;
  if (infos.empty()) return "";
  for (Value& component : object.Make({"spec", "components"}).items) {
    const std::size_t count = PodsOfComponent(component).size();
    Value list = Value::List();
    for (std::size_t i = 0; i < count; ++i) list.items.push_back(InfoOf(infos[next++]));
    if (count > 0) component.Set("podSetInfos", std::move(list));
  }
  return "";
}

void StopWrapper(Value& object, const JobPodSets&) {
  if (object.At({"spec", "components"}).IsNull()) return;
  for (Value& component : object.Make({"spec", "components"}).items) {
    component.Remove("podSetInfos");
  }
}

}  // namespace

ValuePath WrappedPath(std::string_view text) {
  ValuePath path;
  std::string key;
  const auto end = [&path, &key] {
    if (!key.empty()) path.push_back(key);
    key.clear();
  };
  for (const char c : text) {
    if (c == '.' || c == '[' || c == ']') {
      end();
    } else {
      key += c;
    }
  }
  end();
  return path;
}

std::size_t CountOfWrapped(const Value& component) { return PodsOfComponent(component).size(); }

KindRow AppWrapperRow() {
  KindRow row;
  row.framework = "workload.codeflare.dev/appwrapper";
  row.group = "workload.codeflare.dev";
  row.version = "v1beta2";
  row.kind = "AppWrapper";
  row.suspend = {"spec", "suspend"};
  row.suspend_is_omitted = true;
  row.managed_by = {"spec", "managedBy"};
  row.own_manager = "workload.codeflare.dev/appwrapper-controller";
  row.checks_again = false;
  row.checks_topology = false;
  row.pod_sets = WrappedSets;
  row.status = WrapperStatus;
  row.start = StartWrapper;
  row.stop = StopWrapper;
  return row;
}

}  // namespace muster::objects
