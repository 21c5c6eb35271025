// Logs are published compressed.
#ifndef MUSTER_BINDINGS_SIMULATE_GUNZIP_H_
#define MUSTER_BINDINGS_SIMULATE_GUNZIP_H_

#include <string>

#include "muster/status.h"

namespace muster::simulate {

/// `text` itself, or what it is compressed from where it is in gzip's format. kInvalidArgument when
/// that is cut off or damaged, or longer than 4 GiB.
Result<std::string> Gunzip(std::string text);

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_SIMULATE_GUNZIP_H_
