// Kueue's feature gates that the engine knows.
#ifndef MUSTER_BINDINGS_MANIFEST_FEATURE_GATES_H_
#define MUSTER_BINDINGS_MANIFEST_FEATURE_GATES_H_

#include <array>
#include <string_view>

namespace muster::manifest {

/// Gates that change decisions; their values are handed to the engine.
inline constexpr auto kFeatureGates = std::to_array<std::string_view>(
    {"FlavorFungibility", "PartialAdmission", "PrioritySortingWithinCohort",
     "FairSharingPreemptWithinNominal", "FairSharingPrioritizeNonBorrowing", "AdmissionFairSharing",
     "TopologyAwareScheduling", "TASProfileMixed", "TASFailedNodeReplacement",
     "TASFailedNodeReplacementFailFast", "TASReplaceNodeOnPodTermination",
     "TASReplaceNodeOnNodeTaints", "TASMultiLayerTopology", "TASHandleOverlappingFlavors",
     "TASRecomputeAssignmentWithinSchedulingCycle",
     "RecomputeAssignmentUponPreemptionTargetsOverlap", "FlavorFungibilityPreserveScanProgress",
     "SchedulingEquivalenceHashing", "QuotaCheckStrategy", "ReclaimablePods",
     "ElasticJobsViaWorkloadSlices", "AdmissionGatedBy", "WorkloadPriorityClassDefaulting",
     "UnadmittedWorkloadsObservability", "KueueDRAIntegration", "PriorityBoost",
     "PrioritizePreemptorWorkloads", "ConcurrentAdmission", "TASBalancedPlacement",
     "TASRespectNodeAffinityPreferred", "ElasticJobsViaWorkloadSlicesWithTAS",
     "MultiKueueOrchestratedPreemption", "FastQuotaReleaseInPodIntegration",
     "UnadmittedWorkloadsExplicitStatus", "SchedulerLibraryIntegration", "DisableWaitForPodsReady",
     // Speed only; decisions are the same either way.
     "VectorizedResourceRequests"});

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_FEATURE_GATES_H_
