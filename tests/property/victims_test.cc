// Victims under fair sharing in random crowded trees: what preemptors find that share their view of
// the tree, one after another, is what each finds alone, traced, and what a search finds that keeps
// nothing and looks at everything in every step. So it is while each takes and charges before the
// next one asks.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/preempt/preemption_search.h"
#include "engine/quota/dominant_share.h"
#include "engine/state/records.h"
#include "tests/property/crowded_heads.h"
#include "tests/property/crowded_tree.h"
#include "tests/property/for_each_world.h"
#include "tests/testing/builders.h"

namespace muster::testing {
namespace {

/// Steps 1 to 4 of the specification, word for word.
class NaiveSearch {
 public:
  NaiveSearch(muster::World& world, const PreemptionRequest& request,
              const std::set<WorkloadId>& gone = {})
      : world_(world),
        request_(request),
        gone_(gone),
        tree_(world.tree_of(request.queue)),
        mark_(world.capacity, request.queue.tree) {}

  std::vector<Victim> Run() {
    const PreemptionRules& rules = request_.queue.spec.preemption;
    for (NodeIndex n = 0; n < tree_.size(); ++n) {
      const QueueId id = tree_.node(n).queue;
      if (!id.valid()) continue;
      const bool own = n == Own();
      if (own || Exceeds(n)) {
        List(world_.queue(id), own ? rules.within_cluster_queue : rules.reclaim_within_cohort);
      }
    }
    world_.capacity.Charge(request_.queue.place(), request_.demand);
    within_nominal_ = !Exceeds(Own());
    const auto strategies = world_.catalog.config.fair_sharing->preemption_strategies;
    std::map<NodeIndex, WorkloadId> again;
    if (Pass([&](NodeIndex queue, WorkloadId candidate) {
          if (queue == Own() || within_nominal_) return true;
          const auto [preemptor, target] = SharesAt(queue);
          bool accepted = CompareShares(preemptor, target) < 0;
          if (strategies.front() == PreemptionStrategy::kLessThanOrEqualToFinalShare) {
            const CapacityMark mark(world_.capacity, request_.queue.tree);
            SimulateRemoval(world_, candidate);
            accepted = CompareShares(preemptor, SharesAt(queue).second) <= 0;
          }
          if (!accepted) again.emplace(queue, candidate);
          return accepted;
        })) {
      return Settle();
    }
    if (strategies.size() < 2) return {};
    lists_.clear();
    for (const auto& [queue, candidate] : again) lists_[queue] = {candidate};
    const bool fits = Pass([&](NodeIndex queue, WorkloadId) {
      const auto [preemptor, target] = SharesAt(queue);
      return CompareShares(preemptor, target) < 0;
    });
    return fits ? Settle() : std::vector<Victim>();
  }

