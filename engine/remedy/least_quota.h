// LeastQuota: how high one quota or limit would have to be for a ClusterQueue to have an amount.
//
// Method: a change in the quotas of a node is seen from a queue below it along one path alone. The
// cells of that path are copied and worked out anew for a value, by the formulas of
// engine/README.md. What the queue may use grows with the value, so that the least is found by
// doubling and halving.
#ifndef MUSTER_ENGINE_REMEDY_LEAST_QUOTA_H_
#define MUSTER_ENGINE_REMEDY_LEAST_QUOTA_H_

#include <optional>

#include "engine/quota/quota_tree.h"
#include "muster/views.h"

namespace muster {

/// The value in that field of `node`, which is `queue` or above it, above the one there is, with
/// which `queue` could use `asked` beside all that runs, and with one less not. nullopt: none; also
/// where there is no such limit. O(depth x bits of an amount).
std::optional<Amount> LeastQuota(const QuotaTree& tree, NodeIndex queue, Column column,
                                 Amount asked, NodeIndex node, QuotaField field);

}  // namespace muster

#endif  // MUSTER_ENGINE_REMEDY_LEAST_QUOTA_H_
