// Forms of the objects that hold quota, and of the parts that several kinds share.
#ifndef MUSTER_BINDINGS_MANIFEST_FORMS_QUEUES_H_
#define MUSTER_BINDINGS_MANIFEST_FORMS_QUEUES_H_

#include "bindings/manifest/form.h"
#include "bindings/manifest/ways.h"

namespace muster::manifest {

// ---- parts
// ---------------------------------------------------------------------------------------

template <>
struct Form<SelectorRequirement> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&SelectorRequirement::key).Need("team"),
      Field(&SelectorRequirement::op, "operator").Need("In"),
  };
};

template <>
struct Form<Taint> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&Taint::key).Need("spot"),
      Field(&Taint::effect).Need("NoSchedule"),
  };
  static constexpr auto kUnread = Paths({"timeAdded"});
};

template <>
struct Form<Toleration> : PartForm {
  static constexpr std::tuple kFields = {Field(&Toleration::op, "operator")};
  static constexpr auto kUnread = Paths({"tolerationSeconds"});
};

template <>
struct Form<ResourceQuota> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&ResourceQuota::name).Need("cpu"),
      Field(&ResourceQuota::nominal, "nominalQuota").Need("10"),
  };
};

template <>
struct Form<FlavorQuotas> : PartForm {
  static constexpr std::tuple kFields = {Field(&FlavorQuotas::name).Need("default-flavor")};
};

template <>
struct Form<AdmissionCheckRule> : PartForm {
  static constexpr std::tuple kFields = {Field(&AdmissionCheckRule::name).Need("provisioning")};
};

/// In v1beta1 kMayStopSearch has a word of its own in each of the two fields.
template <Letters kOldWord>
struct Fungibility {
  static bool Read(const Value& value, FungibilityPolicy* out) {
    if (!value.decoding().v1beta1 || value.node().text != kOldWord.view()) {
      return manifest::Read(value, out);
    }
    *out = FungibilityPolicy::kMayStopSearch;
    return true;
  }
};

template <>
struct Form<FlavorFungibility> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&FlavorFungibility::when_can_borrow).As<Fungibility<"Borrow">>(),
      Field(&FlavorFungibility::when_can_preempt).As<Fungibility<"Preempt">>(),
  };
};

/// kNever is not written.
struct BorrowPolicy : OneOf<PreemptionPolicy::kNever, PreemptionPolicy::kLowerPriority> {
  static Encoded Write(YamlArena& arena, PreemptionPolicy policy) {
    return policy == PreemptionPolicy::kNever ? nullptr : Encode(arena, policy);
  }
};

template <>
struct Form<PreemptionRules> : PartForm {
  using enum PreemptionPolicy;
  static constexpr std::tuple kFields = {
      Field(&PreemptionRules::within_cluster_queue)
          .As<OneOf<kNever, kLowerPriority, kLowerOrNewerEqualPriority>>(),
      Field(&PreemptionRules::reclaim_within_cohort).As<OneOf<kNever, kLowerPriority, kAny>>(),
      Field(&PreemptionRules::borrow_within_cohort, "borrowWithinCohort.policy").As<BorrowPolicy>(),
      Field(&PreemptionRules::max_priority_threshold, "borrowWithinCohort.maxPriorityThreshold"),
  };
  static void ReadRest(Sections& sections, PreemptionRules* out);
};

// ---- documents
// -----------------------------------------------------------------------------------

template <>
struct Form<ResourceFlavor> : DocumentForm {
  static constexpr std::string_view kAlways = "spec";
  static constexpr auto kUnread = Paths({"status"});
};

template <>
struct Form<ClusterQueue> : DocumentForm {
  static constexpr std::string_view kAlways = "spec";
  static constexpr std::tuple kFields = {
      Field(&ClusterQueue::cohort, "spec.cohortName").InV1beta1("spec.cohort"),
      Field(&ClusterQueue::fair_weight, "spec.fairSharing").As<FairWeight>(),
      Field(&ClusterQueue::admission_mode, "spec.admissionScope.admissionMode"),
      Field(&ClusterQueue::admission_checks, "spec.admissionChecksStrategy.admissionChecks"),
      Field(&ClusterQueue::fair_sharing).Elsewhere(),
      Field(&ClusterQueue::admission_scope).Elsewhere(),
      Field(&ClusterQueue::admission_checks_strategy).Elsewhere(),
  };
  static constexpr auto kUnread =
      Paths({"status.conditions", "status.flavorsReservation", "status.flavorsUsage",
             "status.pendingWorkloads", "status.reservingWorkloads", "status.admittedWorkloads",
             "status.heldWorkloads", "status.fairSharing", "status.pendingWorkloadsStatus"});
  static void ReadRest(Sections& sections, ClusterQueue* queue);
  static void WriteRest(MapSections& out, const ClusterQueue& queue);
};

template <>
struct Form<Cohort> : DocumentForm {
  static constexpr std::string_view kAlways = "spec";
  static constexpr std::tuple kFields = {
      Field(&Cohort::parent, "spec.parentName"),
      Field(&Cohort::fair_weight, "spec.fairSharing").As<FairWeight>(),
      Field(&Cohort::fair_sharing).Elsewhere(),
  };
  static constexpr auto kUnread =
      Paths({"status.fairSharing", "status.conditions", "status.flavorsUsage"});
};

template <>
struct Form<FairSharingHistory> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&FairSharingHistory::consumed, "consumedResources"),
  };
};

template <>
struct Form<LocalQueue> : DocumentForm {
  static constexpr std::string_view kAlways = "spec";
  static constexpr std::tuple kFields = {
      Field(&LocalQueue::fair_weight, "spec.fairSharing").As<FairWeight>(),
      Field(&LocalQueue::history, "status.fairSharing.admissionFairSharingStatus"),
  };
  static constexpr auto kUnread =
      Paths({"status.conditions", "status.pendingWorkloads", "status.reservingWorkloads",
             "status.admittedWorkloads", "status.heldWorkloads", "status.flavorsReservation",
             "status.flavorsUsage", "status.flavorUsage", "status.flavors",
             "status.fairSharing.weightedShare"});
};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_FORMS_QUEUES_H_