 private:
  NodeIndex Own() const { return request_.queue.node; }
  bool Exceeds(NodeIndex n) const {
    return std::any_of(request_.contested.begin(), request_.contested.end(), [&](auto pair) {
      const QuotaCell& cell = tree_.cell(n, tree_.ColumnOf(pair));
      return cell.usage > cell.subtree;
    });
  }
  void List(const ClusterQueueState& queue, PreemptionPolicy policy) {
    const CandidateOrder order(world_, request_.queue.id, {});
    std::vector<WorkloadId> list;
    queue.holders.ForEach([&](const WorkloadRecord& holder) {
      const bool uses = std::any_of(holder.usage.begin(), holder.usage.end(),
                                    [&](const Usage& u) { return request_.Contests(u.fr); });
      if (gone_.contains(holder.id())) return;
      if (uses && PolicyAllows(policy, request_.preemptor, holder)) list.push_back(holder.id());
    });
    std::sort(list.begin(), list.end(), [&](WorkloadId a, WorkloadId b) {
      return order.Before(world_.workload(a), world_.workload(b));
    });
    if (!list.empty() && queue.active) lists_[queue.node] = std::move(list);
  }
  std::pair<DominantShare, DominantShare> SharesAt(NodeIndex target) const {
    NodeIndex preemptor = Own();
    while (!tree_.IsAncestor(tree_.ParentOf(target), Own())) target = tree_.ParentOf(target);
    while (tree_.ParentOf(preemptor) != tree_.ParentOf(target)) {
      preemptor = tree_.ParentOf(preemptor);
    }
    return {ShareOf(tree_, preemptor), ShareOf(tree_, target)};
  }
  bool HasSome(NodeIndex n) const {
    const bool out = !ShareOf(tree_, n).borrowing && !tree_.IsAncestor(n, Own());
    if (out) return false;
    if (tree_.node(n).queue.valid()) return lists_.contains(n);
    const auto some = [&](NodeIndex child) { return HasSome(child); };
    return std::any_of(tree_.node(n).child_cohorts.begin(), tree_.node(n).child_cohorts.end(),
                       some) ||
           std::any_of(tree_.node(n).child_queues.begin(), tree_.node(n).child_queues.end(), some);
  }
  NodeIndex Next(NodeIndex cohort) const {
    if (!HasSome(cohort)) return kNoNode;
    if (tree_.node(cohort).queue.valid()) return cohort;
    const CandidateOrder order(world_, request_.queue.id, {});
    NodeIndex best = kNoNode;
    for (const NodeIndex queue : tree_.node(cohort).child_queues) {
      if (!HasSome(queue)) continue;
      const int compared =
          best == kNoNode ? 1 : CompareShares(ShareOf(tree_, queue), ShareOf(tree_, best));
      const bool first = compared == 0 && order.Before(world_.workload(lists_.at(queue).front()),
                                                       world_.workload(lists_.at(best).front()));
      if (compared > 0 || first) best = queue;
    }
    for (const NodeIndex child : tree_.node(cohort).child_cohorts) {
      if (!HasSome(child)) continue;
      if (best == kNoNode || CompareShares(ShareOf(tree_, child), ShareOf(tree_, best)) >= 0) {
        best = child;
      }
    }
    return best == kNoNode ? kNoNode : Next(best);
  }
  /// Takes those that `accepts` allows, one by one, until the demand fits.
  template <typename Accepts>
  bool Pass(const Accepts& accepts) {
    for (NodeIndex queue = Next(0); queue != kNoNode; queue = Next(0)) {
      // The queue is asked until it gives one, and then the shares are looked at anew.
      while (lists_.contains(queue)) {
        const WorkloadId candidate = lists_[queue].front();
        lists_[queue].erase(lists_[queue].begin());
        if (lists_[queue].empty()) lists_.erase(queue);
        if (!accepts(queue, candidate)) continue;
        SimulateRemoval(world_, candidate);
        taken_.push_back({candidate, ReasonFor(queue)});
        const CapacityMark mark(world_.capacity, request_.queue.tree);
        world_.capacity.Release(request_.queue.place(), request_.demand);
        if (DemandFits(world_, request_, true)) return true;
        break;
      }
    }
    return false;
  }
  PreemptionReason ReasonFor(NodeIndex queue) const {
    if (queue == Own()) return PreemptionReason::kInClusterQueue;
    return within_nominal_ ? PreemptionReason::kInCohortReclamation
                           : PreemptionReason::kInCohortFairSharing;
  }
  std::vector<Victim> Settle() {
    world_.capacity.Release(request_.queue.place(), request_.demand);
    FillBack(world_, request_, true, taken_);
    return taken_;
  }

