// See known_misfits.h.
#include "engine/known/known_misfits.h"

#include <algorithm>
#include <utility>

#include "engine/assign/partial_admission.h"
#include "engine/state/variant_marks.h"

namespace muster {
namespace {

/// Compares looks with what would be read now. Those that are kept of one queue mostly are at the
/// same pair: what is available of it is computed once.
class Reading {
 public:
  Reading(const QuotaTree& tree, NodeIndex node) : tree_(tree), node_(node) {}
  bool IsSame(const QuotaLooks& looks) {
    return std::all_of(looks.begin(), looks.end(), [&](const QuotaLook& look) {
      return look.available == AvailableOf(look.pair) &&
             look.level == tree_.LevelOf(node_, column_, look.demand);
    });
  }

 private:
  Amount AvailableOf(FlavorResourceId pair) {
    const Column column = tree_.ColumnOf(pair);
    if (std::exchange(column_, column) != column) {
      available_ = std::max<Amount>(0, tree_.Available(node_, column));
    }
    return available_;
  }

  const QuotaTree& tree_;
  const NodeIndex node_;
  Column column_ = kNoColumn;
  Amount available_ = 0;  ///< of that column
};

bool CanBeTakenOver(const QuotaLooks& looks, const Assignment& assignment) {
  if (assignment.mode == AssignmentMode::kFit || assignment.places != nullptr) return false;
  return assignment.unplaced.empty() &&
         std::none_of(looks.begin(), looks.end(), [](const QuotaLook& look) { return look.found; });
}

}  // namespace

void KnownMisfits::Begin(const World& world) {
  if (epoch_ != world.catalog_epoch || size_ > std::max(kMost, 2 * world.queues.size())) {
    queues_.clear();
    size_ = 0;
    epoch_ = world.catalog_epoch;
  }
  queues_.resize(world.queues.size());
}

const Assignment* KnownMisfits::Find(const World& world, const ClusterQueueState& queue,
                                     const WorkloadRecord& workload,
                                     PreemptionSearch& search) const {
  const std::vector<Known>& kept = queues_[queue.id.value].known;
  if (kept.empty() || !world.capacity.FollowsFromQuota() || !search.IsNative(queue)) return nullptr;
  if (AllowedFlavors(world, workload)) return nullptr;
  const QuotaTree& tree = world.tree_of(queue);
  Reading reading(tree, queue.node);
  const auto known = std::find_if(kept.begin(), kept.end(), [&](const Known& each) {
    return each.form == workload.form() && reading.IsSame(each.looks);
  });
  if (known == kept.end()) return nullptr;
  for (const QuotaLook& look : known->looks) {
    const Usage demand{look.pair, look.demand};
    if (look.asked && search.Ask(workload, queue, demand).mode != FlavorMode::kNoCandidates) {
      return nullptr;
    }
  }
  const Assignment& assignment = known->assignment;
  if (assignment.mode == AssignmentMode::kPreempt && !known->asked_whole) {
    const PreemptionRequest whole{workload, queue, assignment.usage,
                                  assignment.NeedingPreemption()};
    if (!search.FindVictims(whole).empty()) return nullptr;
  }
  return &assignment;
}

bool KnownMisfits::CameOutBefore(QueueId queue, const Hash128& form, const QuotaLooks& looks) {
  std::uint64_t hash = form.high ^ queue.value;
  for (const QuotaLook& look : looks) {
    hash = (hash ^ static_cast<std::uint64_t>(look.available)) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  if (seen_.empty()) seen_.resize(kSeen);
  return std::exchange(seen_[hash % kSeen], hash) == hash;
}

void KnownMisfits::Remember(const World& world, const ClusterQueueState& queue,
                            const WorkloadRecord& workload, const QuotaLooks& looks,
                            const Assignment& assignment) {
  if (!world.capacity.FollowsFromQuota() || !CanBeTakenOver(looks, assignment)) return;
  if (AllowedFlavors(world, workload) || PartialAdmission(workload.pod_sets).Possible()) return;
  if (!CameOutBefore(queue.id, workload.form(), looks)) return;
  Known known;
  known.form = workload.form();
  known.looks = looks;
  const UsageList& usage = assignment.usage;
  known.asked_whole =
      usage.size() == 1 && std::any_of(looks.begin(), looks.end(), [&](const QuotaLook& look) {
        return look.asked && look.pair == usage[0].fr && look.demand == usage[0].amount;
      });
  known.assignment = assignment;
  known.assignment.why = assignment.Message(world.names, workload);
  OfQueue& kept = queues_[queue.id.value];
  if (kept.known.size() < kMostOfQueue) {
    kept.known.push_back(std::move(known));
    ++size_;
  } else {
    kept.known[kept.next] = std::move(known);
    kept.next = (kept.next + 1) % kMostOfQueue;
  }
}

}  // namespace muster
