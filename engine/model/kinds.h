// kKinds: one row for every kind of object.
#ifndef MUSTER_ENGINE_MODEL_KINDS_H_
#define MUSTER_ENGINE_MODEL_KINDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>

#include "engine/base/index_in.h"
#include "muster/object.h"

namespace muster {

/// What has to be looked at again when an object is applied, changed or removed, besides what its
/// own code does.
enum class Stale : std::uint8_t {
  kNothing,
  kActivity,             ///< which queues are active
  kRequestsOfNamespace,  ///< what the workloads of its namespace ask for
  kRequests,             ///< what all workloads ask for
};

struct KindRow {
  std::string_view name;         ///< as manifests spell it
  std::string_view api_version;  ///< the newest, in which it is written back
  Stale stale = Stale::kNothing;
  bool has_fixed = false;  ///< some of its fields may not change
  bool frees = true;       ///< what is parked may start when it is removed
  /// What a policy answers in any queue may follow from it. ClusterQueues are told one by one.
  bool asked_about = false;
  bool places = false;  ///< the trees of places are built anew
};

/// In the order of ObjectKind.
inline constexpr std::array<KindRow, kObjectKinds> kKinds = {{
    {.name = "ResourceFlavor",
     .api_version = "kueue.x-k8s.io/v1beta2",
     .has_fixed = true,
     .places = true},
    {.name = "ClusterQueue", .api_version = "kueue.x-k8s.io/v1beta2", .has_fixed = true},
    {.name = "Cohort", .api_version = "kueue.x-k8s.io/v1beta2", .asked_about = true},
    {.name = "LocalQueue",
     .api_version = "kueue.x-k8s.io/v1beta2",
     .has_fixed = true,
     .frees = false},
    {.name = "WorkloadPriorityClass", .api_version = "kueue.x-k8s.io/v1beta2"},
    {.name = "PriorityClass", .api_version = "scheduling.k8s.io/v1"},
    {.name = "Namespace", .api_version = "v1"},
    {.name = "LimitRange",
     .api_version = "v1",
     .stale = Stale::kRequestsOfNamespace,
     .asked_about = true},
    {.name = "RuntimeClass",
     .api_version = "node.k8s.io/v1",
     .stale = Stale::kRequests,
     .asked_about = true},
    {.name = "AdmissionCheck",
     .api_version = "kueue.x-k8s.io/v1beta2",
     .stale = Stale::kActivity,
     .has_fixed = true},
    {.name = "Topology",
     .api_version = "kueue.x-k8s.io/v1beta2",
     .stale = Stale::kActivity,
     .has_fixed = true,
     .places = true},
    {.name = "Node", .api_version = "v1", .frees = false},
    {.name = "Pod", .api_version = "v1", .frees = false},
    {.name = "Configuration",
     .api_version = "config.kueue.x-k8s.io/v1beta2",
     .stale = Stale::kRequests,
     .asked_about = true,
     .places = true},
    {.name = "EngineConfiguration", .api_version = "muster.dev/v1", .places = true},
    {.name = "PolicyBinding", .api_version = "muster.dev/v1", .frees = false, .asked_about = true},
    {.name = "Workload", .api_version = "kueue.x-k8s.io/v1beta2", .has_fixed = true},
}};

constexpr const KindRow& RowOf(ObjectKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

/// The kind whose objects are of type `Spec`.
template <typename Spec>
inline constexpr ObjectKind kKindOf = static_cast<ObjectKind>(kIndexIn<Spec, Object>);

template <typename Spec>
inline constexpr bool kIsInNamespace = requires(const Spec& spec) {
  spec.key;
};

/// Whether objects of that kind are of a namespace. O(1).
constexpr bool HasNamespace(ObjectKind kind) {
  constexpr auto kAll = []<std::size_t... i>(std::index_sequence<i...>) {
    return std::array{kIsInNamespace<std::variant_alternative_t<i, Object>>...};
  }
  (std::make_index_sequence<kObjectKinds>());
  return kAll[static_cast<std::size_t>(kind)];
}

/// Namespace and name; objects of which there is one are named "default".
template <typename Spec>
Key KeyOfSpec(const Spec& spec) {
  if constexpr (requires { spec.key; }) {
    return spec.key;
  } else if constexpr (requires { spec.name; }) {
    return Key{{}, spec.name};
  } else {
    return Key{{}, "default"};
  }
}

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_KINDS_H_
