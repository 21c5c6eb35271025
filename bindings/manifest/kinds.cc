// One row per kind. A group and kind that is not here is foreign, also when the kind alone is
// known: other projects have Jobs and Queues too.
#include "bindings/manifest/kinds.h"

#include <algorithm>
#include <string>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/quote.h"

namespace muster::manifest {
namespace {

constexpr std::string_view kKueue = "kueue.x-k8s.io";
constexpr std::string_view kConfig = "config.kueue.x-k8s.io";
constexpr std::string_view kScheduling = "scheduling.k8s.io";
constexpr std::string_view kMuster = "muster.dev";

const std::vector<KindInfo>& Kinds() {
  static const std::vector<KindInfo> kinds = {
      {"ResourceFlavor", kKueue, {"v1beta2", "v1beta1"}, DecodeResourceFlavor},
      {"ClusterQueue", kKueue, {"v1beta2", "v1beta1"}, DecodeClusterQueue},
      {"Cohort", kKueue, {"v1beta2", "v1beta1", "v1alpha1"}, DecodeCohort},
      {"LocalQueue", kKueue, {"v1beta2", "v1beta1"}, DecodeLocalQueue},
      {"Workload", kKueue, {"v1beta2", "v1beta1"}, DecodeWorkload},
      {"WorkloadPriorityClass", kKueue, {"v1beta2", "v1beta1"}, DecodeWorkloadPriorityClass},
      {"AdmissionCheck", kKueue, {"v1beta2", "v1beta1"}, DecodeAdmissionCheck},
      {"Topology", kKueue, {"v1beta2", "v1beta1", "v1alpha1"}, DecodeTopology},
      {"Configuration", kConfig, {"v1beta2", "v1beta1"}, DecodeConfiguration},
      {"Job", "batch", {"v1"}, DecodeJob},
      {"Namespace", "", {"v1"}, DecodeNamespace},
      {"Node", "", {"v1"}, DecodeNode},
      {"Pod", "", {"v1"}, DecodePod},
      {"LimitRange", "", {"v1"}, DecodeLimitRange},
      {"ResourceQuota", "", {"v1"}, nullptr},
      {"List", "", {"v1"}, nullptr},
      {"PriorityClass", kScheduling, {"v1"}, DecodePriorityClass},
      {"RuntimeClass", "node.k8s.io", {"v1"}, DecodeRuntimeClass},
      {"Scenario", kMuster, {"v1"}, nullptr},
      {"EngineConfiguration", kMuster, {"v1"}, DecodeEngineConfiguration},
      {"PolicyBinding", kMuster, {"v1"}, DecodePolicyBinding},
  };
  return kinds;
}

std::string ApiVersion(const KindInfo& info, std::string_view version) {
  return info.group.empty() ? std::string(version)
                            : std::string(info.group) + "/" + std::string(version);
}

/// A mistake at a field of the document's head.
void ReportField(const Value& document, std::string_view field, const std::string& what,
                 const std::string& cure) {
  Position at = document.at();
  for (const YamlEntry& entry : document.node().entries) {
    if (entry.key->text == field) at = entry.value->at;
  }
  document.decoding().reporter.Error(at, what, cure);
}

void ReportUnknownKind(const Value& document, const std::string& kind) {
  std::vector<std::string_view> known;
  for (const KindInfo& info : Kinds()) known.push_back(info.kind);
  const std::string_view near = Closest(kind, known);
  ReportField(document, "kind", "unknown kind " + Quoted(kind),
              (near.empty() ? "write a Job, or a Workload with its pods as podsets"
                            : "write " + Quoted(near)) +
                  ", or skip it with --ignore-kinds " + Shown(kind));
}

/// The text of a field of the head; nullopt, reported, when there is none.
std::optional<std::string> HeadText(const Value& document, std::string_view field,
                                    const std::string& cure) {
  const YamlNode* node = document.node().Find(field);
  if (node == nullptr || node->kind != NodeKind::kScalar || node->text.empty()) {
    ReportField(document, field, std::string(field) + " is missing", cure);
    return std::nullopt;
  }
  return node->text;
}

}  // namespace

std::optional<DocumentKind> FindKind(const Value& document) {
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
    if (!may_ignore) ReportUnknownKind(document, *kind);
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
  if (!may_ignore) {
    const bool is_foreign = !api_version->starts_with(std::string(info->group) + "/");
    ReportField(
        document, "apiVersion", "a " + *kind + " has no apiVersion " + Quoted(*api_version),
        "write " + newest + (is_foreign ? ", or skip it with --ignore-kinds " + *kind : ""));
  }
  return std::nullopt;
}

}  // namespace muster::manifest
