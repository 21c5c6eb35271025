// What matches what: label selectors, taints and tolerations, flavors and the pods they can host.
// The rules are those of the Kubernetes scheduler; flavors see them through a chosen set of keys.
#ifndef MUSTER_ENGINE_MODEL_SELECTOR_H_
#define MUSTER_ENGINE_MODEL_SELECTOR_H_

#include <optional>
#include <set>
#include <span>
#include <string>

#include "muster/spec.h"
#include "muster/workload.h"

namespace muster {

/// True when `labels` satisfies every label and expression; an empty selector selects everything.
bool Selects(const LabelSelector& selector, const LabelMap& labels);

/// True when `labels` satisfies one requirement. NotIn and DoesNotExist hold for a missing key; Gt
/// and Lt compare decimal integers and fail on anything else.
bool Matches(const SelectorRequirement& requirement, const LabelMap& labels);

/// True when one of `tolerations` tolerates `taint`, whatever its effect.
bool Tolerates(std::span<const Toleration> tolerations, const Taint& taint);

/// True when a pod may be placed in spite of `taint`: it does not repel (PreferNoSchedule, none),
/// or one of either list tolerates it.
bool Admits(std::span<const Toleration> pod, std::span<const Toleration> flavor,
            const Taint& taint);

/// True when `node` meets one of the terms, in whole; a term that says nothing is met by none.
bool MatchesNode(std::span<const NodeSelectorTerm> terms, const Node& node);

/// Keys of the flavor's nodeLabels.
std::set<std::string> LabelKeys(const ResourceFlavor& flavor);

/// Why pods of this template cannot use `flavor`; nullopt when they can. A NoSchedule or NoExecute
/// taint that neither pod nor flavor tolerates refuses; so do node selector and required node
/// affinity, of which only requirements on `keys` count.
std::optional<std::string> FlavorMismatch(const PodTemplate& pods, const ResourceFlavor& flavor,
                                          const std::set<std::string>& keys);
/// The same, restricted to the flavor's own label keys.
std::optional<std::string> FlavorMismatch(const PodTemplate& pods, const ResourceFlavor& flavor);

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_SELECTOR_H_
