// TrainJob: the podsets of the JobSet that its runtime, its patches and its trainer make.
#include <algorithm>

#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"

namespace muster::objects {
namespace {

constexpr std::string_view kAncestor = "trainer.kubeflow.org/trainjob-ancestor-step";

bool HoldsNamedItems(const Value& list) {
  return !list.items.empty() &&
         std::all_of(list.items.begin(), list.items.end(),
                     [](const Value& item) { return item.IsMap() && item.Has("name"); });
}

/// Strategic merge: lists of named items are merged by name, others are replaced.
void MergeStrategically(Value& target, const Value& patch) {
  if (patch.IsMap()) {
    if (!target.IsMap()) target = Value::Map();
    for (const auto& [key, value] : patch.entries) {
      if (value.IsNull()) {
        target.Remove(key);
      } else {
        MergeStrategically(target.Make(key), value);
      }
    }
    return;
  }
  if (!patch.IsList() || !target.IsList() || !HoldsNamedItems(patch)) {
    target = patch;
    return;
  }
  for (const Value& item : patch.items) {
    const auto same = std::find_if(
        target.items.begin(), target.items.end(),
        [&item](const Value& each) { return each.TextAt("name") == item.TextAt("name"); });
    if (same == target.items.end()) {
      target.items.push_back(item);
    } else {
      MergeStrategically(*same, item);
    }
  }
}

const Value* RuntimeOf(const Value& job, const Setting& setting) {
  const Value& ref = job.At({"spec", "runtimeRef"});
  const std::string_view kind =
      ref.Has("kind") ? std::string_view(ref.At("kind").text) : "ClusterTrainingRuntime";
  return setting.Find(kind, kind == "TrainingRuntime" ? NamespaceOf(job) : "", ref.TextAt("name"));
}

void SetNodes(Value& replicated, std::int64_t nodes) {
  Value& spec = replicated.Make({"template", "spec"});
  spec.Set("parallelism", Value::Number(nodes));
  spec.Set("completions", Value::Number(nodes));
}

/// What the trainer asks for, over the container `node`.
void SetTrainerResources(Value& replicated, const Value& resources) {
  Value& pod = replicated.Make({"template", "spec", "template", "spec"});
  if (!pod.Has("containers")) return;
  for (Value& container : pod.Make("containers").items) {
    if (container.TextAt("name") != "node") continue;
    for (const std::string_view part : {"requests", "limits"}) {
      for (const auto& [resource, amount] : resources.At(part).entries) {
        container.Make({"resources", part}).Set(resource, amount);
      }
    }
  }
}

/// The spec of the JobSet; null when the runtime is missing.
Value JobSetOf(const Value& job, const Setting& setting) {
  const Value* runtime = RuntimeOf(job, setting);
  if (runtime == nullptr) return Value();
  Value spec = runtime->At({"spec", "template", "spec"});
  for (const Value& patch : job.At({"spec", "runtimePatches"}).items) {
    const Value& part = patch.At({"trainingRuntimeSpec", "template", "spec"});
    if (!part.IsNull()) MergeStrategically(spec, part);
  }
  FillJobSet(spec);
  const Value& policy = runtime->At({"spec", "mlPolicy"});
  const Value& trainer = job.At({"spec", "trainer"});
  const bool counts_nodes = trainer.Has("numNodes") || !policy.IsNull();
  const std::int64_t nodes = trainer.At("numNodes").IntOr(policy.At("numNodes").IntOr(1));
  const Value& mpi = policy.At("mpi");
  if (!spec.Has("replicatedJobs")) return spec;
  for (Value& replicated : spec.Make("replicatedJobs").items) {
    const std::string_view step = replicated.At({"template", "metadata", "labels", kAncestor}).text;
    if (!step.empty()) replicated.Set("replicas", Value::Number(1));
    Value& inner = replicated.Make({"template", "spec"});
    inner.Default("parallelism", Value::Number(1));
    inner.Set("completions", inner.At("parallelism"));
    const bool is_mpi_node = !mpi.IsNull() && replicated.TextAt("name") == "node";
    const bool launcher_works = mpi.At("runLauncherAsNode").IsTrue();
    if ((step == "trainer" && !policy.IsNull()) || (is_mpi_node && launcher_works)) {
      SetTrainerResources(replicated, trainer.At("resourcesPerNode"));
    }
    if (!counts_nodes) continue;
    if (!mpi.IsNull()) {
      // The launcher stays one; the runtime's own number of nodes is not used here.
      if (!is_mpi_node || !trainer.Has("numNodes")) continue;
      SetNodes(replicated, launcher_works ? std::max<std::int64_t>(nodes - 1, 1) : nodes);
    } else if (step == "trainer") {
      SetNodes(replicated, nodes);
    }
  }
  return spec;
}

JobPodSets TrainSets(const Value& job, const Setting& setting) {
  const Value spec = JobSetOf(job, setting);
  if (spec.IsNull()) {
    JobPodSets none;
    const Value& ref = job.At({"spec", "runtimeRef"});
    const std::string_view kind = ref.TextAt("kind");
    const bool is_known =
        kind.empty() || kind == "ClusterTrainingRuntime" || kind == "TrainingRuntime";
    none.error = is_known ? "there is no runtime " + std::string(ref.TextAt("name"))
                          : "there are no runtimes of kind " + std::string(kind);
    none.field = is_known ? "spec.runtimeRef.name" : "spec.runtimeRef.kind";
    return none;
  }
  JobPodSets out = JobSetPodSets(spec, {"spec"});
  for (JobPodSet& set : out.sets) {
    set.place.clear();
    set.field = "job[" + set.name + "]";
  }
  return out;
}

JobStatus TrainStatus(const Value& job, const Setting& setting) {
  const Value spec = JobSetOf(job, setting);
  const Value& list = job.At({"status", "jobsStatus"});
  JobStatus out = ReplicatedStatus(list, JobSetPodSets(spec, {"spec"}));
  out.pods_ready = ReplicatedReady(spec, list);
  out.success = !TrueCondition(job, {"Complete"}).empty();
  out.finished = out.success || !TrueCondition(job, {"Failed"}).empty();
  return out;
}

void FillTrainJob(Value& job) {
  Value& spec = job.Make("spec");
  spec.Default("suspend", Value::Bool(false));
  spec.Default("managedBy", Value::Text("trainer.kubeflow.org/trainjob-controller"));
  spec.Make("runtimeRef").Default("apiGroup", Value::Text("trainer.kubeflow.org"));
  spec.Make("runtimeRef").Default("kind", Value::Text("ClusterTrainingRuntime"));
}

constexpr std::string_view kOurPatch = "kueue.x-k8s.io/manager";

Value* OurPatch(Value& job) {
  Value* patches = job.Make("spec").Find("runtimePatches");
  if (patches == nullptr) return nullptr;
  for (Value& patch : patches->items) {
    if (patch.TextAt("manager") == kOurPatch) return &patch;
  }
  return nullptr;
}

void PrepareTrainJob(Value& job, const Setting&, bool) {
  if (OurPatch(job) != nullptr) return;
  Value& patches = job.Make({"spec", "runtimePatches"});
  if (!patches.IsList()) patches = Value::List();
  patches.items.push_back(Value::Texts({{"manager", kOurPatch}}));
}

/// The part of a template that a start fills in.
Value PatchOf(const StartInfo& info) {
  Value pod_template = Value::Map();
  MergeInto(pod_template, info);
  Value patch = Value::Map();
  patch.Set("name", Value::Text(info.pod_set));
  patch.Make({"template", "spec"}).Set("template", std::move(pod_template));
  return patch;
}

std::string StartTrainJob(Value& job, const JobPodSets& sets, std::span<const StartInfo> infos) {
  if (infos.size() != sets.sets.size()) return "the number of podsets does not match";
  Value* ours = OurPatch(job);
  if (ours == nullptr) return "spec.runtimePatches has no entry of " + std::string(kOurPatch);
  Value patches = Value::List();
  for (std::size_t i = 0; i < infos.size(); ++i) {
    Value merged = sets.sets[i].pod_template;
    std::string conflict = MergeInto(merged, infos[i]);
    if (!conflict.empty()) return conflict;
    patches.items.push_back(PatchOf(infos[i]));
  }
  ours->Make({"trainingRuntimeSpec", "template", "spec"}).Set("replicatedJobs", std::move(patches));
  return "";
}

void StopTrainJob(Value& job, const JobPodSets&) {
  Value* ours = OurPatch(job);
  if (ours != nullptr) ours->Remove("trainingRuntimeSpec");
}

}  // namespace

KindRow TrainJobRow() {
  KindRow row;
  row.framework = "trainer.kubeflow.org/trainjob";
  row.group = "trainer.kubeflow.org";
  row.version = "v1alpha1";
  row.kind = "TrainJob";
  row.suspend = {"spec", "suspend"};
  row.managed_by = {"spec", "managedBy"};
  row.own_manager = "trainer.kubeflow.org/trainjob-controller";
  row.build_error_hides = true;
  row.fill = FillTrainJob;
  row.pod_sets = TrainSets;
  row.status = TrainStatus;
  row.prepare = PrepareTrainJob;
  row.lacks = [](const Value& job) {
    const auto& patches = job.At({"spec", "runtimePatches"}).items;
    return std::none_of(patches.begin(), patches.end(),
                        [](const Value& patch) { return patch.TextAt("manager") == kOurPatch; });
  };
  row.start = StartTrainJob;
  row.stop = StopTrainJob;
  return row;
}

}  // namespace muster::objects
