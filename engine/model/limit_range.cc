// Folding of LimitRanges; each list of an item is merged by its own rule.
#include "engine/model/limit_range.h"

#include <algorithm>

namespace muster {

void FillMissing(ResourceList& into, const ResourceList& from) {
  into.insert(from.begin(), from.end());
}

LimitRangeItem Summarize(std::span<const LimitRange* const> ranges, LimitRangeType type) {
  LimitRangeItem summary;
  summary.type = type;
  for (const LimitRange* range : ranges) {
    for (const LimitRangeItem& item : range->items) {
      if (item.type != type) continue;
      FillMissing(summary.default_requests, item.default_requests);
      FillMissing(summary.default_limits, item.default_limits);
      for (const auto& [name, bound] : item.min) {
        const auto [entry, added] = summary.min.emplace(name, bound);
        if (!added) entry->second = std::max(entry->second, bound);
      }
      for (const auto& [name, bound] : item.max) {
        const auto [entry, added] = summary.max.emplace(name, bound);
        if (!added) entry->second = std::min(entry->second, bound);
      }
    }
  }
  return summary;
}

}  // namespace muster
