// PodNeeds: what one pod takes of a host, by the forest's own numbers of resources.
#ifndef MUSTER_ENGINE_TOPOLOGY_POD_NEEDS_H_
#define MUSTER_ENGINE_TOPOLOGY_POD_NEEDS_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "muster/types.h"

namespace muster {

/// The resource that every pod takes one of.
inline constexpr std::string_view kPodsResource = "pods";

struct HostAmount {
  std::uint32_t resource = 0;  ///< see ResourceNumbers
  Amount amount = 0;
  bool operator==(const HostAmount&) const = default;
};

struct PodNeeds {
  std::vector<HostAmount> amounts;  ///< above 0, the pod itself included, ascending by resource
  bool names_any = false;           ///< its containers name a resource, if only with amount 0
  bool operator==(const PodNeeds&) const = default;
};

/// Numbers of resource names; 0 is `pods`. They never change.
class ResourceNumbers {
 public:
  ResourceNumbers() { numbers_.emplace(kPodsResource, 0); }
  std::uint32_t Of(std::string_view name) {
    const auto it = numbers_.find(name);
    if (it != numbers_.end()) return it->second;
    return numbers_.emplace(name, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  std::size_t size() const { return numbers_.size(); }
  const std::map<std::string, std::uint32_t, std::less<>>& all() const { return numbers_; }

 private:
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

/// How many such pods `free` has room for, `free` being by number; what it has no number for is 0.
/// O(amounts).
inline std::int32_t PodsIn(std::span<const Amount> free, const PodNeeds& needs) {
  Amount most = std::numeric_limits<std::int32_t>::max();
  for (const HostAmount& need : needs.amounts) {
    const Amount left = need.resource < free.size() ? free[need.resource] : 0;
    if (left < need.amount) return 0;
    // Division costs more than all else here, and mostly one resource is the scarce one.
    Amount enough = 0;
    const bool too_many = __builtin_mul_overflow(most, need.amount, &enough);
    if (too_many || left < enough) most = need.amount == 1 ? left : left / need.amount;
  }
  return static_cast<std::int32_t>(most);
}

}  // namespace muster

#endif  // MUSTER_ENGINE_TOPOLOGY_POD_NEEDS_H_
