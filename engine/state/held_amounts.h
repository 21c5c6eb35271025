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
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/name_table.h"
#include "engine/model/limits.h"
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
  /// Whether so much of one of them was held that a workload may have been put aside for it.
  bool Remove(const FlavorResources& names, std::span<const Usage> usage) {
    bool was_near = false;
    for (const Usage& each : usage) {
      Amount& held = At(names.ResourceOf(each.fr));
      was_near |= held > kMostHeld - kMostAsked;
      held -= each.amount;
    }
    return was_near;
  }
  /// Adds it if no resource then comes to more than kMostHeld beside what `other` has; else changes
  /// nothing and returns the first that does. O(usage).
  ResourceId AddWithin(const FlavorResources& names, std::span<const Usage> usage,
                       const HeldAmounts& other) {
    for (std::size_t i = 0; i < usage.size(); ++i) {
      const ResourceId resource = names.ResourceOf(usage[i].fr);
      Amount& held = At(resource);
      if (usage[i].amount > kMostHeld - other.Of(resource) - held) {
        Remove(names, usage.first(i));
        return resource;
      }
      held += usage[i].amount;
    }
    return {};
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

/// Why a workload that fits by quota is put aside: of `resource` no more can be counted.
std::string TooMuchHeld(const FlavorResources& names, ResourceId resource);

/// Of which resource no more can be counted when `usage` is held as well; invalid: of none.
ResourceId BeyondCounting(const World& world, std::span<const Usage> usage);

/// New workloads among `objects` that say that they hold quota, and with which all together would
/// hold more than kMostHeld of a resource. O(objects).
std::vector<Problem> HoldingTooMuch(const World& world, std::span<const Object> objects);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_HELD_AMOUNTS_H_
