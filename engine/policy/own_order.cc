// See own_order.h.
#include "engine/policy/own_order.h"

#include <algorithm>
#include <utility>

#include "engine/policy/policy_answers.h"

namespace muster {

WorkloadId FirstByOwner(const World& world, PolicyTable& table, const ClusterQueueState& queue,
                        const PendingKey& head, std::vector<PolicyFailure>* failures) {
  if (head.sticky || !head.local_queue.valid()) return head.workload;
  Policy* policy = table.OwnOrder(world.local_queue(head.local_queue).spec.key);
  if (policy == nullptr) return head.workload;
  std::vector<const PendingKey*> own = queue.pending.Some(queue.pending.heap_size());
  std::erase_if(own, [&](const PendingKey* key) {
    return key->local_queue != head.local_queue ||
           key->effective_priority() != head.effective_priority();
  });
  std::sort(own.begin(), own.end(), [](const PendingKey* a, const PendingKey* b) {
    return Compare(*a, *b).before;
  });
  PolicyBatch batch(world, table.columns(), policy->info(), Hook::kQueueOrder, world.cycle + 1);
  batch.SetQueue(queue);
  for (const PendingKey* key : own) batch.AddWorkload(world.workload(key->workload));
  const auto width = static_cast<std::size_t>(FindHook(*policy, Hook::kQueueOrder)->keys);
  std::vector<double> keys(own.size() * width);
  HookOutcome outcome = AskPolicy(*policy, Hook::kQueueOrder, batch.Get(), keys);
  table.Count(*policy, outcome);
  if (failures != nullptr) table.NoteAsked(*policy);
  if (!outcome.ok) {
    if (failures != nullptr) {
      failures->push_back({policy->info().name, "queue_order", queue.name(),
                           std::move(outcome.message), outcome.fuel, outcome.late});
    }
    return head.workload;
  }
  const auto row = [&](std::size_t i) { return std::span(keys).subspan(i * width, width); };
  std::size_t first = 0;  // of equal ones that which the ClusterQueue has in front
  for (std::size_t i = 1; i < own.size(); ++i) {
    const auto a = row(i), b = row(first);
    if (std::lexicographical_compare(b.begin(), b.end(), a.begin(), a.end())) first = i;
  }
  return own[first]->workload;
}

}  // namespace muster
