// DomainScorer: says which of the domains that pods may go to are wanted more.
//
// It is asked by the placer about domains of one level that have room, never about others, so what
// it says can neither exceed a host nor leave a level that the request names.
#ifndef MUSTER_ENGINE_PLACING_DOMAIN_SCORER_H_
#define MUSTER_ENGINE_PLACING_DOMAIN_SCORER_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace muster {

struct DomainCandidate {
  std::uint32_t domain = 0;
  std::int32_t room = 0;  ///< pods that fit, without regard to what else binds them
};

class DomainScorer {
 public:
  virtual ~DomainScorer() = default;
  /// Finite numbers, one for each of `candidates`, larger first. `scores` are 0 before, which says
  /// that all are alike.
  virtual void Score(std::size_t level, std::span<const DomainCandidate> candidates,
                     std::span<double> scores) = 0;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PLACING_DOMAIN_SCORER_H_
