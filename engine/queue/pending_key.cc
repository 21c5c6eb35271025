// The comparator of the pending heap.
#include "engine/queue/pending_key.h"

#include "engine/base/check.h"

namespace muster {

std::string_view OrderKeyName(OrderKey key) {
  switch (key) {
    case OrderKey::kSticky:
      return "sticky preemptor";
    case OrderKey::kPolicyKeys:
      return "policy key";
    case OrderKey::kPriority:
      return "priority";
    case OrderKey::kTimestamp:
      return "queue timestamp";
    case OrderKey::kCreated:
      return "creation time";
    case OrderKey::kUid:
      return "uid";
  }
  return "";
}

OrderDifference Compare(const PendingKey& a, const PendingKey& b) {
  if (a.sticky != b.sticky) return {a.sticky, OrderKey::kSticky};
  if (a.scripted && b.scripted) {
    for (std::size_t i = 0; i < a.keys.size(); ++i) {
      if (a.keys[i] != b.keys[i]) return {a.keys[i] > b.keys[i], OrderKey::kPolicyKeys};
    }
    if (a.created != b.created) return {a.created < b.created, OrderKey::kCreated};
  } else {
    const std::int64_t priority_a = a.effective_priority();
    const std::int64_t priority_b = b.effective_priority();
    if (priority_a != priority_b) return {priority_a > priority_b, OrderKey::kPriority};
    if (a.timestamp != b.timestamp) return {a.timestamp < b.timestamp, OrderKey::kTimestamp};
  }
  if (const auto uids = a.uid <=> b.uid; uids != 0) return {uids < 0, OrderKey::kUid};
  MUSTER_CHECK((&a == &b || a.workload != b.workload) && "I9 total order");
  return {a.workload < b.workload, OrderKey::kUid};
}

}  // namespace muster
