// Concurrent admission: the marks by which a job stands in its queue as variants, and the gate.
#ifndef MUSTER_ENGINE_MODEL_CONCURRENT_H_
#define MUSTER_ENGINE_MODEL_CONCURRENT_H_

#include <optional>
#include <string_view>

#include "muster/shared_map.h"
#include "muster/types.h"

namespace muster {

/// On a variant: the flavors that it may have, the one that it is for first, parted by commas.
inline constexpr std::string_view kAllowedFlavorsAnnotation =
    "kueue.x-k8s.io/workload-allowed-resource-flavors";
/// "true" on a workload that its variants stand in the queue for.
inline constexpr std::string_view kVariantsParentLabel =
    "kueue.x-k8s.io/concurrent-admission-parent";
inline constexpr std::string_view kConcurrentAdmissionGate = "ConcurrentAdmission";
/// The preemption gate of every variant: it may not evict before it is opened.
inline constexpr std::string_view kVariantGate = "kueue.x-k8s.io/concurrent-admission";

/// The flavors that a workload may have; unset: it does not say.
inline std::optional<std::string_view> AllowedFlavors(const SharedMap<LabelMap>& annotations) {
  if (annotations.empty()) return std::nullopt;
  const auto written = annotations.find(kAllowedFlavorsAnnotation);
  if (written == annotations.end()) return std::nullopt;
  return written->second;
}

/// Takes the first name off a list of AllowedFlavors, without the blanks around it.
inline std::string_view NextFlavor(std::string_view& list) {
  const std::size_t comma = list.find(',');
  std::string_view name = list.substr(0, comma);
  list.remove_prefix(comma == list.npos ? list.size() : comma + 1);
  const std::size_t begin = name.find_first_not_of(" \t");
  if (begin == name.npos) return {};
  return name.substr(begin, name.find_last_not_of(" \t") - begin + 1);
}

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_CONCURRENT_H_
