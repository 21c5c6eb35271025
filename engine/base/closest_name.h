// What a name that does not exist may have been meant to be.
#ifndef MUSTER_ENGINE_BASE_CLOSEST_NAME_H_
#define MUSTER_ENGINE_BASE_CLOSEST_NAME_H_

#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// The name of `known` that is nearest to `wanted`: at most a third of its letters differ, or two
/// of a short one. Of two that are as near, the first; empty when none is near.
/// O(known x letters^2).
std::string ClosestName(std::string_view wanted, const std::vector<std::string>& known);

/// "did you mean 'x'?", or "there are a, b", or "there are none".
std::string ClosestNameHint(std::string_view wanted, const std::vector<std::string>& known);

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_CLOSEST_NAME_H_
