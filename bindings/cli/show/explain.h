// Why a workload waits, as text and as JSON.
#ifndef MUSTER_BINDINGS_CLI_SHOW_EXPLAIN_H_
#define MUSTER_BINDINGS_CLI_SHOW_EXPLAIN_H_

#include <vector>

#include "bindings/cli/io.h"
#include "bindings/cli/json.h"
#include "bindings/cli/show/reclaim.h"
#include "muster/trace.h"
#include "muster/views.h"

namespace muster::cli {

/// The answer of the engine, and what could evict the workload if it runs.
struct Answer {
  Explanation explanation;
  std::vector<Reclaimer> reclaimers;
};

void PrintAnswer(const Answer& answer, Io& io);
Json AnswerJson(const Answer& answer);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_EXPLAIN_H_
