// Admissibility: the first rule a workload breaks, looked for in podset and container order.
//
// Comparisons are made on rounded amounts, and only for resources that both sides name.
#include "engine/model/admissibility.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "engine/model/limit_range.h"

namespace muster {
namespace {

constexpr std::string_view kPods = "pods";

/// First resource of which `big` holds more than `small` does; empty if there is none.
std::string_view FirstAbove(const ResourceList& big, const ResourceList& small) {
  for (const auto& [name, quantity] : big) {
    const auto bound = small.find(name);
    if (bound != small.end() && quantity.ToAmount(name) > bound->second.ToAmount(name)) return name;
  }
  return {};
}

/// Union of both; `pick` chooses where both name a resource.
template <typename Pick>
ResourceList Merge(ResourceList a, const ResourceList& b, Pick pick) {
  for (const auto& [name, quantity] : b) {
    const auto [entry, added] = a.emplace(name, quantity);
    if (!added) entry->second = pick(entry->second, quantity);
  }
  return a;
}

/// "containers[0]" of one podset, for messages.
struct Place {
  const std::string& pod_set;
  std::string part;
  std::string Say(std::string_view resource, std::string_view rule) const {
    return "pod set " + pod_set + ": " + part + ": " + std::string(resource) + " " +
           std::string(rule);
  }
};

std::optional<std::string> CheckRequests(const ResourceList& requests, const ResourceList& limits,
                                         const Place& place) {
  if (requests.contains(kPods)) {
    return place.Say(kPods, "may not be requested; it is counted by the engine");
  }
  const std::string_view above = FirstAbove(requests, limits);
  if (!above.empty()) return place.Say(above, "request exceeds its limit");
  return std::nullopt;
}

std::optional<std::string> CheckRange(const ResourceList& low, const ResourceList& high,
                                      const LimitRangeItem& range, const Place& place) {
  const std::string_view above = FirstAbove(high, range.max);
  if (!above.empty()) return place.Say(above, "is above the LimitRange max");
  const std::string_view below = FirstAbove(range.min, low);
  if (!below.empty()) return place.Say(below, "is below the LimitRange min");
  return std::nullopt;
}

std::optional<std::string> CheckContainers(std::span<const Container> containers,
                                           const LimitRangeItem& range, const std::string& pod_set,
                                           std::string_view list) {
  const auto smaller = [](Quantity a, Quantity b) { return std::min(a, b); };
  const auto larger = [](Quantity a, Quantity b) { return std::max(a, b); };
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Container& c = containers[i];
    const Place place{pod_set, std::string(list) + "[" + std::to_string(i) + "]"};
    if (auto bad = CheckRequests(c.requests, c.limits, place)) return bad;
    auto bad = CheckRange(Merge(c.requests, c.limits, smaller), Merge(c.requests, c.limits, larger),
                          range, place);
    if (bad) return bad;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> Inadmissible(const PodSet& pod_set, const PodTemplate& filled,
                                        const RequestContext& context) {
  const LimitRangeItem container = Summarize(context.limit_ranges, LimitRangeType::kContainer);
  if (auto bad = CheckContainers(filled.init_containers, container, pod_set.name, "initContainers"))
    return bad;
  if (auto bad = CheckContainers(filled.containers, container, pod_set.name, "containers"))
    return bad;
  if (auto bad = CheckRequests(filled.pod_requests, filled.pod_limits, {pod_set.name, "resources"}))
    return bad;
  const ResourceList total = PodResources(filled);
  return CheckRange(total, total, Summarize(context.limit_ranges, LimitRangeType::kPod),
                    {pod_set.name, "pod"});
}

std::optional<std::string> Inadmissible(const SharedList<PodSet>& pod_sets,
                                        const RequestContext& context) {
  for (const PodSet& pod_set : pod_sets) {
    const PodTemplate filled = FillDefaults(pod_set.pods, context);
    if (auto bad = Inadmissible(pod_set, filled, context)) return bad;
  }
  return std::nullopt;
}

}  // namespace muster
