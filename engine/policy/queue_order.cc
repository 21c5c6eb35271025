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

/// Asks for the keys of one queue after the other: what a call needs is made once for all that ask
/// the same policy.
class KeyAsker {
 public:
  KeyAsker(World& world, PolicyTable& table) : world_(world), table_(table) {}
  KeyAsker(const KeyAsker&) = delete;
  KeyAsker& operator=(const KeyAsker&) = delete;
  ~KeyAsker() { CountCalls(); }

  /// One call over all workloads of the queue that have no keys yet. What failed leaves it without
  /// any; ForgetKeys must follow.
  HookOutcome Ask(Policy& policy, ClusterQueueState& queue);

 private:
  void Begin(Policy& policy);
  void TakeUnordered(ClusterQueueState& queue);
  void CountCalls();

  World& world_;
  PolicyTable& table_;
  Policy* policy_ = nullptr;  ///< asked last
  const HookInfo* hook_ = nullptr;
  std::optional<PolicyBatch> batch_;
  std::vector<WorkloadId> ids_;
  std::vector<double> keys_;
  std::int64_t calls_ = 0;  ///< of policy_
  std::int64_t fuel_ = 0;
};

void KeyAsker::Begin(Policy& policy) {
  CountCalls();
  policy_ = &policy;
  hook_ = FindHook(policy, Hook::kQueueOrder);
  batch_.emplace(world_, table_.columns(), policy.info(), Hook::kQueueOrder, world_.cycle + 1);
}

void KeyAsker::CountCalls() {
  if (calls_ > 0) table_.Count(*policy_, calls_, fuel_);
  calls_ = 0;
  fuel_ = 0;
}

// Those that need keys now: what changes by itself must be asked for again.
void KeyAsker::TakeUnordered(ClusterQueueState& queue) {
  if (!queue.pending.scripted() || !hook_->reads.empty()) {
    ids_ = Empty(world_, queue, true);
    return;
  }
  ids_.clear();
  for (const PendingKey* key : queue.pending.fresh()) ids_.push_back(key->workload);
  std::sort(ids_.begin(), ids_.end());
}

HookOutcome KeyAsker::Ask(Policy& policy, ClusterQueueState& queue) {
  if (policy_ != &policy) Begin(policy);
  TakeUnordered(queue);
  if (ids_.empty()) return {};
  const auto width = static_cast<std::size_t>(hook_->keys);
  keys_.assign(ids_.size() * width, 0);
  batch_->Clear();
  batch_->SetQueue(queue);
  for (const WorkloadId id : ids_) batch_->AddWorkload(world_.workload(id));
  HookOutcome outcome = AskPolicy(policy, Hook::kQueueOrder, batch_->Get(), keys_);
  ++calls_;
  fuel_ += outcome.fuel;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    PendingKey& key = world_.workload(ids_[i]).key;
    queue.pending.Erase(key);
    if (outcome.ok) {
      key.keys.Set(std::span(keys_).subspan(i * width, width));
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
  KeyAsker asker(world, table);
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
    HookOutcome outcome = asker.Ask(*policy, queue);
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
    if (scripted) keys[i].keys.Set(std::span(answers).subspan(i * width, width));
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
