// The classical order, and the choice between the two.
#include "engine/cycle/entry_order.h"

#include <algorithm>
#include <tuple>

#include "engine/cycle/fair_tournament.h"

namespace muster {
namespace {

/// Larger is later in no key: compare with `<`.
auto ClassicalKey(const World& world, const Entry& entry) {
  const WorkloadRecord& workload = world.workload(entry.workload);
  const bool by_priority = world.catalog.Gate("PrioritySortingWithinCohort", true);
  return std::make_tuple(entry.assignment.borrowing_level, by_priority ? -workload.priority() : 0,
                         workload.key.timestamp, std::string_view(world.queue(entry.queue).name()),
                         std::string_view(workload.uid()));
}

class ClassicalOrder : public EntryOrder {
 public:
  ClassicalOrder(const World& world, std::vector<Entry>& entries) {
    for (Entry& entry : entries) {
      if (entry.nominated) order_.push_back(&entry);
    }
    std::sort(order_.begin(), order_.end(), [&](const Entry* a, const Entry* b) {
      return ClassicalKey(world, *a) < ClassicalKey(world, *b);
    });
  }
  Entry* Next() override { return next_ < order_.size() ? order_[next_++] : nullptr; }

 private:
  std::vector<Entry*> order_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<EntryOrder> MakeEntryOrder(World& world, std::vector<Entry>& entries) {
  if (world.catalog.FairSharing()) return std::make_unique<FairTournament>(world, entries);
  return std::make_unique<ClassicalOrder>(world, entries);
}

std::string ClassicalDifference(const World& world, const Entry& a, const Entry& b) {
  const auto key_a = ClassicalKey(world, a);
  const auto key_b = ClassicalKey(world, b);
  if (std::get<0>(key_a) != std::get<0>(key_b)) return "borrowing level";
  if (std::get<1>(key_a) != std::get<1>(key_b)) return "priority";
  if (std::get<2>(key_a) != std::get<2>(key_b)) return "queue timestamp";
  if (std::get<3>(key_a) != std::get<3>(key_b)) return "ClusterQueue name";
  return "uid";
}

}  // namespace muster
