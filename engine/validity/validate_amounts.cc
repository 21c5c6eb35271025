// How much one workload may ask for: so much that no sum of what workloads hold can overflow.
//
// What a LimitRange, a RuntimeClass or a transformation adds is not known here; HeldAmounts bounds
// what starts all the same.
#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "engine/base/amount.h"
#include "engine/model/limits.h"
#include "engine/model/requests.h"
#include "engine/validity/validate_kinds.h"

namespace muster {
namespace {

__extension__ typedef __int128 Wide;

Quantity LargestOf(const ResourceList& list) {
  Quantity largest;
  for (const auto& [name, quantity] : list) largest = std::max(largest, quantity);
  return largest;
}

/// No resource of a pod comes to more, whatever stands where a request is missing.
Quantity BoundOf(const PodTemplate& pods) {
  Quantity bound = LargestOf(pods.pod_requests) + LargestOf(pods.pod_limits);
  for (const auto* containers : {&pods.containers, &pods.init_containers}) {
    for (const Container& container : *containers) {
      bound = bound + LargestOf(container.requests) + LargestOf(container.limits);
    }
  }
  return pods.overhead ? bound + LargestOf(*pods.overhead) : bound;
}

/// So do nearly all: the exact sums are made for the others alone.
bool AskForLittle(std::span<const PodSet> pod_sets) {
  constexpr Wide kNanoPerMilli = 1'000'000;
  Wide milli = 0;
  for (const PodSet& pod_set : pod_sets) {
    milli += BoundOf(pod_set.pods).nano() / kNanoPerMilli * std::max(pod_set.count, 0);
  }
  return milli < kMostAsked;
}

/// The one container that asks for too much alone; nullopt when it takes several.
std::optional<std::string> Culprit(const FieldPath& list, std::span<const Container> containers,
                                   const std::string& resource) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const FieldPath item = list.At(i);
    const FieldPath resources = item.Child("resources");
    const auto asks_too_much = [&](const ResourceList& asked) {
      const auto found = asked.find(resource);
      return found != asked.end() && found->second.ToAmount(resource) > kMostAsked;
    };
    if (asks_too_much(containers[i].requests)) {
      return resources.Child("requests").Entry(resource).ToString();
    }
    if (asks_too_much(containers[i].limits)) {
      return resources.Child("limits").Entry(resource).ToString();
    }
  }
  return std::nullopt;
}

}  // namespace

void CheckAsked(const FieldPath& list, std::span<const PodSet> pod_sets, ProblemList& problems) {
  if (AskForLittle(pod_sets)) return;
  static const Configuration plain;
  static const std::map<std::string, RuntimeClass> no_classes;
  std::map<std::string, Wide> asked;
  for (std::size_t i = 0; i < pod_sets.size(); ++i) {
    const PodTemplate filled = FillDefaults(pod_sets[i].pods, {plain, no_classes, {}});
    for (const auto& [resource, quantity] : PodResources(filled)) {
      const Amount amount = std::max<Amount>(0, quantity.ToAmount(resource));
      Wide& total = asked[resource];
      const bool was_too_much = total > kMostAsked;
      total += Wide{amount} * std::max(pod_sets[i].count, 0);
      if (total <= kMostAsked || was_too_much) continue;
      const FieldPath item = list.At(i);
      const FieldPath pod_template = item.Child("template");
      const FieldPath spec = pod_template.Child("spec");
      const PodTemplate& written = pod_sets[i].pods;
      std::optional<std::string> field;
      if (amount > kMostAsked) {
        field = Culprit(spec.Child("containers"), written.containers, resource);
        if (!field) {
          field = Culprit(spec.Child("initContainers"), written.init_containers, resource);
        }
      }
      const std::string most = QuantityOf(resource, kMostAsked).ToString();
      const std::string pods =
          pod_sets[i].count == 1 ? "1 pod" : std::to_string(pod_sets[i].count) + " pods";
      problems.AddTolerable(
          field.value_or(item.Child(amount > kMostAsked ? "template" : "count").ToString()),
          pods + " with " + quantity.ToString() + " " + resource +
              " each: a workload may ask for at most " + most + " " + resource + " in all",
          amount > kMostAsked ? "write " + most + " or less"
                              : "write a count of " + std::to_string(kMostAsked / amount) +
                                    " or less, or a smaller request");
    }
  }
}

}  // namespace muster
