// The kinds of objects, and what else is read. A group and kind that is not here is foreign, also
// when the kind alone is known: other projects have Jobs and Queues too.
#include "bindings/manifest/kinds.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/passive_kinds.h"
#include "bindings/manifest/quote.h"
#include "bindings/objects/kind.h"
#include "engine/model/kinds.h"

namespace muster::manifest {
namespace {

/// A kind of objects: the versions are the newest and, of Kueue, those before it.
KindInfo InfoOf(ObjectKind kind) {
  const KindRow& row = RowOf(kind);
  const std::size_t slash = row.api_version.find('/');
  const bool has_group = slash != std::string_view::npos;
  KindInfo info = {row.name,
                   has_group ? row.api_version.substr(0, slash) : "",
                   {has_group ? row.api_version.substr(slash + 1) : row.api_version},
                   DecoderOf(kind)};
  if (info.versions.front() == "v1beta2") info.versions.emplace_back("v1beta1");
  if (kind == ObjectKind::kCohort || kind == ObjectKind::kTopology) {
    info.versions.emplace_back("v1alpha1");
  }
  return info;
}

const std::vector<KindInfo>& Kinds() {
  static const std::vector<KindInfo> kinds = [] {
    std::vector<KindInfo> all;
    for (std::size_t i = 0; i < kObjectKinds; ++i)
      all.push_back(InfoOf(static_cast<ObjectKind>(i)));
    all.push_back({"Job", "batch", {"v1"}, DecodeJob});
    for (const objects::KindRow& row : objects::KindTable()) {
      if (row.kind == "Job" || row.kind == "Pod") continue;  // read as objects of the engine
      all.push_back({row.kind, row.group, {row.version}, nullptr, true});
    }
    all.push_back({"CronJob", "batch", {"v1"}, nullptr, true});
    all.push_back({"ReplicaSet", "apps", {"v1"}, nullptr, true});
    all.push_back({"ClusterTrainingRuntime", "trainer.kubeflow.org", {"v1alpha1"}, nullptr, true});
    all.push_back({"TrainingRuntime", "trainer.kubeflow.org", {"v1alpha1"}, nullptr, true});
    all.push_back({"ResourceQuota", "", {"v1"}, nullptr});
    all.push_back({"List", "", {"v1"}, nullptr});
    all.push_back({"Scenario", "muster.dev", {"v1"}, nullptr});
    all.push_back({"JobKind", "muster.dev", {"v1"}, nullptr});
    return all;
  }();
  return kinds;
}

constexpr std::string_view kAsksNothing = "leave it out: it asks for no quota";

constexpr std::string_view kDeclareIt = "it runs pods: declare it by a JobKind to have them queued";
constexpr std::string_view kIsOfPods =
    "it runs pods, which are queued when they are given themselves";
constexpr std::string_view kMakesJobs =
    "the jobs it makes are queued when they are given themselves";
constexpr std::string_view kNoOtherCluster = "leave it out: no job is sent to another cluster";

/// Kinds that stand beside jobs in many folders, and what to do about each.
struct Foreign {
  std::string_view group;
  std::string_view kind;
  std::string_view cure;
};
constexpr auto kForeign = std::to_array<Foreign>({
    {"flux-framework.org", "MiniCluster",
     "declare it by a JobKind, as examples/kinds/minicluster.yaml does"},
    {"apps", "DaemonSet", "leave it out: its pods follow the nodes and wait in no queue"},
    {"", "ReplicationController", "write a Deployment, whose pods are queued"},
    {"argoproj.io", "Workflow", kIsOfPods},
    {"argoproj.io", "CronWorkflow", kIsOfPods},
    {"argoproj.io", "WorkflowTemplate", kAsksNothing},
    {"argoproj.io", "Rollout", kDeclareIt},
    {"batch.volcano.sh", "CronJob", kMakesJobs},
    {"keda.sh", "ScaledJob", kMakesJobs},
    {"kubeflow.org", "Notebook", kDeclareIt},
    {"serving.knative.dev", "Service", kIsOfPods},
    {"serving.kserve.io", "InferenceService", kIsOfPods},
    {"sparkoperator.k8s.io", "ScheduledSparkApplication", kMakesJobs},
    {"tekton.dev", "PipelineRun", kIsOfPods},
    {"tekton.dev", "TaskRun", kIsOfPods},
    {"kueue.x-k8s.io", "MultiKueueCluster", kNoOtherCluster},
    {"kueue.x-k8s.io", "MultiKueueConfig", kNoOtherCluster},
    {"kueue.x-k8s.io", "ProvisioningRequestConfig",
     "leave it out: it is for the controller of an AdmissionCheck"},
});

/// Of the document's apiVersion; nullopt: it has none that can be read.
std::optional<std::string_view> GroupIn(const Value& document) {
  const YamlNode* node = document.node().Find("apiVersion");
  if (node == nullptr || node->kind != NodeKind::kScalar) return std::nullopt;
  const std::string_view text = node->text();
  const std::size_t slash = text.find('/');
  return slash == text.npos ? "" : text.substr(0, slash);
}

/// What to do about a kind that is not read but known; empty: it is unknown.
std::string_view CureOf(const Value& document, std::string_view kind) {
  const std::optional<std::string_view> group = GroupIn(document);
  const auto foreign = std::find_if(kForeign.begin(), kForeign.end(), [&](const Foreign& each) {
    return each.kind == kind && (!group || each.group == *group);
  });
  if (foreign != kForeign.end()) return foreign->cure;
  return group && IsPassiveKind(*group, kind) ? kAsksNothing : "";
}

std::string ApiVersion(const KindInfo& info, std::string_view version) {
  return info.group.empty() ? std::string(version)
                            : std::string(info.group) + "/" + std::string(version);
}

/// A mistake at a field of the document's head.
void ReportField(const Value& document, std::string_view field, const std::string& what,
                 const std::string& cure) {
  Position at = document.at();
  for (const YamlEntry& entry : document.node().entries()) {
    if (entry.key->text() == field) at = entry.value->at;
  }
  document.decoding().reporter.Error(at, what, cure);
}

/// Whether its apiVersion is of a group that no kind here has, not even misspelt.
bool IsOfForeignGroup(const Value& document) {
  const YamlNode* node = document.node().Find("apiVersion");
  if (node == nullptr) return false;
  const std::string_view group = std::string_view(node->text()).substr(0, node->text().find('/'));
  if (group.size() == node->text().size()) return false;  // a version alone: the core group
  std::vector<std::string_view> groups;
  for (const KindInfo& info : Kinds()) groups.push_back(info.group);
  return Closest(group, groups).empty();
}

/// Whether it can be none of the known kinds, however misspelt.
bool ReportUnknownKind(const Value& document, const std::string& kind,
                       std::vector<std::string_view> known) {
  if (!IsOfForeignGroup(document)) {
    for (const KindInfo& info : Kinds()) known.push_back(info.kind);
  }
  const std::string_view near = Closest(kind, known);
  const std::string_view known_cure = CureOf(document, kind);
  std::string what = "unknown kind " + Quoted(kind);
  constexpr std::string_view kList = "List";
  if (kind.ends_with(kList) &&
      std::find(known.begin(), known.end(), kind.substr(0, kind.size() - kList.size())) !=
          known.end()) {
    ReportField(document, "kind", what, "write apiVersion: v1 and kind: List");
    return false;
  }
  std::string cure = near.empty() ? "" : "write " + Quoted(near) + ", or ";
  if (near == kind) {
    what = "the JobKind of " + kind + " is of another group than this one";
    cure = "write the apiVersion that it tells, or ";
  }
  if (!known_cure.empty()) {
    what = "the kind " + Quoted(kind) + " is not read";
    cure = std::string(known_cure) + ", or ";
  }
  cure += "skip it with --ignore-kinds " + Shown(kind);
  if (known_cure.empty() && near.empty()) {
    cure += "; if it has pods, declare it by a JobKind";
  }
  ReportField(document, "kind", what, cure);
  return !known_cure.empty() || near.empty();
}

/// The text of a field of the head; nullopt, reported, when there is none.
std::optional<std::string> HeadText(const Value& document, std::string_view field,
                                    const std::string& cure) {
  const YamlNode* node = document.node().Find(field);
  for (const YamlEntry& entry : document.node().entries()) {
    if (node != nullptr || Closest(entry.key->text(), std::span(&field, 1)).empty()) continue;
    document.decoding().reporter.Error(entry.key->at, "unknown field " + Quoted(entry.key->text()),
                                       "write " + Quoted(field));
    return std::nullopt;
  }
  if (node == nullptr || node->kind != NodeKind::kScalar || node->text().empty()) {
    ReportField(document, field, std::string(field) + " is missing", cure);
    return std::nullopt;
  }
  return std::string(node->text());
}

}  // namespace

bool IsBuiltIn(std::string_view kind, std::string_view group) {
  return std::any_of(Kinds().begin(), Kinds().end(), [&](const KindInfo& info) {
    return info.kind == kind && info.group == group;
  });
}

std::optional<DocumentKind> FindKind(const Value& document, bool* foreign,
                                     const std::vector<std::string_view>& declared) {
  if (document.node().kind != NodeKind::kMap) {
    document.decoding().reporter.Error(document.node().at,
                                       "a document must be a mapping with apiVersion and kind",
                                       "write for example kind: ClusterQueue");
    return std::nullopt;
  }
  const auto kind = HeadText(document, "kind", "add for example kind: ClusterQueue");
  if (!kind) return std::nullopt;
  const bool may_ignore = document.decoding().options.ignore_kinds.contains(*kind);
  const auto info = std::find_if(Kinds().begin(), Kinds().end(),
                                 [&](const KindInfo& k) { return k.kind == *kind; });
  if (info == Kinds().end()) {
    const bool is_foreign = may_ignore || ReportUnknownKind(document, *kind, declared);
    if (foreign != nullptr) *foreign = is_foreign;
    return std::nullopt;
  }
  const std::string newest = ApiVersion(*info, info->versions.front());
  const auto api_version = HeadText(document, "apiVersion", "add apiVersion: " + newest);
  if (!api_version) return std::nullopt;
  for (const std::string_view version : info->versions) {
    if (*api_version == ApiVersion(*info, version)) {
      return DocumentKind{&*info, version == "v1beta1" || version == "v1alpha1"};
    }
  }
  if (foreign != nullptr) *foreign = IsOfForeignGroup(document);
  if (!may_ignore) {
    const bool is_foreign = !api_version->starts_with(std::string(info->group) + "/");
    ReportField(
        document, "apiVersion", "a " + *kind + " has no apiVersion " + Quoted(*api_version),
        "write " + newest + (is_foreign ? ", or skip it with --ignore-kinds " + *kind : ""));
  }
  return std::nullopt;
}

}  // namespace muster::manifest
