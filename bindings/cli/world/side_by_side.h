// Long runs beside each other, as many at once as the machine has processors, with one line that
// says how far they are. The first interrupt ends them all early.
#ifndef MUSTER_BINDINGS_CLI_WORLD_SIDE_BY_SIDE_H_
#define MUSTER_BINDINGS_CLI_WORLD_SIDE_BY_SIDE_H_

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "bindings/cli/io.h"
#include "muster/status.h"

namespace muster::cli {

/// Told how much of a run is done; false: it is to end with what there is.
using KeepOn = std::function<bool(std::size_t done)>;
/// One run. Called on a thread of its own; it must touch nothing that another run does.
using SideRun = std::function<Status(const KeepOn& keep_on)>;

/// Runs all of them to their end, and gives what each came to; what one throws as Caught.
/// kUnavailable of each when the system gives no thread. `steps` is what all of them have to
/// do together, counted in `unit`s.
std::vector<Status> RunSideBySide(const std::vector<SideRun>& runs, std::size_t steps,
                                  std::string_view unit, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_SIDE_BY_SIDE_H_
