// See boost_rule.h. First everything is asked, then it is known which packages have failed.
#include "engine/policy/boost_rule.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "engine/policy/policy_answers.h"
#include "engine/policy/policy_batch.h"
#include "engine/policy/policy_calls.h"
#include "engine/policy/policy_ticks.h"

namespace muster {
namespace {

using Ids = std::vector<WorkloadId>;

/// Where it waits or holds quota; invalid: nowhere.
QueueId QueueOf(const WorkloadRecord& workload) {
  if (workload.holds()) return workload.holds_in;
  return workload.queued() ? workload.queue : QueueId{};
}

/// All that wait in the queue and all that it is charged for, by arrival.
Ids AllOf(const ClusterQueueState& queue) {
  Ids ids;
  for (const PendingKey* key : queue.pending.Some(queue.pending.heap_size())) {
    ids.push_back(key->workload);
  }
  for (const PendingKey* key : queue.pending.Parked()) ids.push_back(key->workload);
  queue.holders.ForEach([&](const WorkloadRecord& holder) { ids.push_back(holder.id()); });
  std::sort(ids.begin(), ids.end());
  return ids;
}

class BoostAsker {
 public:
  BoostAsker(World& world, PolicyTable& table, std::vector<PolicyFailure>& failures)
      : world_(world), table_(table), failures_(failures) {}
  BoostAsker(const BoostAsker&) = delete;
  BoostAsker& operator=(const BoostAsker&) = delete;

  std::vector<GivenBoost> Run() {
    TakeNewcomers();
    for (const auto& [name, id] : world_.queue_ids) Gather(world_.queue(id));
    AskGathered();
    for (const Turn& turn : turns_) Settle(turn);
    for (const auto& [name, id] : world_.queue_ids) {
      if (out_.empty()) break;
      const Policy* policy = PolicyOf(world_.queue(id));
      if (policy != nullptr && out_.contains(policy->info().name)) LeaveToNative(world_.queue(id));
    }
    world_.boosts = table_.Defines(Hook::kBoost);
    if (!world_.boosts) LeaveTheRestToNative();
    return std::move(given_);
  }

 private:
  /// So many turns and rows of a call fit into the fastest caches.
  static constexpr std::size_t kMostTurns = 32, kMostRows = 64;
  /// A queue that is asked about.
  struct Turn {
    ClusterQueueState* queue = nullptr;
    std::string package;
    TimeNs at = kNoTime;  ///< for which the answers are
    bool all = false;     ///< not only newcomers
    Ids ids;
    std::vector<double> answers;
  };

  Policy* PolicyOf(const ClusterQueueState& queue) const {
    return table_.PolicyFor(world_, queue, Hook::kBoost);
  }

  void TakeNewcomers() {
    for (const WorkloadId id : std::exchange(world_.to_boost, {})) {
      if (!world_.Knows(id)) continue;
      WorkloadRecord& workload = world_.workload(id);
      workload.to_boost = false;
      world_.changes.Touch(id);
      const QueueId queue = QueueOf(workload);
      if (queue.valid()) newcomers_[queue].push_back(id);
    }
  }

  /// Notes what is to be asked about in the queue; the last ones are asked about together.
  void Gather(ClusterQueueState& queue) {
    Policy* const policy = PolicyOf(queue);
    const auto newcomers = newcomers_.find(queue.id);
    if (policy == nullptr) {
      if (!queue.boosted_by.empty()) return LeaveToNative(queue);
      if (newcomers != newcomers_.end()) Give(newcomers->second, /*newcomers=*/true);
      return;
    }
    Turn turn;
    turn.queue = &queue;
    turn.package = policy->info().name;
    const HookInfo& hook = *FindHook(*policy, Hook::kBoost);
    const bool time_alone = hook.reads.size() == 1 && hook.reads.front() == "now";
    turn.at = time_alone ? TimeFor(Hook::kBoost, hook, world_.now) : world_.now;
    const bool as_before = time_alone ? queue.boosted_at == turn.at : hook.reads.empty();
    turn.all = queue.boosted_at == kNoTime || queue.boosted_by != turn.package || !as_before;
    if (turn.all) {
      turn.ids = AllOf(queue);
    } else if (newcomers != newcomers_.end()) {
      turn.ids = newcomers->second;
    }
    if (turn.ids.empty() && !turn.all) return;
    const bool full = turns_.size() - asked_ == kMostTurns || gathered_ >= kMostRows;
    if (policy != policy_ || full) AskGathered();
    policy_ = policy;
    gathered_ += turn.ids.size();
    turns_.push_back(std::move(turn));
  }

