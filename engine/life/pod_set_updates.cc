// See pod_set_updates.h. Every label remembers what gave it, for the message of a contradiction.
#include "engine/life/pod_set_updates.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace muster {
namespace {

/// The labels of one kind of one podset, and where each came from.
class Labels {
 public:
  Labels(std::string_view field, std::string_view pod_set) : field_(field), pod_set_(pod_set) {}

  /// Adds what `source` gives; keys that are there already must agree.
  Status Add(const LabelMap& labels, const std::string& source) {
    for (const auto& [key, value] : labels) {
      const auto [known, is_new] = values_.try_emplace(key, Given{value, source});
      if (is_new || known->second.value == value) continue;
      return Status(StatusCode::kInvalidArgument,
                    std::string(field_) + " " + key + " of podset " + std::string(pod_set_) + ": " +
                        known->second.source + " says '" + known->second.value + "', " + source +
                        " says '" + value + "'");
    }
    return Status::Ok();
  }

  /// All but those of the pods' own template, which are there anyway.
  LabelMap Take(std::string_view own) const {
    LabelMap labels;
    for (const auto& [key, given] : values_) {
      if (given.source != own) labels[key] = given.value;
    }
    return labels;
  }

 private:
  struct Given {
    std::string value;
    std::string source;
  };
  std::string_view field_;
  std::string_view pod_set_;
  std::map<std::string, Given, std::less<>> values_;
};

constexpr std::string_view kTemplate = "its template";

void AddTolerations(const std::vector<Toleration>& more, std::vector<Toleration>& all) {
  for (const Toleration& toleration : more) {
    if (std::find(all.begin(), all.end(), toleration) == all.end()) all.push_back(toleration);
  }
}

class PodSetMerger {
 public:
  PodSetMerger(const World& world, const PodSetAssignment& assigned)
      : world_(world),
        assigned_(assigned),
        labels_("label", assigned.name),
        annotations_("annotation", assigned.name),
        node_selector_("nodeSelector", assigned.name) {}

  Status AddTemplate(const SharedList<PodSet>& pod_sets) {
    for (const PodSet& pod_set : pod_sets) {
      if (pod_set.name != assigned_.name) continue;
      const std::string source(kTemplate);  // the first to speak: it is never contradicted
      for (const PodMetadata& metadata : pod_set.pods.metadata) {
        Status status = labels_.Add(metadata.labels, source);
        if (status.ok()) status = annotations_.Add(metadata.annotations, source);
        if (!status.ok()) return status;
      }
      return node_selector_.Add(pod_set.pods.node_selector, source);
    }
    return Status::Ok();
  }

  Status AddFlavors() {
    std::vector<std::string> seen;
    for (const auto& [resource, name] : assigned_.flavors) {
      if (std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
      seen.push_back(name);
      const auto flavor = world_.catalog.flavors.find(name);
      if (flavor == world_.catalog.flavors.end()) continue;
      AddTolerations(flavor->second.tolerations, tolerations_);
      const Status added = node_selector_.Add(flavor->second.node_labels, "flavor " + name);
      if (!added.ok()) return added;
    }
    return Status::Ok();
  }

  Status AddUpdate(const PodSetUpdate& update, const std::string& source) {
    if (update.name != assigned_.name) return Status::Ok();
    AddTolerations(update.tolerations, tolerations_);
    Status status = labels_.Add(update.labels, source);
    if (status.ok()) status = annotations_.Add(update.annotations, source);
    if (status.ok()) status = node_selector_.Add(update.node_selector, source);
    return status;
  }

  PodSetUpdate Take() {
    PodSetUpdate merged;
    merged.name = assigned_.name;
    merged.labels = labels_.Take(kTemplate);
    merged.annotations = annotations_.Take(kTemplate);
    merged.node_selector = node_selector_.Take(kTemplate);
    merged.tolerations = std::move(tolerations_);
    return merged;
  }

 private:
  const World& world_;
  const PodSetAssignment& assigned_;
  Labels labels_;
  Labels annotations_;
  Labels node_selector_;
  std::vector<Toleration> tolerations_;
};

Status CheckNames(const Admission& admission, const SharedList<AdmissionCheckStatus>& checks) {
  for (const AdmissionCheckStatus& check : checks) {
    for (const PodSetUpdate& update : check.pod_set_updates) {
      const bool known =
          std::any_of(admission.pod_sets.begin(), admission.pod_sets.end(),
                      [&](const PodSetAssignment& pod_set) { return pod_set.name == update.name; });
      if (known) continue;
      return Status(StatusCode::kInvalidArgument, "podSetUpdates of check " + check.name +
                                                      " name podset '" + update.name +
                                                      "', which the workload does not have");
    }
  }
  return Status::Ok();
}

}  // namespace

Result<std::vector<PodSetUpdate>> MergePodSetUpdates(
    const World& world, const WorkloadRecord& workload,
    const SharedList<AdmissionCheckStatus>& checks) {
  const Admission& admission = *workload.spec.status.admission;
  if (const Status names = CheckNames(admission, checks); !names.ok()) return names;
  std::vector<PodSetUpdate> merged;
  for (const PodSetAssignment& assigned : admission.pod_sets) {
    PodSetMerger merger(world, assigned);
    Status status = merger.AddTemplate(workload.series().pod_sets);
    if (status.ok()) status = merger.AddFlavors();
    for (const AdmissionCheckStatus& check : checks) {
      for (const PodSetUpdate& update : check.pod_set_updates) {
        if (status.ok()) status = merger.AddUpdate(update, "check " + check.name);
      }
    }
    if (!status.ok()) return status;
    merged.push_back(merger.Take());
  }
  return merged;
}

}  // namespace muster
