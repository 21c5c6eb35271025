// The report of a candidate that was compared with what decided.
#ifndef MUSTER_BINDINGS_CLI_SHOW_SHADOW_VIEW_H_
#define MUSTER_BINDINGS_CLI_SHOW_SHADOW_VIEW_H_

#include "bindings/cli/io.h"
#include "bindings/cli/json.h"
#include "muster/views.h"

namespace muster::cli {

void PrintShadow(const ShadowReport& report, Io& io);
Json ShadowJson(const ShadowReport& report);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_SHADOW_VIEW_H_
