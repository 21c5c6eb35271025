// Ages as kubectl writes them.
#ifndef MUSTER_BINDINGS_CLI_SHOW_AGE_H_
#define MUSTER_BINDINGS_CLI_SHOW_AGE_H_

#include <string>

#include "muster/types.h"

namespace muster::cli {

/// "45s", "9m8s", "12m", "3h20m", "30h", "3d4h", "100d": coarser with age. What lies ahead is "0s".
std::string AgeOf(DurationNs age);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_AGE_H_
