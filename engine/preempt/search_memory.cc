// See search_memory.h. A hash is compared first: a preemptor short of many pairs has many searches.
#include "engine/preempt/search_memory.h"

#include <algorithm>

#include "engine/base/hash.h"

namespace muster {
namespace {

std::uint64_t HashOf(const PreemptionRequest& request) {
  std::uint64_t hash = static_cast<std::uint64_t>(request.preemptor.priority());
  const auto mix = [&](std::uint64_t value) { hash = MixBits(hash ^ value); };
  mix(static_cast<std::uint64_t>(request.preemptor.key.timestamp));
  for (const Usage& usage : request.demand) {
    mix(usage.fr.value);
    mix(static_cast<std::uint64_t>(usage.amount));
  }
  for (const FlavorResourceId fr : request.contested) mix(fr.value);
  return hash;
}

}  // namespace

SearchMemory::OfQueue& SearchMemory::Current(const World& world, const ClusterQueueState& queue) {
  if (queue.id.value >= queues_.size()) queues_.resize(world.queues.size());
  OfQueue& kept = queues_[queue.id.value];
  const std::uint64_t version = world.tree_of(queue).version();
  if (kept.epoch != world.catalog_epoch || kept.version != version) {
    for (const Known& known : kept.known) size_ -= known.size();
    kept.known.clear();
    kept.epoch = world.catalog_epoch;
    kept.version = version;
  }
  return kept;
}

const std::vector<Victim>* SearchMemory::Find(const World& world,
                                              const PreemptionRequest& request) {
  const OfQueue& kept = Current(world, request.queue);
  if (kept.known.empty()) return nullptr;
  const std::uint64_t hash = HashOf(request);
  const auto same = std::find_if(kept.known.begin(), kept.known.end(), [&](const Known& known) {
    return known.hash == hash && known.priority == request.preemptor.priority() &&
           known.timestamp == request.preemptor.key.timestamp &&
           known.contested == request.contested &&
           std::equal(known.demand.begin(), known.demand.end(), request.demand.begin(),
                      request.demand.end());
  });
  return same == kept.known.end() ? nullptr : &same->victims;
}

void SearchMemory::Keep(const World& world, const PreemptionRequest& request,
                        const std::vector<Victim>& victims) {
  Known known = {HashOf(request),
                 request.preemptor.priority(),
                 request.preemptor.key.timestamp,
                 {request.demand.begin(), request.demand.end()},
                 request.contested,
                 victims};
  if (size_ + known.size() > kMost) {
    queues_.clear();
    size_ = 0;
  }
  if (known.size() > kMost) return;
  size_ += known.size();
  Current(world, request.queue).known.push_back(std::move(known));
}

}  // namespace muster
