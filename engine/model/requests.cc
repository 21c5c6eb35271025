// Requests of a pod, in the order of the steps: defaults, aggregate, exclusions, transformations.
#include "engine/model/requests.h"

#include <algorithm>
#include <utility>

#include "engine/model/limit_range.h"

namespace muster {
namespace {

void AddTo(ResourceList& sum, const ResourceList& more) {
  for (const auto& [name, quantity] : more) {
    const auto [entry, added] = sum.emplace(name, quantity);
    if (!added) entry->second = entry->second + quantity;
  }
}

void RaiseTo(ResourceList& peak, const ResourceList& other) {
  for (const auto& [name, quantity] : other) {
    const auto [entry, added] = peak.emplace(name, quantity);
    if (!added) entry->second = std::max(entry->second, quantity);
  }
}

void FillContainers(std::vector<Container>& containers, const LimitRangeItem& defaults) {
  for (Container& container : containers) {
    FillMissing(container.limits, defaults.default_limits);
    FillMissing(container.requests, defaults.default_requests);
    FillMissing(container.requests, container.limits);
  }
}

/// The resources that may be requested for the pod as a whole.
bool IsPodLevel(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with("hugepages-");
}

/// The larger of the app phase (with all sidecars) and of each step of the init phase (with the
/// sidecars started before it).
ResourceList AggregateContainers(const PodTemplate& pods) {
  ResourceList sidecars;
  ResourceList peak;
  for (const Container& init : pods.init_containers) {
    if (init.restart_always) {
      AddTo(sidecars, init.requests);
      continue;
    }
    ResourceList step = sidecars;
    AddTo(step, init.requests);
    RaiseTo(peak, step);
  }
  ResourceList running = std::move(sidecars);
  for (const Container& container : pods.containers) AddTo(running, container.requests);
  RaiseTo(running, peak);
  return running;
}

bool IsExcluded(std::string_view resource, const Configuration& config) {
  return std::any_of(config.exclude_resource_prefixes.begin(),
                     config.exclude_resource_prefixes.end(),
                     [&](const std::string& prefix) { return resource.starts_with(prefix); });
}

const ResourceTransformation* FindTransformation(const Configuration& config,
                                                 std::string_view resource) {
  const auto found =
      std::find_if(config.transformations.begin(), config.transformations.end(),
                   [&](const ResourceTransformation& t) { return t.input == resource; });
  return found == config.transformations.end() ? nullptr : &*found;
}

/// What transformations produce is summed apart from what was asked for: outputs may cancel each
/// other, but never reduce a request that was written down.
ResourceList Transform(const ResourceList& input, const Configuration& config) {
  ResourceList kept;
  ResourceList generated;
  for (const auto& [name, quantity] : input) {
    const ResourceTransformation* t = FindTransformation(config, name);
    if (t == nullptr || t->strategy == TransformationStrategy::kRetain) kept[name] = quantity;
    if (t == nullptr) continue;
    const auto multiplier = t->multiply_by.empty() ? input.end() : input.find(t->multiply_by);
    const Quantity base = multiplier == input.end() ? quantity : quantity * multiplier->second;
    ResourceList outputs;
    for (const auto& [output, factor] : t->outputs) outputs[output] = base * factor;
    AddTo(generated, outputs);
  }
  for (auto& [name, quantity] : generated) quantity = std::max(quantity, Quantity());
  AddTo(kept, generated);
  return kept;
}

}  // namespace

PodTemplate FillDefaults(PodTemplate pods, const RequestContext& context) {
  if (!pods.runtime_class.empty() && (!pods.overhead || pods.overhead->empty())) {
    const auto found = context.runtime_classes.find(pods.runtime_class);
    if (found != context.runtime_classes.end()) pods.overhead = found->second.overhead;
  }
  const LimitRangeItem container = Summarize(context.limit_ranges, LimitRangeType::kContainer);
  FillContainers(pods.init_containers, container);
  FillContainers(pods.containers, container);
  if (!pods.pod_requests.empty() || !pods.pod_limits.empty()) {
    const LimitRangeItem pod = Summarize(context.limit_ranges, LimitRangeType::kPod);
    FillMissing(pods.pod_limits, pod.default_limits);
    FillMissing(pods.pod_requests, pod.default_requests);
    FillMissing(pods.pod_requests, pods.pod_limits);
  }
  return pods;
}

ResourceList PodResources(const PodTemplate& filled) {
  ResourceList total = AggregateContainers(filled);
  for (const auto& [name, quantity] : filled.pod_requests) {
    if (IsPodLevel(name)) total[name] = quantity;
  }
  if (filled.overhead) AddTo(total, *filled.overhead);
  return total;
}

Requests PodRequests(const PodTemplate& filled, const Configuration& config) {
  ResourceList total = PodResources(filled);
  std::erase_if(total, [&](const auto& entry) { return IsExcluded(entry.first, config); });
  if (!config.transformations.empty()) total = Transform(total, config);
  Requests requests;
  for (const auto& [name, quantity] : total) {
    requests.emplace_hint(requests.end(), name, std::max<Amount>(0, quantity.ToAmount(name)));
  }
  return requests;
}

}  // namespace muster
