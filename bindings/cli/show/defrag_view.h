// A plan of moves, as a table with the commands that would carry it out, or JSON.
#ifndef MUSTER_BINDINGS_CLI_SHOW_DEFRAG_VIEW_H_
#define MUSTER_BINDINGS_CLI_SHOW_DEFRAG_VIEW_H_

#include "bindings/cli/io.h"
#include "bindings/cli/json.h"
#include "bindings/defrag/defrag.h"

namespace muster::cli {

void PrintPlan(const defrag::Plan& plan, std::int32_t wanted, Io& io);
/// As components/schemas/Defrag of the service's openapi.yaml says.
Json PlanJson(const defrag::Plan& plan);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_DEFRAG_VIEW_H_
