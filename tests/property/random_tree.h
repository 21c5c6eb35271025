// The still part of a random world: cohorts and queues with their quotas and rules.
#ifndef MUSTER_TESTS_PROPERTY_RANDOM_TREE_H_
#define MUSTER_TESTS_PROPERTY_RANDOM_TREE_H_

#include <string>
#include <vector>

#include "tests/property/random_world.h"

namespace muster::testing {

inline constexpr const char* kNamespace = "default";
inline constexpr const char* kCpu = "cpu";
inline constexpr const char* kGpu = "nvidia.com/gpu";

enum class Profile {
  kBroad,  ///< several flavors, resources and trees, every rule
  kDeep,   ///< one tree of several levels over one flavor, where queues reclaim from each other
};

/// `prefix` and `i`, one word.
inline std::string Number(const char* prefix, int i) { return prefix + std::to_string(i); }

/// 0 to `most` units of `resource`, of cpu now and then a half.
Quantity DrawAmount(Choices& choices, const std::string& resource, int most);

/// New preemption rules, fungibility and strategy for `queue`; it selects every namespace.
void DrawRules(Choices& choices, Profile profile, ClusterQueue& queue);

/// Adds cohorts, ClusterQueues and a LocalQueue of the same name for each to `world`.
std::vector<ClusterQueue> AddTree(Choices& choices, Profile profile,
                                  const std::vector<std::string>& flavors, World& world);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_PROPERTY_RANDOM_TREE_H_
