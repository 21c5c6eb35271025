// Durations as text; the other time functions are in manifest.h.
#ifndef MUSTER_BINDINGS_MANIFEST_TIME_H_
#define MUSTER_BINDINGS_MANIFEST_TIME_H_

#include <string>

#include "bindings/manifest/manifest.h"

namespace muster::manifest {

/// "1h30m", "0.25s", "0s"; ParseDuration reads it back exactly.
std::string FormatDuration(DurationNs duration);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_TIME_H_
