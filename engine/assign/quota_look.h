// QuotaLook: what the flavor walk read of quota for one pair. Beside what the pods ask for and what
// the queue offers, its answer follows from these, and from whether victims are found.
#ifndef MUSTER_ENGINE_ASSIGN_QUOTA_LOOK_H_
#define MUSTER_ENGINE_ASSIGN_QUOTA_LOOK_H_

#include "engine/base/small_vector.h"
#include "engine/quota/quota_tree.h"

namespace muster {

struct QuotaLook {
  FlavorResourceId pair;
  Amount demand = 0;     ///< beside what other podsets were given already
  Amount available = 0;  ///< not below 0
  BorrowingLevel level;  ///< with the demand
  bool asked = false;    ///< victims were looked for
  bool found = false;    ///< and found
};
using QuotaLooks = SmallVector<QuotaLook, 2>;

}  // namespace muster

#endif  // MUSTER_ENGINE_ASSIGN_QUOTA_LOOK_H_
