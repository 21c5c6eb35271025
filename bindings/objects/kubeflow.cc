// The jobs of Kubeflow's training operator, which differ in their replica types, and MPIJob.
#include <algorithm>

#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"

namespace muster::objects {
namespace {

struct Training {
  std::string_view kind;
  std::string_view framework;
  std::string_view replica_specs;
  std::vector<std::string_view> types;  ///< in the order of podsets
};

const std::vector<Training>& Trainings() {
  static const std::vector<Training> all = {
      {"PyTorchJob", "kubeflow.org/pytorchjob", "pytorchReplicaSpecs", {"Master", "Worker"}},
      {"TFJob",
       "kubeflow.org/tfjob",
       "tfReplicaSpecs",
       {"Chief", "Master", "PS", "Worker", "Evaluator"}},
      {"PaddleJob", "kubeflow.org/paddlejob", "paddleReplicaSpecs", {"Master", "Worker"}},
      {"XGBoostJob", "kubeflow.org/xgboostjob", "xgbReplicaSpecs", {"Master", "Worker"}},
      {"JAXJob", "kubeflow.org/jaxjob", "jaxReplicaSpecs", {"Worker"}},
      {"MPIJob", "kubeflow.org/mpijob", "mpiReplicaSpecs", {"Launcher", "Worker"}},
  };
  return all;
}

const Training& TrainingOf(const Value& job) {
  for (const Training& each : Trainings()) {
    if (each.kind == job.TextAt("kind")) return each;
  }
  return Trainings().front();
}

std::string LowerCase(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

JobPodSets TrainingPodSets(const Value& job, const Setting&) {
  const Training& training = TrainingOf(job);
  JobPodSets out;
  for (const std::string_view type : training.types) {
    const Value& replica = job.At({"spec", training.replica_specs, type});
    if (replica.IsNull()) continue;
    JobPodSet set;
    set.name = LowerCase(type);
    set.count = replica.At("replicas").IntOr(1);
    set.place = {"spec", std::string(training.replica_specs), std::string(type), "template"};
    set.field = "spec." + std::string(training.replica_specs) + "[" + std::string(type) +
                "].template.metadata";
    set.pod_template = replica.At("template");
    set.topology_labels = Value::Texts({{"podIndexLabel", "training.kubeflow.org/replica-index"}});
    out.sets.push_back(std::move(set));
  }
  return out;
}

JobStatus TrainingStatus(const Value& job, const Setting&) {
  JobStatus out;
  const std::string_view condition = TrueCondition(job, {"Succeeded", "Failed"});
  out.finished = !condition.empty();
  out.success = condition == "Succeeded";
  out.pods_ready = !TrueCondition(job, {"Running"}).empty();
  for (const auto& [type, status] : job.At({"status", "replicaStatuses"}).entries) {
    out.active |= status.At("active").IntOr(0) != 0;
  }
  return out;
}

std::string TrainingPriority(const Value& job) {
  const Value& policy = job.At({"spec", "runPolicy", "schedulingPolicy", "priorityClass"});
  if (!policy.text.empty()) return policy.text;
  const Training& training = TrainingOf(job);
  for (const std::string_view type : training.types) {
    const Value& name =
        job.At({"spec", training.replica_specs, type, "template", "spec", "priorityClassName"});
    if (!name.text.empty()) return name.text;
  }
  return "";
}

void FillTraining(Value& job) {
  if (job.At({"spec", "runPolicy"}).IsNull()) return;
  job.Make({"spec", "runPolicy"}).Default("suspend", Value::Bool(false));
}

void FillMpi(Value& job) {
  Value& spec = job.Make("spec");
  spec.Make("runPolicy").Default("suspend", Value::Bool(false));
  spec.Default("slotsPerWorker", Value::Number(1));
  spec.Default("runLauncherAsWorker", Value::Bool(false));
}

void PrepareMpi(Value& job, const Setting& setting, bool) {
  if (!setting.GateIsOn("TopologyAwareScheduling")) return;
  if (!job.At({"spec", "runLauncherAsWorker"}).IsTrue()) return;
  const Value& specs = job.At({"spec", "mpiReplicaSpecs"});
  if (!specs.Has("Launcher") || !specs.Has("Worker")) return;
  const Value& marks = specs.At({"Launcher", "template", "metadata", "annotations"});
  if (marks.Has(mark::kPodSetGroup)) return;
  job.Make({"spec", "mpiReplicaSpecs", "Worker", "template", "metadata", "annotations"})
      .Set(mark::kPodIndexOffset, Value::Text("1"));
}

KindRow TrainingRow(const Training& training) {
  KindRow row;
  row.framework = training.framework;
  row.group = "kubeflow.org";
  row.version = "v1";
  row.kind = training.kind;
  row.suspend = {"spec", "runPolicy", "suspend"};
  row.managed_by = {"spec", "runPolicy", "managedBy"};
  row.own_manager = "kubeflow.org/training-operator";
  row.checks_again = false;
  row.takes_prebuilt = training.kind != "JAXJob";
  row.fill = FillTraining;
  row.pod_sets = TrainingPodSets;
  row.status = TrainingStatus;
  row.priority_class = TrainingPriority;
  return row;
}

}  // namespace

std::vector<KindRow> KubeflowRows() {
  std::vector<KindRow> rows;
  for (const Training& each : Trainings()) {
    if (each.kind != "MPIJob") rows.push_back(TrainingRow(each));
  }
  return rows;
}

KindRow MpiJobRow() {
  KindRow row = TrainingRow(Trainings().back());
  row.version = "v2beta1";
  row.own_manager = "kubeflow.org/mpi-operator";
  row.checks_again = true;
  row.build_error_hides = true;
  row.checks_groups = true;
  row.fill = FillMpi;
  row.prepare = PrepareMpi;
  return row;
}

}  // namespace muster::objects
