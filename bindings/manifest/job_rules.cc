// See job_rules.h.
#include "bindings/manifest/job_rules.h"

#include <algorithm>
#include <span>
#include <utility>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/place_index.h"
#include "bindings/manifest/quote.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/webhook.h"
#include "bindings/objects/workload.h"

namespace muster::manifest {

void ReportRules(const objects::KindRow& row, const YamlNode& node, objects::Value object,
                 const objects::Setting& setting, Reporter& reporter) {
  // What holds an object of a declared kind back may be anything until it is checked.
  if (!row.is_declared) objects::Prepare(row, object, setting);
  for (const objects::FieldError& error : objects::CheckCreate(row, object, setting)) {
    const Position at = FindPlace(node, error.field.empty() ? "metadata.name" : error.field);
    const std::string subject = error.type == "Other" ? object.At("kind").text + " " +
                                                            Quoted(objects::NameOf(object)) + ": "
                                                      : error.field + " ";
    reporter.Error(at, subject + error.what, error.cure);
  }
}

objects::Value TopologyRequestIn(const objects::JobPodSet& set) {
  if (set.topology.IsNull()) return objects::Value::Map();
  objects::Value topology = set.topology;
  for (const std::string_view label : {"podIndexLabel", "subGroupIndexLabel", "subGroupCount"}) {
    topology.Remove(label);
  }
  return topology;
}

bool HasContainers(const objects::Value& pod_spec) {
  constexpr std::string_view kField = "containers";
  return std::any_of(
      pod_spec.entries.begin(), pod_spec.entries.end(), [&kField](const auto& entry) {
        return entry.first == kField ? !entry.second.items.empty()
                                     : !Closest(entry.first, std::span(&kField, 1)).empty();
      });
}

std::string JobWorkloadName(std::string_view name, std::string_view uid) {
  if (uid.empty()) return "job-" + std::string(name);
  return objects::WorkloadName(*objects::FindKindRow("batch/v1", "Job"), name, uid, "",
                               objects::Setting());
}

const objects::KindRow* RowOfAlone(std::string_view api_version, std::string_view kind,
                                   const objects::Setting& setting) {
  const bool is_replica_set =
      kind == "ReplicaSet" && objects::GroupOfVersion(api_version) == "apps";
  return objects::FindKindRow(api_version, is_replica_set ? "Deployment" : kind, setting);
}

std::vector<Key> KeysOfOwner(const std::string& ns, const objects::Value& owner,
                             const objects::Setting& setting) {
  const objects::KindRow* row =
      RowOfAlone(owner.TextAt("apiVersion"), owner.TextAt("kind"), setting);
  if (row == nullptr) return {};
  const std::string_view name = owner.TextAt("name");
  std::vector<Key> keys;
  for (const std::string& each : objects::WorkloadNames(*row, name, owner.TextAt("uid"), setting)) {
    keys.push_back({ns, each});
  }
  if (row->Is("Job")) keys.push_back({ns, JobWorkloadName(name, "")});
  return keys;
}

}  // namespace muster::manifest
