// See queue_order.h.
#include "engine/policy/queue_order.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "engine/policy/policy_answers.h"

namespace muster {
namespace {

/// Takes every key of the queue out, sets `scripted`, and returns them.
std::vector<WorkloadId> Empty(World& world, ClusterQueueState& queue, bool scripted) {
  std::vector<WorkloadId> ids;
  for (const PendingKey* key : queue.pending.Fresh()) ids.push_back(key->workload);
  for (const PendingKey* key : queue.pending.Ordered({})) ids.push_back(key->workload);
  for (const WorkloadId id : ids) {
    queue.pending.Erase(world.workload(id).key);
    world.workload(id).key.scripted = false;
  }
  queue.pending.SetScripted(scripted);
  return ids;
}

/// Those that need keys now: what changes by itself must be asked for again.
std::vector<WorkloadId> TakeUnordered(World& world, ClusterQueueState& queue, bool keys_stay) {
  if (!queue.pending.scripted() || !keys_stay) return Empty(world, queue, true);
  std::vector<WorkloadId> ids;
  for (const PendingKey* key : queue.pending.Fresh()) ids.push_back(key->workload);
  return ids;
}

/// Counts calls, those of one policy together: mostly all queues ask the same one.
class Tally {
 public:
  explicit Tally(PolicyTable& table) : table_(table) {}
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;
  ~Tally() { Flush(); }
  void Add(const Policy& policy, std::int64_t fuel) {
    if (policy_ != &policy) Flush();
    policy_ = &policy;
    ++calls_;
    fuel_ += fuel;
  }

 private:
  void Flush() {
    if (policy_ != nullptr) table_.Count(*policy_, calls_, fuel_);
    calls_ = 0;
    fuel_ = 0;
  }

  PolicyTable& table_;
  const Policy* policy_ = nullptr;
  std::int64_t calls_ = 0;
  std::int64_t fuel_ = 0;
};

/// One call over all workloads of the queue that have no keys yet. What failed leaves it without
/// any; ForgetKeys must follow.
HookOutcome AskForKeys(World& world, PolicyTable& table, Policy& policy, ClusterQueueState& queue,
                       Tally& tally) {
  const HookInfo& hook = *FindHook(policy, Hook::kQueueOrder);
  const std::vector<WorkloadId> ids = TakeUnordered(world, queue, hook.reads.empty());
  if (ids.empty()) return {};
  const auto width = static_cast<std::size_t>(hook.keys);
  std::vector<double> keys(ids.size() * width);
  PolicyBatch batch(world, table.columns(), policy.info(), Hook::kQueueOrder, world.cycle + 1);
  batch.Reserve(ids.size());
  batch.SetQueue(queue);
  for (const WorkloadId id : ids) batch.AddWorkload(world.workload(id));
  HookOutcome outcome = AskPolicy(policy, Hook::kQueueOrder, batch.Get(), keys);
  tally.Add(policy, outcome.fuel);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    PendingKey& key = world.workload(ids[i]).key;
    queue.pending.Erase(key);
    if (outcome.ok) {
      key.keys = {};
      std::copy_n(keys.begin() + static_cast<std::ptrdiff_t>(i * width), width, key.keys.begin());
      key.scripted = true;
    }
    queue.pending.Push(key);
  }
  return outcome;
}

}  // namespace

// A queue in native mode has no scripted key, parked or not.
void ForgetKeys(World& world, ClusterQueueState& queue) {
  if (!queue.pending.scripted()) return;
  for (const WorkloadId id : Empty(world, queue, false)) {
    queue.pending.Push(world.workload(id).key);
  }
}

void OrderQueues(World& world, PolicyTable& table, std::span<const QueueId> queues,
                 std::vector<PolicyFailure>* failures) {
  if (table.empty()) return;
  Tally tally(table);
  std::set<std::string> out;  // packages that failed
  const auto decides = [&](ClusterQueueState& queue) {
    Policy* policy = table.PolicyFor(world, queue, Hook::kQueueOrder);
    const bool failed = policy != nullptr && !out.empty() && out.contains(policy->info().name);
    return failed ? nullptr : policy;
  };
  for (const QueueId id : queues) {
    ClusterQueueState& queue = world.queue(id);
    Policy* policy = decides(queue);
    if (policy == nullptr) {
      ForgetKeys(world, queue);
      continue;
    }
    HookOutcome outcome = AskForKeys(world, table, *policy, queue, tally);
    if (outcome.ok) continue;
    ForgetKeys(world, queue);
    out.insert(policy->info().name);
    if (failures == nullptr) continue;
    failures->push_back({policy->info().name, "queue_order", queue.name(),
                         std::move(outcome.message), outcome.fuel});
  }
  if (out.empty()) return;
  for (const QueueId id : queues) {  // those that it had ordered before it failed
    ClusterQueueState& queue = world.queue(id);
    if (queue.pending.scripted() && decides(queue) == nullptr) ForgetKeys(world, queue);
  }
}

WorkloadId PreferredHead(const World& world, PolicyCalls& calls, const ClusterQueueState& queue) {
  Policy* policy = calls.For(queue, Hook::kQueueOrder);
  std::vector<PendingKey> keys;
  for (const PendingKey* key : queue.pending.Fresh()) keys.push_back(*key);
  for (const PendingKey* key : queue.pending.Ordered({})) keys.push_back(*key);
  const std::size_t width =
      policy == nullptr ? 0 : static_cast<std::size_t>(FindHook(*policy, Hook::kQueueOrder)->keys);
  std::vector<double> answers(keys.size() * width);
  bool scripted = false;
  if (policy != nullptr) {
    std::optional<PolicyBatch> batch;
    calls.NewBatch(*policy, Hook::kQueueOrder, &batch);
    batch->SetQueue(queue);
    for (const PendingKey& key : keys) batch->AddWorkload(world.workload(key.workload));
    scripted = calls.Ask(*policy, Hook::kQueueOrder, queue, *batch, answers);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i].scripted = scripted;
    keys[i].keys = {};
    if (scripted) {
      std::copy_n(answers.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                  keys[i].keys.begin());
    }
  }
  const LocalQueueUsage usage = world.UsageOrder(queue);
  const auto first =
      std::min_element(keys.begin(), keys.end(), [&](const PendingKey& a, const PendingKey& b) {
        if (usage) {
          const double used_a = usage(a.local_queue), used_b = usage(b.local_queue);
          if (used_a != used_b) return used_a < used_b;
        }
        return Compare(a, b).before;
      });
  return first->workload;
}

}  // namespace muster
