// The fewest holders of quota whose leaving makes room for a demand, as far as quota goes.
//
// Method: no number can do for which some limit would stay short though as many left as gain it
// most. From the least other number up, sets of each size are tried, the largest gains first; one
// is left alone as soon as what may still be added cannot make good what is missing. Holders of one
// queue that use the same are tried once. Tried is a fixed number of times and not for a time, so
// that the answer is always the same.
#ifndef MUSTER_ENGINE_CERTIFY_FEWEST_H_
#define MUSTER_ENGINE_CERTIFY_FEWEST_H_

#include <cstddef>
#include <vector>

#include "engine/certify/quota_limits.h"
#include "engine/quota/quota_tree.h"
#include "engine/state/workload_record.h"

namespace muster {

/// One that may leave, or many that were not looked at.
struct Leaver {
  const WorkloadRecord* holder = nullptr;  ///< null: all candidates of a queue, at their most
  NodeIndex queue = kNoNode;
  std::vector<Usage> usage;
};

struct Fewest {
  std::size_t number = 0;  ///< no set of fewer makes room
  /// Holders, `number` of them, that would make room; empty: none is known.
  std::vector<const WorkloadRecord*> set;
};

/// How many sets are tried, begun ones too.
inline constexpr int kMostSetsTried = 1000;

/// At most `most`, of which it is known that it is enough: then nothing is tried. `limits` are of
/// the tree, which is as before in the end. Precondition: some are short.
/// O(limits x leavers log leavers + kMostSetsTried x (limits x depth)).
Fewest FindFewest(QuotaTree& tree, const QuotaLimits& limits, const std::vector<Leaver>& leavers,
                  std::size_t most);

}  // namespace muster

#endif  // MUSTER_ENGINE_CERTIFY_FEWEST_H_
