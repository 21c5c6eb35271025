// See queue_order.h.
#include "engine/policy/queue_order.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "engine/base/prefetch.h"
#include "engine/policy/hold_rule.h"
#include "engine/policy/policy_answers.h"
#include "engine/policy/policy_calls.h"
#include "engine/policy/policy_ticks.h"
#include "engine/state/rows_ahead.h"

namespace muster {
namespace {

/// All in the heap: newcomers by id, then those in order.
void Collect(const ClusterQueueState& queue, std::vector<WorkloadId>& ids) {
  if (queue.pending.heap_size() == 1) {  // nothing to put in order
    const auto& fresh = queue.pending.fresh();
    ids.push_back((fresh.empty() ? queue.pending.Head({}) : fresh.front())->workload);
    return;
  }
  for (const PendingKey* key : queue.pending.Fresh()) ids.push_back(key->workload);
  for (const PendingKey* key : queue.pending.Ordered({})) ids.push_back(key->workload);
}

void SortFrom(std::vector<WorkloadId>& ids, std::size_t first) {
  const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(first);
  if (!std::is_sorted(begin, ids.end())) std::sort(begin, ids.end());
}

/// Takes all of them out and sets `scripted`. Precondition: nothing else is in the heap.
void Empty(World& world, ClusterQueueState& queue, std::span<const WorkloadId> ids, bool scripted) {
  for (const WorkloadId id : ids) {
    queue.pending.Erase(world.workload(id).key);
    world.workload(id).key.scripted = false;
  }
  queue.pending.SetScripted(scripted);
}

/// Orders queues, one after the other: gathers those that ask the same policy, some at a time, and
/// asks about them in one call. When that fails, they are asked about one by one, so that a failure
/// is told, counted and answered as if there had been no other queue.
class QueueOrderer {
 public:
  QueueOrderer(World& world, PolicyTable& table, std::vector<PolicyFailure>* failures)
      : world_(world), table_(table), failures_(failures) {}
  QueueOrderer(const QueueOrderer&) = delete;
  QueueOrderer& operator=(const QueueOrderer&) = delete;

  void Order(std::span<const QueueId> queues);

 private:
  /// A queue that is to be asked about.
  struct Turn {
    ClusterQueueState* queue = nullptr;
    bool anew = false;      ///< all in the heap, not only newcomers
    bool stays = false;     ///< what has keys already stays where it is, and gets others there
    std::size_t begin = 0;  ///< of its workloads in ids_
    std::size_t count = 0;
    std::size_t fresh = 0;  ///< of them, those that have no keys yet; they stand in front
  };
  /// So many rows fit into the fastest caches.
  static constexpr std::size_t kMostTurns = 32;
  static constexpr std::size_t kMostRows = 64;
  /// How many queues before its own turn what it needs is prefetched: itself, what it points to.
  static constexpr std::size_t kQueuesAhead = 12;
  static constexpr std::size_t kDetailsAhead = 6;

  /// What orders the queue; natively where one of those that do together failed.
  Decider Decides(const ClusterQueueState& queue) const;
  void LookAhead(std::span<const QueueId> queues, std::size_t i) const;
  void Begin(const Decider& decider);
  void Gather(ClusterQueueState& queue);
  void AskGathered();
  bool AskTogether();
  void AskAlone(const Turn& turn);
  /// Writes the keys of one of chain_ at `offset` of each row of keys_. False: they mean nothing.
  bool AskOne(Policy& policy, const Turn& turn, std::size_t offset);
  std::span<const WorkloadId> IdsOf(const Turn& turn) const {
    return std::span(ids_).subspan(turn.begin, turn.count);
  }
  void TakeOut(const Turn& turn);
  void PutBack(const Turn& turn, std::span<const double> keys);
  void CountCalls();

