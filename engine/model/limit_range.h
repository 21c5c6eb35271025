// LimitRanges of one namespace folded into one: the tightest bounds, the first defaults.
#ifndef MUSTER_ENGINE_MODEL_LIMIT_RANGE_H_
#define MUSTER_ENGINE_MODEL_LIMIT_RANGE_H_

#include <span>

#include "muster/spec.h"

namespace muster {

/// All items of `type` as one: lowest max, highest min, and of the defaults the first found. Empty
/// when there is none. A maximum limit-to-request ratio is not enforced, as in Kueue.
LimitRangeItem Summarize(std::span<const LimitRange* const> ranges, LimitRangeType type);

/// Copies what `into` lacks from `from`.
void FillMissing(ResourceList& into, const ResourceList& from);

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_LIMIT_RANGE_H_
