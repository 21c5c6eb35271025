// Forms of the objects that hold quota, and of the parts that several kinds share.
#ifndef MUSTER_BINDINGS_MANIFEST_FORMS_QUEUES_H_
#define MUSTER_BINDINGS_MANIFEST_FORMS_QUEUES_H_

#include "bindings/manifest/form_reader.h"
#include "bindings/manifest/ways.h"

namespace muster::manifest {

template <>
struct Form<Taint> : PartForm {
  static constexpr auto kUnread = Paths({"timeAdded"});
};

/// In v1beta1 kMayStopSearch has a word of its own in each of the two fields.
template <Letters kOldWord>
struct Fungibility {
  static bool Read(const Value& value, FungibilityPolicy* out) {
    if (!value.decoding().v1beta1 || value.node().text() != kOldWord.view()) {
      return manifest::Read(value, out);
    }
    *out = FungibilityPolicy::kMayStopSearch;
    return true;
  }
};

template <>
struct Form<FlavorFungibility> : PartForm {
  static constexpr std::tuple kFields = {
      By<Fungibility<"Borrow">>(&FlavorFungibility::when_can_borrow),
      By<Fungibility<"Preempt">>(&FlavorFungibility::when_can_preempt),
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
      By<OneOf<kNever, kLowerPriority, kLowerOrNewerEqualPriority>>(
          &PreemptionRules::within_cluster_queue),
      By<OneOf<kNever, kLowerPriority, kAny>>(&PreemptionRules::reclaim_within_cohort),
      By<BorrowPolicy>(&PreemptionRules::borrow_within_cohort),
  };
  static void ReadRest(Sections& sections, PreemptionRules* /*rules*/) {
    sections.root().Refuse("maxPreemptedWorkloads", "Kueue has no \"maxPreemptedWorkloads\"",
                           "bind the policy package preemption-budget to this queue instead");
  }
};

template <>
struct Form<ConcurrentAdmission> : PartForm {
  static constexpr bool kIsWhole = false;
  static constexpr std::array kUnheeded = {
      Unheeded{"explicitVariants", "variants are what the workloads say that are submitted",
               "write the annotation kueue.x-k8s.io/workload-allowed-resource-flavors of the "
               "variant"}};
};

template <>
struct Form<ResourceFlavor> : DocumentForm {
  static constexpr std::string_view kAlways = "spec";
  static constexpr auto kUnread = Paths({"status"});
};

template <>
struct Form<ClusterQueue> : DocumentForm {
  static constexpr std::string_view kAlways = "spec";
  static constexpr std::tuple kFields = {
      By(&ClusterQueue::cohort, "spec.cohort"),
      By<FairWeight>(&ClusterQueue::fair_weight),
      By<Elsewhere>(&ClusterQueue::fair_sharing),
      By<Elsewhere>(&ClusterQueue::admission_scope),
      By<Elsewhere>(&ClusterQueue::admission_checks_strategy),
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
      By<FairWeight>(&Cohort::fair_weight),
      By<Elsewhere>(&Cohort::fair_sharing),
  };
  static constexpr auto kUnread =
      Paths({"status.fairSharing", "status.conditions", "status.flavorsUsage"});
  static void ReadRest(Sections& sections, Cohort* cohort);
};

template <>
struct Form<FairSharingHistory> : PartForm {
  static void ReadRest(Sections& sections, FairSharingHistory* history);
};

template <>
struct Form<LocalQueue> : DocumentForm {
  static constexpr std::string_view kAlways = "spec";
  static constexpr std::tuple kFields = {By<FairWeight>(&LocalQueue::fair_weight)};
  static constexpr auto kUnread =
      Paths({"status.conditions", "status.pendingWorkloads", "status.reservingWorkloads",
             "status.admittedWorkloads", "status.heldWorkloads", "status.flavorsReservation",
             "status.flavorsUsage", "status.flavorUsage", "status.flavors",
             "status.fairSharing.weightedShare"});
};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_FORMS_QUEUES_H_