  World& world_;
  PolicyTable& table_;
  std::vector<PolicyFailure>* failures_;
  std::set<std::string> out_;  ///< packages that failed
  Decider decider_;                ///< of the turns
  Policy* policy_ = nullptr;       ///< of them; the first of chain_
  std::vector<Policy*> chain_;     ///< all that are asked
  const HookInfo* hook_ = nullptr;
  std::size_t width_ = 0;          ///< of all of them together
  bool reads_nothing_ = false;     ///< that changes by itself
  bool reads_time_alone_ = false;
  bool together_ = true;           ///< several may be asked about in one call; not once that failed
  std::optional<PolicyBatch> batch_;
  std::vector<Turn> turns_;
  std::vector<WorkloadId> ids_;
  std::vector<double> keys_;
  std::vector<std::int64_t> each_fuel_;
  std::int64_t calls_ = 0;  ///< of policy_
  std::int64_t fuel_ = 0;
};

Decider QueueOrderer::Decides(const ClusterQueueState& queue) const {
  const Decider decider = table_.Find(world_, queue, Hook::kQueueOrder);
  if (decider.policy == nullptr || out_.empty()) return decider;
  const std::vector<Policy*> chain = decider.All();
  const bool failed = std::any_of(chain.begin(), chain.end(), [this](const Policy* policy) {
    return out_.contains(policy->info().name);
  });
  return failed ? Decider() : decider;
}

void QueueOrderer::Begin(const Decider& decider) {
  CountCalls();
  decider_ = decider;
  policy_ = decider.policy;
  chain_ = decider.All();
  hook_ = FindHook(*policy_, Hook::kQueueOrder);
  width_ = 0;
  reads_nothing_ = true;
  for (const Policy* policy : chain_) {
    const HookInfo& hook = *FindHook(*policy, Hook::kQueueOrder);
    if (failures_ != nullptr) table_.NoteAsked(*policy);
    width_ += static_cast<std::size_t>(hook.keys);
    reads_nothing_ = reads_nothing_ && hook.reads.empty();
  }
  width_ = std::min(width_, PolicyKeys::size());
  together_ = chain_.size() == 1;
  reads_time_alone_ = together_ && hook_->reads.size() == 1 && hook_->reads.front() == "now";
  batch_.emplace(world_, table_.columns(), policy_->info(), Hook::kQueueOrder, world_.cycle + 1,
                 PolicyBatch::Texts::kNamed);
}

void QueueOrderer::CountCalls() {
  if (calls_ > 0) table_.Count(*policy_, calls_, fuel_);
  calls_ = 0;
  fuel_ = 0;
}

// Those that need keys now: what changes by itself must be asked for again.
void QueueOrderer::Gather(ClusterQueueState& queue) {
  Turn& turn = turns_.emplace_back();
  turn.queue = &queue;
  const TimeNs at = reads_time_alone_ ? TimeFor(Hook::kQueueOrder, *hook_, world_.now) : kNoTime;
  const bool as_before = reads_time_alone_ ? queue.ordered_at == at : reads_nothing_;
  turn.anew = !queue.pending.scripted() || !as_before;
  queue.ordered_at = at;
  turn.begin = ids_.size();
  turn.stays = turn.anew && queue.pending.scripted();
  if (turn.anew && !turn.stays) {
    Collect(queue, ids_);
  } else {
    for (const PendingKey* key : queue.pending.fresh()) ids_.push_back(key->workload);
    SortFrom(ids_, turn.begin);
    turn.fresh = ids_.size() - turn.begin;
  }
  if (turn.stays) {
    const std::size_t first = ids_.size();
    for (const PendingKey* key : queue.pending.Some(queue.pending.heap_size() - turn.fresh)) {
      ids_.push_back(key->workload);
    }
    SortFrom(ids_, first);
  }
  turn.count = ids_.size() - turn.begin;
  for (const WorkloadId id : IdsOf(turn)) Prefetch(world_.Peek(id), 2 * kCacheLine);
  if (turn.count > 0) return;
  if (turn.anew) queue.pending.SetScripted(true);
  turns_.pop_back();
}

bool QueueOrderer::AskTogether() {
  batch_->Clear();
  SendForRows(world_, ids_);
  for (const Turn& turn : turns_) {
    batch_->BeginPart(*turn.queue);
    for (const WorkloadId id : IdsOf(turn)) batch_->AddWorkload(world_.workload(id));
  }
  keys_.assign(ids_.size() * width_, 0);
  if (!PolicyCalls::TryEach(*policy_, Hook::kQueueOrder, *batch_, keys_, &each_fuel_)) return false;
  calls_ += static_cast<std::int64_t>(turns_.size());
  for (const std::int64_t fuel : each_fuel_) fuel_ += fuel;
  for (const Turn& turn : turns_) {
    TakeOut(turn);
    PutBack(turn, std::span(keys_).subspan(turn.begin * width_, turn.count * width_));
  }
  return true;
}

void QueueOrderer::TakeOut(const Turn& turn) {
  if (turn.anew && !turn.stays) return Empty(world_, *turn.queue, IdsOf(turn), true);
  turn.queue->pending.TakeOutFresh();
}

/// `keys`: of its workloads; empty: they stay as they are.
void QueueOrderer::PutBack(const Turn& turn, std::span<const double> keys) {
  const std::span<const WorkloadId> ids = IdsOf(turn);
  for (std::size_t i = 0; i < ids.size() && !keys.empty(); ++i) {
    PendingKey& key = world_.workload(ids[i]).key;
    key.keys.Set(keys.subspan(i * width_, width_));
    key.scripted = true;
  }
  if (turn.stays && !keys.empty()) turn.queue->pending.Reorder();
  for (const WorkloadId id : turn.stays ? ids.first(turn.fresh) : ids) {
    turn.queue->pending.Push(world_.workload(id).key);
  }
}

bool QueueOrderer::AskOne(Policy& policy, const Turn& turn, std::size_t offset) {
  PolicyBatch batch(world_, table_.columns(), policy.info(), Hook::kQueueOrder, world_.cycle + 1);
  batch.SetQueue(*turn.queue);
  for (const WorkloadId id : IdsOf(turn)) batch.AddWorkload(world_.workload(id));
  const auto keys = static_cast<std::size_t>(FindHook(policy, Hook::kQueueOrder)->keys);
  std::vector<double> answers(turn.count * keys);
  HookOutcome outcome = AskPolicy(policy, Hook::kQueueOrder, batch.Get(), answers);
  table_.Count(policy, outcome);
  if (!outcome.ok) {
    out_.insert(policy.info().name);
    if (failures_ != nullptr) {
      failures_->push_back({policy.info().name, "queue_order", turn.queue->name(),
                            std::move(outcome.message), outcome.fuel, outcome.late});
    }
    return false;
  }
  for (std::size_t i = 0; i < turn.count; ++i) {
    for (std::size_t k = 0; k < keys && offset + k < width_; ++k) {
      keys_[i * width_ + offset + k] = answers[i * keys + k];
    }
  }
  return true;
}

void QueueOrderer::AskAlone(const Turn& turn) {
  keys_.assign(turn.count * width_, 0);
  bool answered = true;
  std::size_t offset = 0;
  for (Policy* policy : chain_) {
    answered = answered && AskOne(*policy, turn, offset);
    offset += static_cast<std::size_t>(FindHook(*policy, Hook::kQueueOrder)->keys);
  }
  TakeOut(turn);
  PutBack(turn, answered ? std::span<const double>(keys_) : std::span<const double>());
  if (!answered) ForgetKeys(world_, *turn.queue);
}

void QueueOrderer::AskGathered() {
  if (turns_.empty()) return;
  together_ = together_ && AskTogether();
  if (!together_) {
    for (const Turn& turn : turns_) {
      if (Decides(*turn.queue).policy != nullptr) {
        AskAlone(turn);
      } else {
        ForgetKeys(world_, *turn.queue);
      }
    }
  }
  turns_.clear();
  ids_.clear();
}

void QueueOrderer::LookAhead(std::span<const QueueId> queues, std::size_t i) const {
  if (i + kQueuesAhead < queues.size()) {
    world_.queue(queues[i + kQueuesAhead]).pending.PrefetchFront();
  }
  if (i + kDetailsAhead < queues.size()) {
    world_.queue(queues[i + kDetailsAhead]).pending.PrefetchToTakeIn();
  }
}

void QueueOrderer::Order(std::span<const QueueId> queues) {
  if (failures_ != nullptr) {
    for (const PolicyFailure& failure : *failures_) {
      if (failure.hook == HookName(Hook::kQueueOrder)) out_.insert(failure.policy);
    }
  }
  for (std::size_t i = 0; i < queues.size(); ++i) {
    LookAhead(queues, i);
    ClusterQueueState& queue = world_.queue(queues[i]);
    Decider decider = Decides(queue);
    const bool full = turns_.size() == kMostTurns || ids_.size() >= kMostRows;
    if (decider.policy != nullptr && (!decider.IsAskedLike(decider_) || full)) {
      AskGathered();
      decider = Decides(queue);  // what was asked may have failed
    }
    if (decider.policy == nullptr) {
      ForgetKeys(world_, queue);
      continue;
    }
    if (!decider.IsAskedLike(decider_)) Begin(decider);
    Gather(queue);
  }
  AskGathered();
  CountCalls();
  if (out_.empty()) return;
  for (const QueueId id : queues) {  // those that it had ordered before it failed
    ClusterQueueState& queue = world_.queue(id);
    if (queue.pending.scripted() && Decides(queue).policy == nullptr) ForgetKeys(world_, queue);
  }
}

}  // namespace

namespace {

/// Those in the heap and on hold that would not be held back if `calls` decided.
std::vector<PendingKey> NotHeldBack(const World& world, PolicyCalls& calls,
                                    const ClusterQueueState& queue) {
  std::vector<PendingKey> keys;
  for (const PendingKey* key : queue.pending.Fresh()) keys.push_back(*key);
  for (const PendingKey* key : queue.pending.Ordered({})) keys.push_back(*key);
  for (const PendingKey* key : queue.pending.on_hold()) keys.push_back(*key);
  Policy* policy = calls.For(queue, Hook::kHold);
  if (policy == nullptr || keys.empty()) return keys;
  std::vector<WorkloadId> ids;
  for (const PendingKey& key : keys) ids.push_back(key.workload);
  HoldAnswers answers;
  if (!answers.Ask(world, calls, *policy, queue, ids)) return keys;
  std::vector<PendingKey> left;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!answers.Of(world, i)) left.push_back(keys[i]);
  }
  return left;
}

}  // namespace

