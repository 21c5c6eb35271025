// Explain: why a workload waits. Runs its nomination on a mark, with everything recorded, and reads
// off the state who holds what it lacks and who is ahead of it.
#include <algorithm>
#include <set>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include "engine/cycle/engine_state.h"
#include "engine/cycle/kept_room.h"
#include "engine/cycle/nominate.h"
#include "engine/cycle/verdict.h"
#include "engine/cycle/view_of.h"
#include "engine/model/amount.h"
#include "engine/model/limits.h"
#include "engine/model/time_text.h"
#include "engine/policy/policy_calls.h"
#include "engine/policy/queue_order.h"
#include "engine/preempt/candidates.h"
#include "muster/quantity.h"

namespace muster {
namespace {

/// Pairs that the workload is short of in the flavors that were tried.
std::set<std::pair<std::string, std::string>> ShortPairs(
    const std::vector<FlavorAttempt>& flavors) {
  std::set<std::pair<std::string, std::string>> pairs;
  for (const FlavorAttempt& attempt : flavors) {
    for (const ResourceAttempt& resource : attempt.resources) {
      if (resource.shortage > 0) pairs.insert({attempt.flavor, resource.resource});
    }
  }
  return pairs;
}

class Explainer {
 public:
  Explainer(World& world, PolicyTable& policies, WorkloadRecord& workload)
      : world_(world), policies_(policies), workload_(workload) {}

  Explanation Explain() {
    explanation_.workload = ViewOf(world_, workload_);
    if (workload_.queue.valid()) {
      NamePolicy();
      if (workload_.queued()) {
        NominateAsInACycle();
        ListAhead();
      }
      ListHolders();
    }
    GiveVerdict(world_, workload_, hypothesis_, explanation_);
    NameFailures();
    return std::move(explanation_);
  }

 private:
  void NamePolicy() {
    const Policy* policy =
        policies_.PolicyFor(world_, world_.queue(workload_.queue), Hook::kQueueOrder);
    if (policy == nullptr) {
      explanation_.order_policy = "fifo-priority (native)";
      return;
    }
    const PolicyInfo& info = policy->info();
    explanation_.order_policy = info.name + "@" + info.hash.substr(0, 12);
    for (const HookInfo& hook : info.hooks) {
      if (hook.hook == Hook::kQueueOrder) explanation_.order_policy += " " + hook.place;
    }
  }

  /// Says which hooks have no say now, because they fail.
  void NameFailures() {
    for (const PolicyFailure& failure : failures_) {
      if (failure.hook == HookName(Hook::kQueueOrder)) {
        explanation_.order_policy =
            "fifo-priority (native), as queue_order of " + explanation_.order_policy + " fails";
      }
      explanation_.verdict += " Hook " + failure.hook + " of policy " + failure.policy +
                              " fails, so the built-in rule decides: " + failure.message +
                              " (fuel " + std::to_string(failure.fuel) + ").";
    }
  }

  /// With the room charged that is kept for other queues; what it would be without is asked where
  /// that stands in its way.
  void NominateAsInACycle() {
    const std::uint32_t tree = world_.queue(workload_.queue).tree;
    const WorkloadRecord* keeper = OtherKeeperIn(tree);
    if (keeper != nullptr) {
      NominateNow();
      if (hypothesis_.entry.assignment.mode == AssignmentMode::kFit) hypothesis_.kept_for = keeper;
    }
    UsageMark mark(world_.trees[tree]);
    ChargeKeptRoom(world_, std::span(&tree, 1));
    TakeRoom(world_, workload_.queue);
    NominateNow();
  }

  /// One of another queue of the tree for which room is kept; null when there is none.
  const WorkloadRecord* OtherKeeperIn(std::uint32_t tree) const {
    for (const auto& [queue, keeper] : world_.kept_room) {
      if (queue != workload_.queue && world_.queue(queue).tree == tree) {
        return &world_.workload(keeper);
      }
    }
    return nullptr;
  }

  void NominateNow() {
    PolicyCalls calls(world_, policies_, world_.cycle + 1, PolicyCalls::Record::kForget);
    PreemptionSearch search(world_, {}, &calls);
    Entry entry;
    Seldom<FlavorProgress> progress = std::exchange(workload_.progress, {});
    do {  // again without a hook that failed
      entry = {};
      entry.Begin(workload_.id, workload_.queue);
      Nominate(world_, search, entry, nullptr, true);
    } while (calls.TakeFailed());
    workload_.progress = std::move(progress);
    failures_ = calls.failures();
    explanation_.flavors = std::move(entry.attempts);
    explanation_.candidates = std::move(entry.candidates);
    hypothesis_.entry = std::move(entry);
  }

  void ListAhead() {
    ClusterQueueState& queue = world_.queue(workload_.queue);
    OrderQueues(world_, policies_, std::span(&workload_.queue, 1), &failures_);
    if (PlaceOf(world_, workload_) != QueuePlace::kHeap) return;
    const LocalQueueUsage usage = world_.UsageOrder(queue);
    for (const PendingKey* key : queue.pending.Ordered(usage)) {
      if (key->workload == workload_.id) break;
      ++explanation_.ahead_count;
      if (explanation_.ahead.size() >= kMaxAhead) continue;
      explanation_.ahead.push_back(Ahead(*key, usage));
    }
  }

