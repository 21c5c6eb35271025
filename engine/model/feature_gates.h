// Kueue's feature gates that are known, and what each may say here.
#ifndef MUSTER_ENGINE_MODEL_FEATURE_GATES_H_
#define MUSTER_ENGINE_MODEL_FEATURE_GATES_H_

#include <array>
#include <string_view>

namespace muster {

enum class GateUse {
  kDecides,    ///< decisions follow it
  kAlwaysOn,   ///< what it switches is always done here
  kAlwaysOff,  ///< what it switches is not built
  kNoMatter,   ///< about the speed or the reports of Kueue's process
};

struct FeatureGate {
  std::string_view name;
  GateUse use;
};

inline constexpr auto kFeatureGates = std::to_array<FeatureGate>(
    {{"FlavorFungibility", GateUse::kAlwaysOn},
     {"PartialAdmission", GateUse::kDecides},
     {"PrioritySortingWithinCohort", GateUse::kDecides},
     {"FairSharingPreemptWithinNominal", GateUse::kDecides},
     {"FairSharingPrioritizeNonBorrowing", GateUse::kDecides},
     {"AdmissionFairSharing", GateUse::kDecides},
     {"TopologyAwareScheduling", GateUse::kAlwaysOn},
     {"TASProfileMixed", GateUse::kAlwaysOn},
     {"TASFailedNodeReplacement", GateUse::kAlwaysOn},
     {"TASFailedNodeReplacementFailFast", GateUse::kDecides},
     {"TASReplaceNodeOnPodTermination", GateUse::kAlwaysOn},
     {"TASReplaceNodeOnNodeTaints", GateUse::kAlwaysOn},
     {"TASMultiLayerTopology", GateUse::kAlwaysOn},
     {"TASHandleOverlappingFlavors", GateUse::kAlwaysOn},
     {"TASRecomputeAssignmentWithinSchedulingCycle", GateUse::kDecides},
     {"RecomputeAssignmentUponPreemptionTargetsOverlap", GateUse::kDecides},
     {"FlavorFungibilityPreserveScanProgress", GateUse::kDecides},
     {"SchedulingEquivalenceHashing", GateUse::kDecides},
     {"QuotaCheckStrategy", GateUse::kAlwaysOn},
     {"ReclaimablePods", GateUse::kAlwaysOn},
     {"ElasticJobsViaWorkloadSlices", GateUse::kDecides},
     {"AdmissionGatedBy", GateUse::kDecides},
     {"WorkloadPriorityClassDefaulting", GateUse::kDecides},
     {"UnadmittedWorkloadsObservability", GateUse::kNoMatter},
     {"KueueDRAIntegration", GateUse::kAlwaysOff},
     {"PriorityBoost", GateUse::kDecides},
     {"PrioritizePreemptorWorkloads", GateUse::kAlwaysOff},
     {"ConcurrentAdmission", GateUse::kDecides},
     {"TASBalancedPlacement", GateUse::kDecides},
     {"TASRespectNodeAffinityPreferred", GateUse::kDecides},
     {"ElasticJobsViaWorkloadSlicesWithTAS", GateUse::kAlwaysOff},
     {"MultiKueueOrchestratedPreemption", GateUse::kAlwaysOff},
     {"FastQuotaReleaseInPodIntegration", GateUse::kAlwaysOff},
     {"UnadmittedWorkloadsExplicitStatus", GateUse::kNoMatter},
     {"SchedulerLibraryIntegration", GateUse::kDecides},
     {"DisableWaitForPodsReady", GateUse::kAlwaysOff},
     {"VectorizedResourceRequests", GateUse::kNoMatter}});

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_FEATURE_GATES_H_
