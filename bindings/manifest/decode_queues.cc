// The objects that hold quota: ResourceFlavor, ClusterQueue, Cohort, LocalQueue.
#include <array>

#include "bindings/manifest/decode.h"
#include "bindings/manifest/quote.h"

namespace muster::manifest {
namespace {

// The words of the older API for FungibilityPolicy::kMayStopSearch.
constexpr std::string_view kOldWhenCanBorrow = "Borrow";
constexpr std::string_view kOldWhenCanPreempt = "Preempt";

void ReadFungibility(Fields& fields, std::string_view name, std::string_view old_word,
                     FungibilityPolicy* out) {
  const std::optional<Value> value = fields.Find(name);
  if (!value) return;
  if (fields.decoding().v1beta1 && value->node().text == old_word) {
    *out = FungibilityPolicy::kMayStopSearch;
  } else {
    Read(*value, out);
  }
}

void ReadPreemption(const Value& value, PreemptionRules* out) {
  using enum PreemptionPolicy;
  Fields fields(value);
  if (const auto within = fields.Find("withinClusterQueue")) {
    ReadOneOf(*within, std::array{kNever, kLowerPriority, kLowerOrNewerEqualPriority},
              &out->within_cluster_queue);
  }
  if (const auto reclaim = fields.Find("reclaimWithinCohort")) {
    ReadOneOf(*reclaim, std::array{kNever, kLowerPriority, kAny}, &out->reclaim_within_cohort);
  }
  if (const auto borrow = fields.Find("borrowWithinCohort")) {
    Fields inner(*borrow);
    if (const auto policy = inner.Find("policy")) {
      ReadOneOf(*policy, std::array{kNever, kLowerPriority}, &out->borrow_within_cohort);
    }
    inner.Get("maxPriorityThreshold", &out->max_priority_threshold);
  }
  fields.Refuse("maxPreemptedWorkloads", "Kueue has no \"maxPreemptedWorkloads\"",
                "bind the policy package preemption-budget to this queue instead");
}

}  // namespace

static bool Read(const Value& value, FlavorFungibility* out) {
  Fields fields(value);
  ReadFungibility(fields, "whenCanBorrow", kOldWhenCanBorrow, &out->when_can_borrow);
  ReadFungibility(fields, "whenCanPreempt", kOldWhenCanPreempt, &out->when_can_preempt);
  fields.Get("preference", &out->preference);
  return true;
}

static bool Read(const Value& value, AdmissionCheckRule* out) {
  Fields fields(value);
  fields.Require("name", &out->name, "provisioning");
  fields.Get("onFlavors", &out->on_flavors);
  return true;
}

namespace {

Presence IsWritten(bool written) { return written ? Presence::kWritten : Presence::kAbsent; }

/// v1beta1 also has a list of bare names, which means the same as rules without flavors; an empty
/// one means nothing.
void ReadAdmissionChecks(Fields& spec, std::vector<AdmissionCheckRule>* out, Presence* strategy) {
  if (const auto value = spec.Find("admissionChecksStrategy")) {
    Fields fields(*value);
    fields.Get("admissionChecks", out);
    *strategy = IsWritten(out->empty());
  }
  if (!spec.decoding().v1beta1) {
    spec.Refuse("admissionChecks", "\"admissionChecks\" is a field of v1beta1",
                "write admissionChecksStrategy: {admissionChecks: [{name: ...}]}");
    return;
  }
  std::vector<std::string> names;
  if (!spec.Get("admissionChecks", &names)) return;
  if (!out->empty()) {
    spec.Refuse("admissionChecks",
                "\"admissionChecks\" and \"admissionChecksStrategy\" exclude each other",
                "keep one of them");
  }
  for (std::string& name : names) out->push_back({std::move(name), {}});
}

/// The parent has another name in each version of the API.
void ReadCohortName(Fields& spec, std::string* out) {
  if (spec.decoding().v1beta1) {
    spec.Get("cohort", out);
    spec.Refuse("cohortName", "\"cohortName\" is a field of v1beta2",
                "write cohort, or apiVersion kueue.x-k8s.io/v1beta2");
  } else {
    spec.Get("cohortName", out);
    spec.Refuse("cohort", "\"cohort\" is a field of v1beta1", "write cohortName");
  }
}

void ReadConcurrentAdmission(Fields& spec) {
  const auto policy = spec.Find("concurrentAdmissionPolicy");
  if (!policy) return;
  Fields fields(*policy);
  fields.Accept({"migration", "explicitVariants"});
  spec.decoding().Unread(policy->at(), "\"concurrentAdmissionPolicy\" has no effect",
                         "remove it; flavors are tried one after the other");
}

void ReadSpec(const Value& value, ClusterQueue* queue) {
  Fields spec(value);
  ReadCohortName(spec, &queue->cohort);
  spec.Get("resourceGroups", &queue->resource_groups);
  spec.Get("queueingStrategy", &queue->queueing_strategy);
  spec.Get("namespaceSelector", &queue->namespace_selector);
  spec.Get("flavorFungibility", &queue->flavor_fungibility);
  if (const auto preemption = spec.Find("preemption")) {
    ReadPreemption(*preemption, &queue->preemption);
  }
  const bool shares = ReadFairWeight(spec, &queue->fair_weight);
  queue->fair_sharing = IsWritten(shares && queue->fair_weight == 1.0);
  if (const auto scope = spec.Find("admissionScope")) {
    Fields fields(*scope);
    fields.Get("admissionMode", &queue->admission_mode);
    queue->admission_scope = IsWritten(queue->admission_mode == AdmissionMode::kNone);
  }
  ReadAdmissionChecks(spec, &queue->admission_checks, &queue->admission_checks_strategy);
  spec.Get("stopPolicy", &queue->stop_policy);
  ReadConcurrentAdmission(spec);
}

void AcceptStatus(Fields& document, std::initializer_list<std::string_view> names) {
  if (const auto status = document.Find("status")) Fields(*status).Accept(names);
}

/// status.fairSharing.admissionFairSharingStatus of a LocalQueue; its other counters carry nothing.
void ReadHistory(const Value& value, std::optional<FairSharingHistory>* out) {
  Fields status(value);
  status.Accept({"conditions", "pendingWorkloads", "reservingWorkloads", "admittedWorkloads",
                 "heldWorkloads", "flavorsReservation", "flavorsUsage", "flavorUsage", "flavors"});
  const auto sharing = status.Find("fairSharing");
  if (!sharing) return;
  Fields fields(*sharing);
  fields.Accept({"weightedShare"});
  const auto history = fields.Find("admissionFairSharingStatus");
  if (!history) return;
  Fields inner(*history);
  FairSharingHistory& read = out->emplace();
  inner.Get("consumedResources", &read.consumed);
  for (const auto& [resource, quantity] : read.consumed) {
    if (!quantity.IsNegative()) continue;
    inner.Find("consumedResources")
        ->Error("cannot be negative, as " + Quoted(resource) + " is", "write 0 or more");
  }
  inner.GetTime("lastUpdate", &read.last_update);
}

}  // namespace

std::optional<Object> DecodeResourceFlavor(const Value& document) {
  Fields fields(document);
  ResourceFlavor flavor;
  flavor.name = ReadMetadata(fields).name;
  if (const auto value = fields.Find("spec")) {
    Fields spec(*value);
    spec.Get("nodeLabels", &flavor.node_labels);
    spec.Get("nodeTaints", &flavor.node_taints);
    spec.Get("tolerations", &flavor.tolerations);
    spec.Get("topologyName", &flavor.topology_name);
  }
  fields.Accept({"status"});
  return flavor;
}

std::optional<Object> DecodeClusterQueue(const Value& document) {
  Fields fields(document);
  ClusterQueue queue;
  Metadata metadata = ReadMetadata(fields);
  queue.name = std::move(metadata.name);
  queue.deletion = metadata.deletion;
  if (const auto spec = fields.Find("spec")) ReadSpec(*spec, &queue);
  AcceptStatus(fields, {"conditions", "flavorsReservation", "flavorsUsage", "pendingWorkloads",
                        "reservingWorkloads", "admittedWorkloads", "heldWorkloads", "fairSharing",
                        "pendingWorkloadsStatus"});
  return queue;
}

std::optional<Object> DecodeCohort(const Value& document) {
  Fields fields(document);
  Cohort cohort;
  cohort.name = ReadMetadata(fields).name;
  if (const auto value = fields.Find("spec")) {
    Fields spec(*value);
    spec.Get("parentName", &cohort.parent);
    spec.Get("resourceGroups", &cohort.resource_groups);
    const bool shares = ReadFairWeight(spec, &cohort.fair_weight);
    cohort.fair_sharing = IsWritten(shares && cohort.fair_weight == 1.0);
  }
  AcceptStatus(fields, {"fairSharing", "conditions", "flavorsUsage"});
  return cohort;
}

std::optional<Object> DecodeLocalQueue(const Value& document) {
  Fields fields(document);
  Metadata metadata = ReadMetadata(fields);
  LocalQueue queue;
  queue.key = metadata.key();
  queue.labels = std::move(metadata.labels);
  if (const auto value = fields.Find("spec")) {
    Fields spec(*value);
    spec.Get("clusterQueue", &queue.cluster_queue);
    spec.Get("stopPolicy", &queue.stop_policy);
    ReadFairWeight(spec, &queue.fair_weight);
  }
  if (const auto status = fields.Find("status")) ReadHistory(*status, &queue.history);
  return queue;
}

}  // namespace muster::manifest
