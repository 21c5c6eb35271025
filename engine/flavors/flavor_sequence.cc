// The hash of an order is over the names of the flavors, so that it means the same after a restart.
#include "engine/flavors/flavor_sequence.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "engine/base/hash.h"
#include "engine/flavors/flavors_ahead.h"

namespace muster {
namespace {

/// The key of a flavor that is not for the workload now.
constexpr double kNotNow = -std::numeric_limits<double>::infinity();

/// Not negative.
std::int64_t HashOrder(const World& world, const ClusterQueueState& queue,
                       const FlavorSequence& sequence) {
  Hasher128 hasher;
  for (std::size_t g = 0; g < sequence.groups.size(); ++g) {
    hasher.Add(sequence.groups[g].size());
    for (const std::int32_t index : sequence.groups[g]) {
      const FlavorOption& option = queue.groups[g].flavors[static_cast<std::size_t>(index)];
      hasher.Add(world.names.FlavorName(option.id));
    }
  }
  for (const FlavorId held : sequence.held) hasher.Add(world.names.FlavorName(held));
  return static_cast<std::int64_t>(hasher.Value().low >> 1);
}

/// Whether each group is in the order of its keys, larger first, as it is declared.
bool IsDeclaredOrder(const ClusterQueueState& queue, std::span<const double> keys) {
  for (const ResourceGroupState& group : queue.groups) {
    const std::span<const double> own = keys.first(group.flavors.size());
    if (!std::is_sorted(own.begin(), own.end(), std::greater<>())) return false;
    keys = keys.subspan(own.size());
  }
  return true;
}

/// Sorts each group by its keys, larger first.
void SortGroups(const ClusterQueueState& queue, std::span<const double> keys,
                FlavorSequence& sequence) {
  std::size_t first = 0;
  for (const ResourceGroupState& group : queue.groups) {
    std::vector<std::int32_t>& order = sequence.groups.emplace_back();
    for (std::size_t i = 0; i < group.flavors.size(); ++i) {
      order.push_back(static_cast<std::int32_t>(i));
    }
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
      return keys[first + static_cast<std::size_t>(a)] > keys[first + static_cast<std::size_t>(b)];
    });
    first += group.flavors.size();
  }
}

/// The flavors whose key says "not now".
void NoteHeld(const ClusterQueueState& queue, std::span<const double> keys,
              FlavorSequence& sequence) {
  std::size_t i = 0;
  for (const ResourceGroupState& group : queue.groups) {
    for (const FlavorOption& option : group.flavors) {
      if (keys[i++] == kNotNow) sequence.held.push_back(option.id);
    }
  }
}

}  // namespace

Policy* PolicyOver(const PolicyCalls* calls, const ClusterQueueState& queue) {
  if (calls == nullptr || calls->none(Hook::kFlavorOrder) || queue.groups.empty()) return nullptr;
  return calls->For(queue, Hook::kFlavorOrder);
}

bool OrderMayChange(const PolicyCalls& calls, const ClusterQueueState& queue) {
  const Policy* policy = PolicyOver(&calls, queue);
  if (policy == nullptr) return false;
  const std::vector<std::string>& reads = FindHook(*policy, Hook::kFlavorOrder)->reads;
  return std::any_of(reads.begin(), reads.end(), [](const std::string& input) {
    return input != "now" && input != "cycle";
  });
}

std::size_t AddFlavors(PolicyBatch& batch, const WorkloadRecord& workload,
                       const ClusterQueueState& queue) {
  std::size_t count = 0;
  for (const ResourceGroupState& group : queue.groups) {
    for (std::size_t i = 0; i < group.flavors.size(); ++i) {
      batch.AddFlavor(workload, queue, group, i);
    }
    count += group.flavors.size();
  }
  return count;
}

FlavorSequence SequenceOf(const World& world, const Policy& policy, const ClusterQueueState& queue,
                          std::span<const double> keys) {
  FlavorSequence sequence;
  NoteHeld(queue, keys, sequence);
  if (sequence.held.empty() && IsDeclaredOrder(queue, keys)) return sequence;
  SortGroups(queue, keys, sequence);
  sequence.package = policy.info().name;
  sequence.order = HashOrder(world, queue, sequence);
  return sequence;
}

FlavorSequence AskFlavorOrder(const World& world, PolicyCalls* calls,
                              const WorkloadRecord& workload, const ClusterQueueState& queue) {
  Policy* policy = PolicyOver(calls, queue);
  if (policy == nullptr) return {};
  if (FlavorsAhead* const ahead = calls->flavors_ahead(); ahead != nullptr) {
    if (const FlavorSequence* known = ahead->Use(*policy, workload, queue)) return *known;
  }
  std::optional<PolicyBatch> batch;
  calls->NewBatch(*policy, Hook::kFlavorOrder, &batch);
  batch->SetQueue(queue);
  batch->SetSubject(workload);
  std::vector<double> keys(AddFlavors(*batch, workload, queue));
  if (!calls->Ask(*policy, Hook::kFlavorOrder, queue, *batch, keys)) return {};
  return SequenceOf(world, *policy, queue, keys);
}

}  // namespace muster
