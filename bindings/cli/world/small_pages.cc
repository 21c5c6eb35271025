#include "bindings/cli/world/small_pages.h"

#include <sys/prctl.h>

namespace muster::cli {
namespace {

// A system that knows no such request leaves the pages as they are, which costs time alone.
void ForbidLarge(bool forbid) { prctl(PR_SET_THP_DISABLE, forbid ? 1UL : 0UL, 0UL, 0UL, 0UL); }

}  // namespace

SmallPages::SmallPages() : before_(prctl(PR_GET_THP_DISABLE, 0UL, 0UL, 0UL, 0UL) == 1) {
  ForbidLarge(true);
}

SmallPages::~SmallPages() { ForbidLarge(before_); }

}  // namespace muster::cli
