// What `muster policy diff --recorded` prints.
#ifndef MUSTER_BINDINGS_CLI_AUTHOR_RECORDED_DIFF_VIEW_H_
#define MUSTER_BINDINGS_CLI_AUTHOR_RECORDED_DIFF_VIEW_H_

#include <array>
#include <string>

#include "bindings/cli/io.h"
#include "bindings/cli/json.h"
#include "bindings/lab/recorded_diff.h"

namespace muster::cli {

/// `names`: what the user called the two sides.
void PrintRecordedDiff(const lab::RecordedDiff& diff, const std::array<std::string, 2>& names,
                       Io& io);
Json RecordedDiffJson(const lab::RecordedDiff& diff, const std::array<std::string, 2>& names);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_AUTHOR_RECORDED_DIFF_VIEW_H_