  muster::World& world_;
  const PreemptionRequest& request_;
  const std::set<WorkloadId> gone_;
  const QuotaTree& tree_;
  CapacityMark mark_;
  std::map<NodeIndex, std::vector<WorkloadId>> lists_;
  std::vector<Victim> taken_;
  bool within_nominal_ = false;
};

void CheckTree(const std::vector<Object>& objects, Choices& choices, int* found) {
  muster::World world;
  Load(objects, world);
  SearchMemory memory;
  PreemptionSearch sharing(world, {}, nullptr, &memory);
  const std::vector<const WorkloadRecord*> heads = HeadsOf(world);
  for (int round = 0; round < 2; ++round) {
    for (const WorkloadRecord* head : heads) {
      const Asked asked(world, *head, choices);
      const PreemptionRequest request = asked.Request();
      const std::string shared = ShowVictims(world, sharing.FindVictims(request));
      SearchReport report;
      const std::string traced =
          ShowVictims(world, PreemptionSearch(world, {}, nullptr).FindVictims(request, &report));
      const std::string naive = ShowVictims(world, NaiveSearch(world, request).Run());
      EXPECT_EQ(shared, naive) << head->spec.key.name;
      EXPECT_EQ(traced, naive) << head->spec.key.name;
      *found += !naive.empty();
    }
    // A second round over another world: a workload has left, which the memory must see.
    const auto holder = std::find_if(world.workloads.begin(), world.workloads.end(),
                                     [](const auto& workload) { return workload->holds(); });
    if (holder == world.workloads.end()) return;
    (*holder)->active = false;
    SyncQuota(world, **holder);
  }
}

/// Heads in turn, some of them twice: each takes its victims and is charged, or is charged without,
/// or leaves everything as it was.
void CheckClaims(const std::vector<Object>& objects, Choices& choices, int* found) {
  muster::World world;
  Load(objects, world);
  std::deque<CapacityMark> marks;
  for (std::uint32_t tree = 0; tree < world.capacity.trees().size(); ++tree) {
    marks.emplace_back(world.capacity, tree);
  }
  std::map<std::uint32_t, Claims> claims;
  PreemptionSearch sharing(world, {}, nullptr);
  const std::vector<const WorkloadRecord*> heads = HeadsOf(world);
  for (std::size_t turn = 0; turn < 2 * heads.size(); ++turn) {
    const Asked asked(world, *heads[turn % heads.size()], choices);
    const PreemptionRequest request = asked.Request();
    Claims& taken = claims[asked.queue.tree];
    sharing.SetClaims(&taken, true);
    const std::vector<Victim> victims = sharing.FindVictims(request);
    const std::string naive = ShowVictims(world, NaiveSearch(world, request, taken.victims).Run());
    EXPECT_EQ(ShowVictims(world, victims), naive) << asked.head.spec.key.name << ", turn " << turn;
    PreemptionSearch alone(world, {}, nullptr);
    alone.SetClaims(&taken, false);
    SearchReport report;
    EXPECT_EQ(ShowVictims(world, alone.FindVictims(request, &report)), naive);
    *found += !victims.empty() && !taken.victims.empty();
    if (choices.OneIn(3)) continue;
    Take(world, asked, victims, taken);
  }
}

void CheckAllClaims(int count, Seeds seeds) {
  int found = 0;
  ForEach(MakeCrowdedTree, count, seeds, [&](const std::vector<Object>& objects, Choices& choices) {
    CheckClaims(objects, choices, &found);
  });
  if (std::getenv("MUSTER_SEED") == nullptr) {
    EXPECT_GT(found, count / 4);
  }
}

void CheckTrees(int count, Seeds seeds) {
  int found = 0;
  ForEach(MakeCrowdedTree, count, seeds, [&](const std::vector<Object>& objects, Choices& choices) {
    CheckTree(objects, choices, &found);
  });
  if (std::getenv("MUSTER_SEED") == nullptr) {
    EXPECT_GT(found, count / 2);
  }
}

TEST(Victims, AreThoseOfTheNaiveSearchWhateverIsShared) { CheckTrees(1000, Seeds::kFixed); }
TEST(LongVictims, AreThoseOfTheNaiveSearchWhateverIsShared) { CheckTrees(6'000, Seeds::kFresh); }
TEST(NightVictims, AreThoseOfTheNaiveSearchWhateverIsShared) { CheckTrees(25'000, Seeds::kFresh); }
TEST(Victims, AreThoseOfTheNaiveSearchAfterEveryClaim) { CheckAllClaims(1000, Seeds::kFixed); }
TEST(LongVictims, AreThoseOfTheNaiveSearchAfterEveryClaim) {
  CheckAllClaims(6'000, Seeds::kFresh);
}
TEST(NightVictims, AreThoseOfTheNaiveSearchAfterEveryClaim) {
  CheckAllClaims(25'000, Seeds::kFresh);
}

}  // namespace
}  // namespace muster::testing
