// FlavorCures: what would let a workload have a flavor that was tried in vain.
#ifndef MUSTER_ENGINE_CURE_FLAVOR_CURES_H_
#define MUSTER_ENGINE_CURE_FLAVOR_CURES_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/cure/cures.h"
#include "engine/cure/division.h"
#include "engine/cure/limits_in_the_way.h"
#include "engine/state/world.h"
#include "muster/trace.h"

namespace muster {

inline std::size_t GroupOf(const FlavorAttempt& attempt) {
  return static_cast<std::size_t>(attempt.group);
}

/// So much of a flavor should be to be had.
struct QuotaNeed {
  std::string flavor;
  ResourceId resource;
  Amount asked = 0;
};

class FlavorCures {
 public:
  /// All must outlive this; `divisions` are those of the workload.
  FlavorCures(const World& world, const WorkloadRecord& workload,
              const std::vector<Division>& divisions);

  /// Every way to have the flavor of the attempt.
  void Add(const FlavorAttempt& attempt, Cures& cures) const;
  /// "raise borrowingLimit 2 of ClusterQueue a": limits, and quotas where those would not do; of
  /// what is free now, only limits, and empty where those would not do.
  std::string Raise(std::span<const QuotaNeed> needs, Horizon horizon) const;
  /// Of the group that covers the resource; nullopt: it has no such flavor, or none covers it.
  std::optional<FlavorResourceId> PairOf(const std::string& flavor, ResourceId resource) const;

 private:
  const Division& DivisionOf(const FlavorAttempt& attempt) const;
  const SharedDemand& DemandOf(const FlavorAttempt& attempt) const;
  std::size_t PlaceOf(const FlavorAttempt& attempt) const;
  std::vector<std::string> Acceptance(const FlavorAttempt& attempt) const;
  std::string TooLittle(const FlavorAttempt& attempt) const;
  void AddOfRefused(const FlavorAttempt& attempt, Cures& cures) const;
  std::string Limits(const QuotaNeed& need, Horizon horizon) const;

  const World& world_;
  const WorkloadRecord& workload_;
  const ClusterQueueState& queue_;
  const std::vector<Division>& divisions_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CURE_FLAVOR_CURES_H_
