// What a change would make of the jobs, as a table or JSON.
#ifndef MUSTER_BINDINGS_CLI_SHOW_WHAT_IF_VIEW_H_
#define MUSTER_BINDINGS_CLI_SHOW_WHAT_IF_VIEW_H_

#include "bindings/cli/io.h"
#include "bindings/cli/json.h"
#include "bindings/lab/what_if.h"

namespace muster::cli {

/// The table; `quiet`: only how many fare differently.
void PrintWhatIf(const lab::WhatIf& what_if, bool quiet, Io& io);
/// [{"workload", "change", "clusterQueue", "detail"}, ...]
Json WhatIfJson(const lab::WhatIf& what_if);
/// {"changes": [...], "different", "same"}: the answer of what-if at every door.
Json WhatIfAnswerJson(const lab::WhatIf& what_if);
/// Warns of a course that did not come to rest and of hooks that failed.
void WarnOfCourses(const lab::Course& without, const lab::Course& with, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_WHAT_IF_VIEW_H_
