// Every limit of the object model in one place: counts, ranges, lengths.
#ifndef MUSTER_ENGINE_MODEL_LIMITS_H_
#define MUSTER_ENGINE_MODEL_LIMITS_H_

#include <cstddef>
#include <cstdint>

#include "muster/types.h"

namespace muster {

// Amounts of one resource in base units (milli-cores, bytes, devices). What is charged somewhere is
// part of what all workloads hold together, so no sum of charges ever comes near the end of int64.
// Quotas need no limit: their sums saturate at kUnlimited, and that has a meaning.
inline constexpr Amount kMostAsked = 1'000'000'000'000'000'000;  ///< by one workload
inline constexpr Amount kMostHeld = 4 * kMostAsked;              ///< by all of an engine together
static_assert(kMostHeld < kUnlimited / 2);

// Tables.
inline constexpr std::size_t kMaxWorkloads = 0xffff'fff0;  ///< at one time; slots are 32 bits wide

// Names and labels, as Kubernetes bounds them.
inline constexpr std::size_t kMaxNameLength = 253;      ///< DNS subdomain
inline constexpr std::size_t kMaxShortNameLength = 63;  ///< DNS label, label names and values
inline constexpr std::size_t kMaxDescriptionLength = 2048;

// ResourceFlavor.
inline constexpr std::size_t kMaxNodeLabels = 8;
inline constexpr std::size_t kMaxNodeTaints = 8;
inline constexpr std::size_t kMaxFlavorTolerations = 8;

// ClusterQueue and Cohort.
inline constexpr std::size_t kMaxResourceGroups = 16;
inline constexpr std::size_t kMaxCoveredResources = 64;        ///< of one group
inline constexpr std::size_t kMaxFlavors = 64;                 ///< of one group
inline constexpr std::size_t kMaxTotalCoveredResources = 256;  ///< over all groups
inline constexpr std::size_t kMaxTotalFlavors = 256;           ///< over all groups
inline constexpr std::size_t kMaxGroupPairs = 512;             ///< flavors x resources of one group
inline constexpr std::size_t kMaxAdmissionChecks = 64;
inline constexpr std::size_t kMaxCheckFlavors = 64;
inline constexpr std::size_t kMaxVariants = 16;  ///< flavors of a queue with concurrent admission
inline constexpr double kMinFairWeight = 1e-9;   ///< a weight above 0 must exceed this

// Topology.
inline constexpr std::size_t kMaxTopologyLevels = 16;
inline constexpr std::size_t kMaxSliceLayers = 3;

// Workload.
inline constexpr std::size_t kMaxPodSets = 18;
inline constexpr std::size_t kMaxPreemptionGates = 8;
inline constexpr std::size_t kMaxConditions = 16;
inline constexpr std::size_t kMaxCheckStates = kMaxAdmissionChecks;  ///< all those of its queue
inline constexpr std::size_t kMaxUnhealthyNodes = 8;

// Muster's own switches and policies.
inline constexpr std::int32_t kMaxHeadsPerCycle = 1024;

// Answers.
inline constexpr std::size_t kMaxAhead = 20;  ///< workloads ahead that an explanation lists
inline constexpr std::size_t kMaxHolders = 20;
inline constexpr std::size_t kMaxCandidates = 20;  ///< besides those that the search takes
/// Holders that an explanation looks at to find those that use what is short.
inline constexpr std::size_t kMaxHoldersRead = 4096;

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_LIMITS_H_
