// One table; the first name of a row is the plural, the second the singular, then short names.
#include "bindings/cli/kinds.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <vector>

#include "bindings/lab/near_names.h"
#include "bindings/manifest/closest.h"
#include "bindings/objects/kind.h"

namespace muster::cli {
namespace {

struct Row {
  Kind kind;
  std::vector<std::string_view> names;
};

std::span<const Row> Rows() {
  static const std::vector<Row> kRows = {
      {Kind::kClusterQueue, {"clusterqueues", "clusterqueue", "cq"}},
      {Kind::kCohort, {"cohorts", "cohort"}},
      {Kind::kLocalQueue, {"localqueues", "localqueue", "lq"}},
      {Kind::kWorkload, {"workloads", "workload", "wl"}},
      {Kind::kFlavor, {"flavors", "flavor", "rf", "resourceflavors", "resourceflavor"}},
      {Kind::kPriorityClass,
       {"priorityclasses", "priorityclass", "pc", "workloadpriorityclasses",
        "workloadpriorityclass"}},
      {Kind::kPolicy, {"policies", "policy"}},
      {Kind::kPolicyBinding, {"policybindings", "policybinding"}},
      {Kind::kAccount, {"accounts", "account"}},
      {Kind::kConsumer, {"consumers", "consumer"}},
      {Kind::kNamespace, {"namespaces", "namespace", "ns"}},
      {Kind::kTopology, {"topologies", "topology"}},
      {Kind::kNode, {"nodes", "node", "no"}},
      {Kind::kAdmissionCheck, {"admissionchecks", "admissioncheck", "ac"}},
  };
  return kRows;
}

}  // namespace

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::optional<Kind> FindKind(std::string_view name) {
  const std::string lower = Lower(name);
  for (const Row& row : Rows()) {
    if (std::find(row.names.begin(), row.names.end(), lower) != row.names.end()) return row.kind;
  }
  return std::nullopt;
}

std::optional<ObjectKind> ObjectKindOf(Kind kind) {
  switch (kind) {
    case Kind::kClusterQueue:
      return ObjectKind::kClusterQueue;
    case Kind::kCohort:
      return ObjectKind::kCohort;
    case Kind::kLocalQueue:
      return ObjectKind::kLocalQueue;
    case Kind::kWorkload:
      return ObjectKind::kWorkload;
    case Kind::kFlavor:
      return ObjectKind::kResourceFlavor;
    case Kind::kPriorityClass:
      return ObjectKind::kWorkloadPriorityClass;
    case Kind::kPolicyBinding:
      return ObjectKind::kPolicyBinding;
    case Kind::kNamespace:
      return ObjectKind::kNamespace;
    case Kind::kTopology:
      return ObjectKind::kTopology;
    case Kind::kNode:
      return ObjectKind::kNode;
    case Kind::kAdmissionCheck:
      return ObjectKind::kAdmissionCheck;
    case Kind::kAccount:
    case Kind::kConsumer:
    case Kind::kPolicy:
      return std::nullopt;
  }
  return std::nullopt;
}

bool IsNamespaced(Kind kind) { return kind == Kind::kWorkload || kind == Kind::kLocalQueue; }

std::vector<std::pair<Kind, std::string_view>> AllKinds() {
  std::vector<std::pair<Kind, std::string_view>> kinds;
  for (const Row& row : Rows()) kinds.emplace_back(row.kind, row.names[0]);
  return kinds;
}

std::string_view Singular(Kind kind) {
  for (const Row& row : Rows()) {
    if (row.kind == kind) return row.names[1];
  }
  return "";
}

std::string ListKinds(KindsOf which) {
  std::string list;
  for (const Row& row : Rows()) {
    if (which == KindsOf::kObjects && !ObjectKindOf(row.kind)) continue;
    if (!list.empty()) list += ", ";
    list += row.names[0];
    if (row.names.size() > 2) list += " (" + std::string(row.names[2]) + ")";
  }
  return list;
}

namespace {

/// "job" and "RayJobs" name kinds of jobs.
bool IsJobKind(std::string_view name) {
  if (name.ends_with('s')) name.remove_suffix(1);
  const std::string lower = Lower(name);
  return std::ranges::any_of(objects::KindTable(), [&lower](const objects::KindRow& row) {
    return Lower(row.kind) == lower;
  });
}

}  // namespace

std::string UnknownKind(std::string_view name) {
  if (IsJobKind(name)) {
    return "there is no kind '" + std::string(name) +
           "': jobs of every kind are workloads; write \"workloads\", and KIND-NAME for the name";
  }
  std::vector<std::string_view> names;
  for (const Row& row : Rows()) names.push_back(row.names[0]);
  return "there is no kind '" + std::string(name) + "'; " + manifest::ProposeName(name, names);
}

std::string NearName(const Engine& engine, Kind kind, const Key& key) {
  const std::optional<ObjectKind> object = ObjectKindOf(kind);
  return object ? lab::NearName(engine, *object, key) : "";
}

std::optional<ObjectKind> FindObjectKind(std::string_view name) {
  const std::string lower = Lower(name);
  for (std::size_t k = 0; k < kObjectKinds; ++k) {
    const std::string kind = Lower(KindName(static_cast<ObjectKind>(k)));
    if (lower == kind || lower == kind + "s") return static_cast<ObjectKind>(k);
  }
  const std::optional<Kind> kind = FindKind(name);
  if (!kind) return std::nullopt;
  return ObjectKindOf(*kind);
}

}  // namespace muster::cli
