// Labels and annotations that mean something to the engine or to the translation of Jobs.
#ifndef MUSTER_BINDINGS_MANIFEST_WELL_KNOWN_H_
#define MUSTER_BINDINGS_MANIFEST_WELL_KNOWN_H_

#include <array>
#include <string_view>

#include "bindings/objects/segments.h"

namespace muster::manifest {

inline constexpr std::string_view kNamespaceNameLabel = "kubernetes.io/metadata.name";

// On a Job.
inline constexpr std::string_view kQueueNameLabel = "kueue.x-k8s.io/queue-name";
inline constexpr std::string_view kPriorityClassLabel = "kueue.x-k8s.io/priority-class";
inline constexpr std::string_view kMaxExecTimeLabel = "kueue.x-k8s.io/max-exec-time-seconds";
inline constexpr std::string_view kMinParallelismAnnotation = "kueue.x-k8s.io/job-min-parallelism";
inline constexpr std::string_view kSyncCompletionsAnnotation =
    "kueue.x-k8s.io/job-completions-equal-parallelism";

// On a pod template.
inline constexpr std::string_view kTopologyPodLabel = "kueue.x-k8s.io/tas";
inline constexpr std::string_view kRequiredTopology = "kueue.x-k8s.io/podset-required-topology";
inline constexpr std::string_view kPreferredTopology = "kueue.x-k8s.io/podset-preferred-topology";
inline constexpr std::string_view kUnconstrainedTopology =
    "kueue.x-k8s.io/podset-unconstrained-topology";
inline constexpr std::string_view kSliceTopology = "kueue.x-k8s.io/podset-slice-required-topology";
inline constexpr std::string_view kSliceSize = "kueue.x-k8s.io/podset-slice-size";
inline constexpr std::string_view kPodSetGroup = "kueue.x-k8s.io/podset-group-name";

/// Each of these asks for a topology.
inline constexpr std::array kTopologyAnnotations = {kRequiredTopology, kPreferredTopology,
                                                    kUnconstrainedTopology, kSliceTopology,
                                                    objects::kSegmentsMark};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_WELL_KNOWN_H_
