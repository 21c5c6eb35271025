// Claims: what the entries of a cycle have taken of one tree and charged to it, for the searches of
// the entries after them.
#ifndef MUSTER_ENGINE_PREEMPT_CLAIMS_H_
#define MUSTER_ENGINE_PREEMPT_CLAIMS_H_

#include <set>
#include <vector>

#include "engine/base/ids.h"
#include "engine/quota/quota_tree.h"

namespace muster {

struct Claims {
  std::set<WorkloadId> victims;    ///< of earlier entries: no candidates any more
  std::vector<NodeIndex> changed;  ///< queues of victims, and queues charged since; in turn
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_CLAIMS_H_