  /// Those that all ask `policy_`: in one call, or one by one where that would fail.
  void AskGathered() {
    const std::span<Turn> turns = std::span(turns_).subspan(asked_);
    asked_ = turns_.size();
    if (std::exchange(gathered_, 0) == 0 || out_.contains(turns.front().package)) return;
    table_.NoteAsked(*policy_);
    if (turns.size() > 1 && AskTogether(turns)) return;
    for (Turn& turn : turns) {
      if (!turn.ids.empty() && !out_.contains(turn.package)) AskAbout(turn);
    }
  }

  bool AskTogether(std::span<Turn> turns) {
    PolicyBatch batch(world_, table_.columns(), policy_->info(), Hook::kBoost, world_.cycle + 1,
                      PolicyBatch::Texts::kNamed);
    std::size_t count = 0;
    for (const Turn& turn : turns) {
      if (turn.ids.empty()) continue;
      batch.BeginPart(*turn.queue);
      for (const WorkloadId id : turn.ids) batch.AddWorkload(world_.workload(id));
      count += turn.ids.size();
    }
    answers_.assign(count, 0);
    if (!PolicyCalls::TryEach(*policy_, Hook::kBoost, batch, answers_, &fuel_)) return false;
    table_.Count(*policy_, static_cast<std::int64_t>(fuel_.size()),
                 std::accumulate(fuel_.begin(), fuel_.end(), std::int64_t{0}));
    auto next = answers_.begin();
    for (Turn& turn : turns) {
      const auto end = next + static_cast<std::ptrdiff_t>(turn.ids.size());
      turn.answers.assign(next, end);
      next = end;
    }
    return true;
  }

  void AskAbout(Turn& turn) {
    PolicyBatch batch(world_, table_.columns(), policy_->info(), Hook::kBoost, world_.cycle + 1);
    batch.SetQueue(*turn.queue);
    for (const WorkloadId id : turn.ids) batch.AddWorkload(world_.workload(id));
    turn.answers.assign(turn.ids.size(), 0);
    HookOutcome outcome = AskPolicy(*policy_, Hook::kBoost, batch.Get(), turn.answers);
    table_.Count(*policy_, outcome);
    if (outcome.ok) return;
    out_.insert(turn.package);
    failures_.push_back({turn.package, std::string(HookName(Hook::kBoost)), turn.queue->name(),
                         std::move(outcome.message), outcome.fuel, outcome.late});
  }

  /// Takes the answers of a package that has not failed.
  void Settle(const Turn& turn) {
    if (out_.contains(turn.package)) return;
    for (std::size_t i = 0; i < turn.ids.size(); ++i) {
      const auto boost = static_cast<std::int32_t>(std::lround(turn.answers[i]));
      given_.push_back({turn.ids[i], boost, !turn.all});
    }
    if (!turn.all) return;
    SetBoosted(*turn.queue, turn.at, turn.package);
  }

  void SetBoosted(ClusterQueueState& queue, TimeNs at, const std::string& by) {
    if (queue.boosted_at == at && queue.boosted_by == by) return;
    queue.boosted_at = at;
    queue.boosted_by = by;
    world_.changes.Touch(queue.id);
  }

  void Give(const Ids& ids, bool newcomers) {
    for (const WorkloadId id : ids) given_.push_back({id, std::nullopt, newcomers});
  }

  void LeaveToNative(ClusterQueueState& queue) {
    Give(AllOf(queue), /*newcomers=*/false);
    SetBoosted(queue, kNoTime, "");
  }

  /// Those in no queue: no policy will be asked about them when they are in one.
  void LeaveTheRestToNative() {
    for (const auto& workload : world_.workloads) {
      if (workload == nullptr || !workload->boosted || QueueOf(*workload).valid()) continue;
      given_.push_back({workload->id(), std::nullopt, false});
    }
  }

  World& world_;
  PolicyTable& table_;
  std::vector<PolicyFailure>& failures_;
  std::map<QueueId, Ids> newcomers_;
  std::vector<Turn> turns_;
  std::size_t asked_ = 0;     ///< of them; those behind ask policy_
  std::size_t gathered_ = 0;  ///< workloads of those behind
  Policy* policy_ = nullptr;
  std::vector<double> answers_;
  std::vector<std::int64_t> fuel_;
  std::set<std::string> out_;  ///< packages that failed
  std::vector<GivenBoost> given_;
};

}  // namespace

std::vector<GivenBoost> AskBoosts(World& world, PolicyTable& table,
                                  std::vector<PolicyFailure>* failures) {
  const bool none = !table.Defines(Hook::kBoost) && !world.boosts && world.to_boost.empty();
  if (none) return {};
  return BoostAsker(world, table, *failures).Run();
}

}  // namespace muster
