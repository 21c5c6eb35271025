// See elastic_objects.h.
#include "engine/command/elastic_objects.h"

#include <cstddef>
#include <map>
#include <utility>
#include <variant>

#include "engine/kin/elastic_job.h"
#include "engine/state/whole_workload.h"

namespace muster {

std::optional<std::vector<Object>> AsSlices(const World& world, std::span<const Object> objects) {
  std::optional<std::vector<Object>> all;
  std::map<Key, std::size_t> last;  // of objects that are named twice the last one counts
  for (std::size_t i = objects.size(); i-- > 0;) {
    const auto* const workload = std::get_if<Workload>(&objects[i]);
    if (workload == nullptr || !IsOfElasticJob(world, workload->annotations)) continue;
    const auto [named, is_last] = last.emplace(workload->key, i);
    std::optional<Workload> slice;
    if (is_last) slice = AsSlice(world, *workload);
    if (is_last && !slice) continue;
    if (!all) all.emplace(objects.begin(), objects.end());
    (*all)[i] = is_last ? Object(std::move(*slice)) : (*all)[named->second];
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

std::optional<Object> HolderToCompareWith(const World& world, const Object& object) {
  const auto* const slice = std::get_if<Workload>(&object);
  const WorkloadRecord* const holder = slice == nullptr ? nullptr : HolderBeside(world, *slice);
  if (holder == nullptr) return std::nullopt;
  Workload held = WholeWorkload(*holder);
  if (held.pod_sets.size() == slice->pod_sets.size()) {
    for (std::size_t i = 0; i < held.pod_sets.size(); ++i) {
      held.pod_sets.Mutable()[i].count = slice->pod_sets[i].count;
    }
  }
  return held;
}

}  // namespace muster
