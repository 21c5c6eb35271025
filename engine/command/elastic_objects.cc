// See elastic_objects.h.
#include "engine/command/elastic_objects.h"

#include <cstddef>
#include <utility>
#include <variant>

#include "engine/kin/elastic_job.h"

namespace muster {

std::optional<std::vector<Object>> AsSlices(const World& world, std::span<const Object> objects) {
  std::optional<std::vector<Object>> all;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto* const workload = std::get_if<Workload>(&objects[i]);
    if (workload == nullptr || !IsOfElasticJob(world, workload->annotations)) continue;
    std::optional<Workload> slice = AsSlice(world, *workload);
    if (!slice) continue;
    if (!all) all.emplace(objects.begin(), objects.end());
    (*all)[i] = std::move(*slice);
  }
  return all;
}

Object ToCompareWith(const World& world, Object stored, const Object& object) {
  auto* const held = std::get_if<Workload>(&stored);
  const auto* const wanted = std::get_if<Workload>(&object);
  if (held == nullptr || wanted == nullptr || !OnlyShrinks(world, *held, *wanted)) return stored;
  held->pod_sets = wanted->pod_sets;
  return stored;
}

}  // namespace muster