  AheadView Ahead(const PendingKey& theirs, const LocalQueueUsage& usage) const {
    const PendingKey& ours = workload_.key;
    AheadView view;
    view.workload = world_.workload(theirs.workload).spec.key;
    if (usage && usage(theirs.local_queue) != usage(ours.local_queue)) {
      view.key = "LocalQueue usage";
      view.theirs = Text(usage(theirs.local_queue));
      view.ours = Text(usage(ours.local_queue));
      return view;
    }
    const OrderDifference difference = Compare(theirs, ours);
    view.key = OrderKeyName(difference.key);
    switch (difference.key) {
      case OrderKey::kSticky:
        break;
      case OrderKey::kPolicyKeys:
        for (std::size_t i = 0; i < ours.keys.size(); ++i) {
          if (theirs.keys[i] == ours.keys[i]) continue;
          view.key += " " + std::to_string(i + 1);
          view.theirs = Text(theirs.keys[i]);
          view.ours = Text(ours.keys[i]);
          break;
        }
        break;
      case OrderKey::kPriority:
        view.theirs = std::to_string(theirs.priority);
        view.ours = std::to_string(ours.priority);
        break;
      case OrderKey::kTimestamp:
        view.theirs = FormatTime(theirs.timestamp);
        view.ours = FormatTime(ours.timestamp);
        break;
      case OrderKey::kCreated:
        view.theirs = FormatTime(theirs.created);
        view.ours = FormatTime(ours.created);
        break;
      case OrderKey::kUid:
        view.theirs = theirs.uid;
        view.ours = ours.uid;
        break;
    }
    return view;
  }

  void ListHolders() {
    const ClusterQueueState& queue = world_.queue(workload_.queue);
    const auto short_pairs = ShortPairs(explanation_.flavors);
    if (short_pairs.empty()) return;
    in_vain_ = LookedAtInVain();
    const QuotaTree& tree = world_.tree_of(queue);
    for (const auto& [flavor, resource] : short_pairs) {
      const FlavorResourceId pair =
          world_.names.Pair(world_.names.Flavor(flavor), world_.names.Resource(resource));
      const Column column = tree.ColumnOf(pair);
      for (NodeIndex n = 0; n < tree.size() && column != kNoColumn; ++n) {
        const QueueId id = tree.node(n).queue;
        if (id.valid()) ListHoldersOf(world_.queue(id), pair, tree.Borrowing(n, column, 0));
      }
    }
    explanation_.holder_count = static_cast<std::int64_t>(holdings_.size());
    for (const bool evictable : {true, false}) {
      for (const Holding& holding : holdings_) {
        if (explanation_.holders.size() == kMaxHolders) return;
        if (holding.evictable == evictable) explanation_.holders.push_back(ViewOfHolding(holding));
      }
    }
  }

  /// A holder of what is short; words are made for those alone that are shown.
  struct Holding {
    const WorkloadRecord* holder = nullptr;
    const ClusterQueueState* queue = nullptr;
    Usage usage;
    bool borrowing = false;
    bool evictable = false;
  };

  HolderView ViewOfHolding(const Holding& holding) const {
    const FlavorResourceId pair = holding.usage.fr;
    return {holding.holder->spec.key,
            holding.queue->name(),
            world_.names.FlavorName(world_.names.FlavorOf(pair)),
            world_.names.ResourceName(world_.names.ResourceOf(pair)),
            holding.usage.amount,
            holding.borrowing,
            holding.evictable};
  }

  /// Who was looked at in vain may be evicted by the rules, but nobody would gain by it.
  std::set<Key> LookedAtInVain() const {
    std::set<Key> keys;
    for (const CandidateTrace& candidate : explanation_.candidates) {
      if (candidate.fate == CandidateTrace::Fate::kNotEnough) keys.insert(candidate.workload);
    }
    return keys;
  }

  void ListHoldersOf(const ClusterQueueState& holder_queue, FlavorResourceId pair, bool borrowing) {
    const ClusterQueueState& queue = world_.queue(workload_.queue);
    const PreemptionRules& rules = queue.spec.preemption;
    const bool own = holder_queue.id == queue.id;
    std::vector<const WorkloadRecord*> holders;
    holder_queue.holders.ForEach([&](const WorkloadRecord& holder) { holders.push_back(&holder); });
    std::sort(holders.begin(), holders.end(),
              [](const WorkloadRecord* a, const WorkloadRecord* b) { return a->id < b->id; });
    for (const WorkloadRecord* holder : holders) {
      for (const Usage& usage : holder->usage) {
        if (usage.fr != pair || usage.amount <= 0) continue;
        const bool allowed =
            own ? PolicyAllows(rules.within_cluster_queue, workload_, *holder)
                : borrowing && PolicyAllows(rules.reclaim_within_cohort, workload_, *holder);
        const bool evictable = allowed && !in_vain_.contains(holder->spec.key);
        holdings_.push_back({holder, &holder_queue, usage, borrowing, evictable});
      }
    }
  }

  static std::string Text(double value) {
    std::ostringstream out;
    out.precision(15);
    out << value;
    return out.str();
  }

  World& world_;
  PolicyTable& policies_;
  WorkloadRecord& workload_;
  Explanation explanation_;
  std::vector<PolicyFailure> failures_;
  Hypothesis hypothesis_;
  std::set<Key> in_vain_;
  std::vector<Holding> holdings_;  ///< by ClusterQueue, then as they came
};

}  // namespace

Result<Explanation> Engine::Explain(const Key& workload) const {
  WorkloadRecord* record = state_->world.FindWorkload(workload);
  if (record == nullptr) {
    return Status(StatusCode::kNotFound, "there is no workload " + workload.ToString());
  }
  return Explainer(state_->world, state_->policies, *record).Explain();
}

}  // namespace muster