// A queue in native mode has no scripted key, parked or not.
void ForgetKeys(World& world, ClusterQueueState& queue) {
  if (!queue.pending.scripted()) return;
  std::vector<WorkloadId> ids;
  Collect(queue, ids);
  Empty(world, queue, ids, false);
  for (const WorkloadId id : ids) queue.pending.Push(world.workload(id).key);
}

void OrderQueues(World& world, PolicyTable& table, std::span<const QueueId> queues,
                 std::vector<PolicyFailure>* failures) {
  if (table.empty()) return;
  QueueOrderer(world, table, failures).Order(queues);
}

std::optional<WorkloadId> PreferredHead(const World& world, PolicyCalls& calls,
                                        const ClusterQueueState& queue) {
  std::vector<PendingKey> keys = NotHeldBack(world, calls, queue);
  if (keys.empty()) return std::nullopt;
  const std::vector<Policy*> chain = calls.AllFor(queue, Hook::kQueueOrder);
  std::vector<std::vector<double>> rows(keys.size());
  bool scripted = !chain.empty();
  for (Policy* policy : chain) {
    std::optional<PolicyBatch> batch;
    calls.NewBatch(*policy, Hook::kQueueOrder, &batch);
    batch->SetQueue(queue);
    for (const PendingKey& key : keys) batch->AddWorkload(world.workload(key.workload));
    const auto width = static_cast<std::size_t>(FindHook(*policy, Hook::kQueueOrder)->keys);
    std::vector<double> answers(keys.size() * width);
    scripted = scripted && calls.Ask(*policy, Hook::kQueueOrder, queue, *batch, answers);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto own = std::span(answers).subspan(i * width, width);
      rows[i].insert(rows[i].end(), own.begin(), own.end());
    }
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i].scripted = scripted;
    const std::span<const double> row = rows[i];
    if (scripted) keys[i].keys.Set(row.first(std::min(row.size(), PolicyKeys::size())));
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
