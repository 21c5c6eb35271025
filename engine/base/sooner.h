// The sooner of two times that need not be set.
#ifndef MUSTER_ENGINE_BASE_SOONER_H_
#define MUSTER_ENGINE_BASE_SOONER_H_

#include <algorithm>

#include "muster/types.h"

namespace muster {

/// kNoTime only if neither is set.
inline TimeNs Sooner(TimeNs a, TimeNs b) {
  if (a == kNoTime || b == kNoTime) return a == kNoTime ? b : a;
  return std::min(a, b);
}

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_SOONER_H_
