// The classical order, what a policy puts in its place, and the choice between the orders.
#include "engine/cycle/entry_order.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "engine/cycle/fair_tournament.h"

namespace muster {
namespace {

/// Larger is later in no key: compare with `<`. Last, ClusterQueues compare as their names do; two
/// entries are never of one queue.
auto NativeKey(const Entry& entry, bool by_priority) {
  return std::make_tuple(entry.assignment().borrowing_level,
                         by_priority ? -entry.priority : std::int64_t{0}, entry.timestamp,
                         entry.position);
}

/// As above; a policy's keys replace the native ones.
auto ClassicalKey(const Entry& entry, bool by_priority) {
  std::array<double, MUSTER_MAX_KEYS> scripted = {};
  for (std::size_t i = 0; i < scripted.size(); ++i) scripted[i] = -entry.keys().keys[i];
  auto native = NativeKey(entry, by_priority);
  if (entry.keys().group != 0) native = {0, 0, 0, std::get<3>(native)};
  return std::tuple_cat(std::make_tuple(entry.keys().group, scripted), native);
}

/// Asks the policies for the keys of all entries that are in the order.
void AskKeys(World& world, PolicyCalls& calls, std::vector<Entry>& entries) {
  if (calls.none(Hook::kCycleOrder)) return;
  std::vector<OrderedEntry> asked;
  for (const Entry& entry : entries) {
    if (!entry.nominated) continue;
    asked.push_back({&world.workload(entry.workload), &world.queue(entry.queue),
                     entry.assignment().borrowing_level});
  }
  const std::vector<CycleKeys> keys = AskCycleKeys(calls, asked);
  auto next = keys.begin();
  for (Entry& entry : entries) {
    if (entry.nominated) entry.SetKeys(*next++);
  }
}

bool SortsByPriority(const World& world) {
  return world.catalog.Gate("PrioritySortingWithinCohort", true);
}

/// `key_of` is NativeKey where no policy has a say: shorter keys are quicker to sort.
template <auto key_of>
class ClassicalOrder : public EntryOrder {
 public:
  ClassicalOrder(const World& world, std::vector<Entry>& entries) {
    order_.reserve(entries.size());
    for (Entry& entry : entries) {
      if (entry.nominated) order_.push_back(&entry);
    }
    const bool by_priority = SortsByPriority(world);
    const auto before = [&](const Entry* a, const Entry* b) {
      return key_of(*a, by_priority) < key_of(*b, by_priority);
    };
    // Entries come by name; those of equal jobs are in order already.
    if (!std::is_sorted(order_.begin(), order_.end(), before)) {
      std::sort(order_.begin(), order_.end(), before);
    }
  }
  Entry* Next() override { return next_ < order_.size() ? order_[next_++] : nullptr; }
  std::span<Entry* const> Planned() const override { return order_; }

 private:
  std::vector<Entry*> order_;  ///< no two keys are equal
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<EntryOrder> MakeEntryOrder(World& world, PolicyCalls& calls,
                                           std::vector<Entry>& entries) {
  AskKeys(world, calls, entries);
  if (world.catalog.FairSharing()) return std::make_unique<FairTournament>(world, calls, entries);
  if (calls.none(Hook::kCycleOrder))
    return std::make_unique<ClassicalOrder<NativeKey>>(world, entries);
  return std::make_unique<ClassicalOrder<ClassicalKey>>(world, entries);
}

std::string ClassicalDifference(const World& world, const Entry& a, const Entry& b) {
  const auto key_a = ClassicalKey(a, SortsByPriority(world));
  const auto key_b = ClassicalKey(b, SortsByPriority(world));
  if (std::get<0>(key_a) != std::get<0>(key_b)) return "policy";
  if (std::get<1>(key_a) != std::get<1>(key_b)) return "policy key";
  if (std::get<2>(key_a) != std::get<2>(key_b)) return "borrowing level";
  if (std::get<3>(key_a) != std::get<3>(key_b)) return "priority";
  if (std::get<4>(key_a) != std::get<4>(key_b)) return "queue timestamp";
  return "ClusterQueue name";
}

}  // namespace muster
