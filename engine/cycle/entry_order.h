// EntryOrder: in which order a cycle processes its entries.
//
// Classical: lower borrowing level, higher priority, earlier queue-order timestamp; sorted once.
// Fair sharing: a tournament up each cohort tree on the shares as they are now, repeated for every
// entry, because processing one changes the shares of the others.
#ifndef MUSTER_ENGINE_CYCLE_ENTRY_ORDER_H_
#define MUSTER_ENGINE_CYCLE_ENTRY_ORDER_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/cycle/entry.h"
#include "engine/policy/policy_calls.h"
#include "engine/state/world.h"

namespace muster {

class EntryOrder {
 public:
  virtual ~EntryOrder() = default;
  /// The next entry to process, null at the end.
  virtual Entry* Next() = 0;
  /// All of them in that order; empty where it depends on what becomes of each.
  virtual std::span<Entry* const> Planned() const { return {}; }
};

/// The order that the configuration and the policies ask for. `entries` must outlive it.
std::unique_ptr<EntryOrder> MakeEntryOrder(World& world, PolicyCalls& calls,
                                           std::vector<Entry>& entries);

/// First key in which `a` goes before `b` classically: "borrowing level", "priority", ...
std::string ClassicalDifference(const World& world, const Entry& a, const Entry& b);

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_ENTRY_ORDER_H_
