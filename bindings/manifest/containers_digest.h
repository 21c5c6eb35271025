// What containers are beside what they ask for, as a digest: Kueue compares them whole, and a
// workload keeps of them names and amounts alone.
#ifndef MUSTER_BINDINGS_MANIFEST_CONTAINERS_DIGEST_H_
#define MUSTER_BINDINGS_MANIFEST_CONTAINERS_DIGEST_H_

#include <span>
#include <string>
#include <string_view>

#include "bindings/objects/kind.h"

namespace muster::manifest {

/// On a workload that was made of an object: "PODSET=DIGEST", with commas between, of those podsets
/// whose containers have more than a name and amounts.
inline constexpr std::string_view kContainersAnnotation = "muster.dev/containers";

/// Its text; empty: there is nothing to tell. What an API server fills in makes no difference, nor
/// the volume of credentials that it mounts into pods. O(bytes of the containers).
std::string ContainersDigest(std::span<const objects::JobPodSet> sets);

/// The first podset of which both texts tell, and not the same; empty: none. What was submitted to
/// an earlier version tells nothing.
std::string OtherContainers(std::string_view before, std::string_view after);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_CONTAINERS_DIGEST_H_
