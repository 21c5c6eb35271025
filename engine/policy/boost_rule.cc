// See boost_rule.h. First everything is asked, then it is known which packages have failed.
#include "engine/policy/boost_rule.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "engine/policy/policy_answers.h"
#include "engine/policy/policy_batch.h"
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
    for (const auto& [name, id] : world_.queue_ids) Ask(world_.queue(id));
    for (const Turn& turn : turns_) Settle(turn);
    for (const auto& [name, id] : world_.queue_ids) {
      const Policy* policy = PolicyOf(world_.queue(id));
      if (policy != nullptr && out_.contains(policy->info().name)) LeaveToNative(world_.queue(id));
    }
    world_.boosts = table_.Defines(Hook::kBoost);
    if (!world_.boosts) LeaveTheRestToNative();
    return std::move(given_);
  }

 private:
  /// A queue that was asked about.
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

  void Ask(ClusterQueueState& queue) {
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
    if (!turn.ids.empty() && !out_.contains(turn.package)) AskAbout(turn, *policy);
    turns_.push_back(std::move(turn));
  }

  void AskAbout(Turn& turn, Policy& policy) {
    table_.NoteAsked(policy);
    PolicyBatch batch(world_, table_.columns(), policy.info(), Hook::kBoost, world_.cycle + 1);
    batch.SetQueue(*turn.queue);
    for (const WorkloadId id : turn.ids) batch.AddWorkload(world_.workload(id));
    turn.answers.assign(turn.ids.size(), 0);
    HookOutcome outcome = AskPolicy(policy, Hook::kBoost, batch.Get(), turn.answers);
    table_.Count(policy, outcome);
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
