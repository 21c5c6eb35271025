// Elastic jobs: the annotations by which one workload replaces another, and the gate.
#ifndef MUSTER_ENGINE_MODEL_ELASTIC_H_
#define MUSTER_ENGINE_MODEL_ELASTIC_H_

#include <optional>
#include <string_view>

#include "muster/types.h"

namespace muster {

/// "true" on a workload of a job that grows and shrinks while it runs.
inline constexpr std::string_view kElasticJobAnnotation = "kueue.x-k8s.io/elastic-job";
/// On every slice but the first: the name of the first.
inline constexpr std::string_view kSliceNameAnnotation = "kueue.x-k8s.io/workload-slice-name";
/// On a new slice: "namespace/name" of the one that it takes the place of.
inline constexpr std::string_view kReplacementForAnnotation =
    "kueue.x-k8s.io/workload-slice-replacement-for";
/// Why a workload has finished whose place another one took.
inline constexpr std::string_view kSliceReplaced = "WorkloadSliceReplaced";
/// Why one has finished that was evicted while another waited to take its place.
inline constexpr std::string_view kOutOfSync = "OutOfSync";
inline constexpr std::string_view kSlicesGate = "ElasticJobsViaWorkloadSlices";

/// The workload that "namespace/name" names; nothing for any other text.
inline std::optional<Key> ParseSliceKey(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == text.npos || slash == 0 || slash + 1 == text.size()) return std::nullopt;
  if (text.find('/', slash + 1) != text.npos) return std::nullopt;
  return Key{std::string(text.substr(0, slash)), std::string(text.substr(slash + 1))};
}

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_ELASTIC_H_
