// Diagnostics on stderr: every mistake with its place, then how many there were.
#ifndef MUSTER_BINDINGS_CLI_WORLD_REPORT_H_
#define MUSTER_BINDINGS_CLI_WORLD_REPORT_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/manifest/manifest.h"

namespace muster::cli {

/// Prints the diagnostics by file (in the order of `sources`), line and column. With errors among
/// them it closes with a line that counts them and says `consequence`, and returns kNo.
int Report(std::vector<manifest::Diagnostic> diagnostics, std::span<const manifest::Source> sources,
           std::string_view consequence, Io& io);

/// Exit code for a Status of the engine: kRefused for damage, I/O and broken invariants, else kNo.
ExitCode ExitCodeFor(const Status& status);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_REPORT_H_
