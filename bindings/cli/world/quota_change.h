// A quota as people change it in one word: "team-a-cq/gpu-flavor/nvidia.com/gpu=+2".
#ifndef MUSTER_BINDINGS_CLI_WORLD_QUOTA_CHANGE_H_
#define MUSTER_BINDINGS_CLI_WORLD_QUOTA_CHANGE_H_

#include <string_view>

#include "muster/engine.h"
#include "muster/spec.h"

namespace muster::cli {

/// The ClusterQueue with another nominalQuota: QUEUE/FLAVOR/RESOURCE=N, or =+N and =-N for more and
/// less than it has. kInvalidArgument for a word that is none, kNotFound for a name that the
/// engine does not have, kFailedPrecondition for less than nothing; with what to write instead.
Result<ClusterQueue> WithQuota(const Engine& engine, std::string_view word);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_QUOTA_CHANGE_H_
