// HeldAmounts: what all workloads of an engine hold together, by resource.
//
// Counted is what is charged and what may be charged again without another look at the quota: a
// workload whose queue was deleted, or that is inactive while its pods go. kMostHeld bounds it
// where workloads start and where applied ones say that they hold quota already; so nothing that
// sums up charges - a queue, a cohort, an account - can overflow.
#ifndef MUSTER_ENGINE_STATE_HELD_AMOUNTS_H_
#define MUSTER_ENGINE_STATE_HELD_AMOUNTS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "engine/model/ids.h"
#include "engine/model/limits.h"
#include "engine/model/name_table.h"
#include "muster/object.h"
#include "muster/status.h"

namespace muster {

class HeldAmounts {
 public:
  /// O(1).
  Amount Of(ResourceId resource) const {
    return resource.value < held_.size() ? held_[resource.value] : 0;
  }
  void Add(const FlavorResources& names, std::span<const Usage> usage) {
    for (const Usage& each : usage) At(names.ResourceOf(each.fr)) += each.amount;
  }
  void Remove(const FlavorResources& names, std::span<const Usage> usage) {
    for (const Usage& each : usage) At(names.ResourceOf(each.fr)) -= each.amount;
  }
  /// Adds it if no resource then comes to more than kMostHeld beside what `other` has; else changes
  /// nothing. O(usage).
  bool AddWithin(const FlavorResources& names, std::span<const Usage> usage,
                 const HeldAmounts& other) {
    for (std::size_t i = 0; i < usage.size(); ++i) {
      const ResourceId resource = names.ResourceOf(usage[i].fr);
      Amount& held = At(resource);
      if (usage[i].amount > kMostHeld - other.Of(resource) - held) {
        Remove(names, usage.first(i));
        return false;
      }
      held += usage[i].amount;
    }
    return true;
  }
  /// Equal amounts of every resource. O(resources).
  friend bool operator==(const HeldAmounts& a, const HeldAmounts& b);

 private:
  Amount& At(ResourceId resource) {
    if (resource.value >= held_.size()) held_.resize(resource.value + 1);
    return held_[resource.value];
  }
  std::vector<Amount> held_;  ///< by ResourceId; shorter where the rest is 0
};

struct World;

/// New workloads among `objects` that say that they hold quota, and with which all together would
/// hold more than kMostHeld of a resource. O(objects).
std::vector<Problem> HoldingTooMuch(const World& world, std::span<const Object> objects);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_HELD_AMOUNTS_H_
