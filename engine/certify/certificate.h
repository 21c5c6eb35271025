// Certificate: what is proven of a search for victims, for an explanation.
//
// That victims are the fewest is proven by sums or by trying all smaller sets; that none can be
// found, by letting all candidates go and naming what is still short. Where all candidates together
// would make room and none was found, each that the search did not take was spared by a rule, for
// it takes all that no rule spares.
#ifndef MUSTER_ENGINE_CERTIFY_CERTIFICATE_H_
#define MUSTER_ENGINE_CERTIFY_CERTIFICATE_H_

#include <cstddef>
#include <vector>

#include "engine/preempt/preemption_search.h"
#include "engine/state/world.h"
#include "muster/views.h"

namespace muster {

/// Holders that are looked at one by one. Of queues with more, sums say the most that they give.
inline constexpr std::size_t kMostCandidatesRead = 1024;

/// `report` and `victims` are of a search for `workload` on the usage as it is now. The world is as
/// before in the end. O(kMostCandidatesRead + queues x priorities x pairs), and FindFewest.
SearchCertificate Certify(World& world, const WorkloadRecord& workload, const SearchReport& report,
                          const std::vector<Victim>& victims);

}  // namespace muster

#endif  // MUSTER_ENGINE_CERTIFY_CERTIFICATE_H_
