// Words of what is said of jobs before it is known what an engine has of them: see Settle in
// manifest.h.
#ifndef MUSTER_BINDINGS_MANIFEST_SETTLE_H_
#define MUSTER_BINDINGS_MANIFEST_SETTLE_H_

#include <string_view>

namespace muster::manifest {

/// What the warning of an object without pods advises. It is taken back where the engine has
/// workloads of it, which are then held back.
inline constexpr std::string_view kScaleItUp = "scale it up when it is to be queued";
/// What the warning of a group that waits advises. It is taken back where the engine has the
/// others.
inline constexpr std::string_view kGiveTheOthers = "give the others, too, in these files or later";

/// Of a pod of a group with fast admission that is not like its others.
inline constexpr std::string_view kOtherRole =
    "asks for other than the pods of its group, whose quota is for pods that are all alike";
inline constexpr std::string_view kOtherRoleCure =
    "write its requests, node selector and tolerations as theirs, or give it a group of its own";

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_SETTLE_H_
