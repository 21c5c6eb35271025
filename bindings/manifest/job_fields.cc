#include "bindings/manifest/job_fields.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/quote.h"

namespace muster::manifest {
namespace {

/// A mapping of a kind. In the path `[]` stands for each item and `*` for each entry.
struct Level {
  std::string_view kinds;  ///< with a blank on both sides of each
  std::string_view path;
  std::string_view fields;  ///< that make podsets, with blanks between
  std::string_view others;  ///< of the kind, spelt much like one of them
};

constexpr std::string_view kTraining = " PyTorchJob TFJob PaddleJob XGBoostJob JAXJob MPIJob ";
constexpr std::string_view kRuntimes = " ClusterTrainingRuntime TrainingRuntime ";
constexpr std::string_view kGroupFields =
    "groupName replicas numOfHosts minReplicas maxReplicas template";

constexpr auto kLevels = std::to_array<Level>({
    {" JobSet ", "spec", "replicatedJobs suspend", ""},
    {" JobSet ", "spec.replicatedJobs[]", "name replicas template", "groupName"},
    {" JobSet ", "spec.replicatedJobs[].template.spec", "parallelism completions template",
     "completionMode"},
    {kTraining, "spec",
     "pytorchReplicaSpecs tfReplicaSpecs paddleReplicaSpecs xgbReplicaSpecs jaxReplicaSpecs "
     "mpiReplicaSpecs runPolicy",
     ""},
    {" PyTorchJob ", "spec.pytorchReplicaSpecs", "Master Worker", ""},
    {" TFJob ", "spec.tfReplicaSpecs", "Chief Master PS Worker Evaluator", ""},
    {" PaddleJob ", "spec.paddleReplicaSpecs", "Master Worker", ""},
    {" XGBoostJob ", "spec.xgbReplicaSpecs", "Master Worker", ""},
    {" JAXJob ", "spec.jaxReplicaSpecs", "Worker", ""},
    {" MPIJob ", "spec.mpiReplicaSpecs", "Launcher Worker", ""},
    {kTraining, "spec.*.*", "replicas template", ""},
    {" RayJob ", "spec",
     "rayClusterSpec submissionMode submitterPodTemplate clusterSelector shutdownAfterJobFinishes",
     "submitterConfig"},
    {" RayService ", "spec", "rayClusterConfig", ""},
    {" RayCluster ", "spec", "headGroupSpec workerGroupSpecs enableInTreeAutoscaling", ""},
    {" RayJob ", "spec.rayClusterSpec", "headGroupSpec workerGroupSpecs enableInTreeAutoscaling",
     ""},
    {" RayService ", "spec.rayClusterConfig",
     "headGroupSpec workerGroupSpecs enableInTreeAutoscaling", ""},
    {" RayCluster ", "spec.headGroupSpec", "template", ""},
    {" RayJob ", "spec.rayClusterSpec.headGroupSpec", "template", ""},
    {" RayService ", "spec.rayClusterConfig.headGroupSpec", "template", ""},
    {" RayCluster ", "spec.workerGroupSpecs[]", kGroupFields, ""},
    {" RayJob ", "spec.rayClusterSpec.workerGroupSpecs[]", kGroupFields, ""},
    {" RayService ", "spec.rayClusterConfig.workerGroupSpecs[]", kGroupFields, ""},
    {" TrainJob ", "spec", "runtimeRef trainer runtimePatches", ""},
    {" TrainJob ", "spec.trainer", "numNodes resourcesPerNode", "numProcPerNode"},
    {" TrainJob ", "spec.trainer.resourcesPerNode", "requests limits", ""},
    {kRuntimes, "spec", "mlPolicy template", "podGroupPolicy"},
    {kRuntimes, "spec.mlPolicy", "numNodes mpi", "torch"},
    {kRuntimes, "spec.template", "spec", "metadata"},
    {kRuntimes, "spec.template.spec", "replicatedJobs", ""},
    {kRuntimes, "spec.template.spec.replicatedJobs[]", "name replicas template", "groupName"},
    {kRuntimes, "spec.template.spec.replicatedJobs[].template", "spec metadata", ""},
    {kRuntimes, "spec.template.spec.replicatedJobs[].template.spec",
     "parallelism completions template", "completionMode"},
    {" SparkApplication ", "spec", "driver executor dynamicAllocation nodeSelector", ""},
    {" SparkApplication ", "spec.driver", "coreRequest coreLimit memory memoryLimit gpu sidecars",
     "cores memoryOverhead env"},
    {" SparkApplication ", "spec.executor",
     "coreRequest coreLimit memory memoryLimit gpu sidecars instances", "cores memoryOverhead env"},
    {" AppWrapper ", "spec", "components", ""},
    {" AppWrapper ", "spec.components[]", "template podSets", "podSetInfos"},
    {" AppWrapper ", "spec.components[].template.spec",
     "replicas parallelism completions template suspend", "completionMode"},
    {" AppWrapper ", "spec.components[].template", "apiVersion kind spec", "metadata"},
    {" AppWrapper ", "spec.components[].podSets[]", "path replicas annotations", ""},
    {" Deployment StatefulSet ReplicaSet ", "spec", "replicas template", ""},
    {" Deployment StatefulSet ReplicaSet ", "spec.template", "spec metadata", ""},
    {" LeaderWorkerSet ", "spec", "replicas leaderWorkerTemplate", ""},
    {" LeaderWorkerSet ", "spec.leaderWorkerTemplate", "size leaderTemplate workerTemplate", ""},
});

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// Calls `visit` with each mapping that `path` leads to.
template <typename Visit>
void Follow(const YamlNode& node, std::string_view path, const Visit& visit) {
  if (path.empty()) return visit(node);
  if (path.starts_with("[]")) {
    path.remove_prefix(path.starts_with("[].") ? 3 : 2);
    for (const YamlNode* item : node.items) Follow(*item, path, visit);
    return;
  }
  const std::size_t end = std::min(path.find_first_of(".["), path.size());
  const std::string_view key = path.substr(0, end);
  const bool at_list = end < path.size() && path[end] == '[';
  const std::string_view rest = path.substr(std::min(at_list ? end : end + 1, path.size()));
  for (const YamlEntry& entry : node.entries) {
    const bool is_group = key == "*" && (entry.key->text.ends_with("ReplicaSpecs") || rest.empty());
    if (entry.key->text == key || is_group) Follow(*entry.value, rest, visit);
  }
}

constexpr std::string_view kNumbers =
    " replicas numOfHosts minReplicas maxReplicas parallelism completions size numNodes instances ";
constexpr std::size_t kMostDigits = 10;
constexpr std::string_view kTruths = " suspend enableInTreeAutoscaling shutdownAfterJobFinishes ";

bool IsIn(std::string_view word, std::string_view list) {
  for (std::size_t at = list.find(word); at != std::string_view::npos;
       at = list.find(word, at + 1)) {
    if (at > 0 && list[at - 1] == ' ' && at + word.size() < list.size() &&
        list[at + word.size()] == ' ') {
      return true;
    }
  }
  return false;
}

/// What is no number would count as absent.
void CheckType(const YamlEntry& entry, Reporter& reporter) {
  const YamlNode& value = *entry.value;
  if (value.kind == NodeKind::kNull) return;
  const bool is_plain = value.kind == NodeKind::kScalar && !value.quoted;
  const PlainType type = is_plain ? PlainTypeOf(value.text) : PlainType::kText;
  if (type == PlainType::kNull) return;
  const Position at = value.kind == NodeKind::kScalar ? value.at : entry.key->at;
  const std::string name = Quoted(entry.key->text);
  if (IsIn(entry.key->text, kNumbers) && type != PlainType::kInt) {
    reporter.Error(at, name + " must be a whole number", "write for example 2, without quotes");
  } else if (IsIn(entry.key->text, kNumbers) && value.text.size() > kMostDigits) {
    reporter.Error(at, name + " cannot be " + value.text, "write a smaller number");
  } else if (IsIn(entry.key->text, kNumbers) && value.text.starts_with('-')) {
    reporter.Error(at, name + " cannot be negative", "write 0 or more");
  } else if (IsIn(entry.key->text, kTruths) && type != PlainType::kBool) {
    reporter.Error(at, name + " must be true or false", "write it without quotes");
  }
}

void CheckLevel(const Level& level, const YamlNode& node, Reporter& reporter) {
  const std::vector<std::string_view> fields = Words(level.fields);
  const std::vector<std::string_view> others = Words(level.others);
  for (const YamlEntry& entry : node.entries) {
    const auto is_it = [&entry](std::string_view name) { return name == entry.key->text; };
    const bool is_field = std::any_of(fields.begin(), fields.end(), is_it);
    if (is_field) CheckType(entry, reporter);
    if (is_field || std::any_of(others.begin(), others.end(), is_it)) continue;
    const std::string_view near = Closest(entry.key->text, fields);
    if (near.empty()) continue;
    reporter.Error(entry.key->at, "unknown field " + Quoted(entry.key->text),
                   "write " + Quoted(near));
  }
}

/// Pod templates in an object that an AppWrapper wraps; only parts of them become podsets, so that
/// nothing else reads the rest.
constexpr auto kTemplates = std::to_array<std::string_view>(
    {"spec.template", "spec.replicatedJobs[].template.spec.template",
     "spec.pytorchReplicaSpecs.*.template", "spec.headGroupSpec.template",
     "spec.workerGroupSpecs[].template", "spec.rayClusterSpec.headGroupSpec.template",
     "spec.rayClusterSpec.workerGroupSpecs[].template"});
constexpr auto kTemplateLevels = std::to_array<Level>({
    {"", "", "spec metadata", ""},
    {"", "spec", "containers initContainers nodeSelector tolerations priorityClassName overhead",
     "ephemeralContainers nodeName"},
    {"", "spec.containers[]", "name resources", "resizePolicy"},
    {"", "spec.initContainers[]", "name resources", "resizePolicy"},
    {"", "spec.containers[].resources", "requests limits", "claims"},
    {"", "spec.initContainers[].resources", "requests limits", "claims"},
});

void CheckTemplate(const YamlNode& pod_template, Reporter& reporter) {
  for (const Level& level : kTemplateLevels) {
    Follow(pod_template, level.path,
           [&](const YamlNode& node) { CheckLevel(level, node, reporter); });
  }
}

/// What a component of an AppWrapper wraps.
void CheckWrapped(const YamlNode& object, Reporter& reporter) {
  if (object.kind != NodeKind::kMap) return;
  for (const std::string_view field : {"apiVersion", "kind"}) {
    if (object.Find(field) != nullptr) continue;
    reporter.Error(object.at, "the object in a component has no " + std::string(field),
                   "write it: what it asks for is told by its kind");
  }
  const YamlNode* kind = object.Find("kind");
  if (kind == nullptr) return;
  CheckSpelling(kind->text, object, reporter);
  if (kind->text == "Pod") return CheckTemplate(object, reporter);
  for (const std::string_view path : kTemplates) {
    Follow(object, path, [&](const YamlNode& node) { CheckTemplate(node, reporter); });
  }
}

}  // namespace

void CheckSpelling(std::string_view kind, const YamlNode& document, Reporter& reporter) {
  for (const Level& level : kLevels) {
    if (!IsIn(kind, level.kinds)) continue;
    Follow(document, level.path, [&](const YamlNode& node) { CheckLevel(level, node, reporter); });
  }
  if (kind != "AppWrapper") return;
  Follow(document, "spec.components[].template",
         [&](const YamlNode& node) { CheckWrapped(node, reporter); });
}

}  // namespace muster::manifest
