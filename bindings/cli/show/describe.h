// One object at length, in the style of kubectl describe.
#ifndef MUSTER_BINDINGS_CLI_SHOW_DESCRIBE_H_
#define MUSTER_BINDINGS_CLI_SHOW_DESCRIBE_H_

#include <functional>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/cli/kinds.h"
#include "bindings/cli/show/get_items.h"
#include "bindings/lab/events.h"
#include "muster/engine.h"

namespace muster::cli {

using HistoryOf = std::function<lab::History(const Key& workload)>;

/// Describes every object of `kind` that `filter` takes; returns how many there were.
std::size_t Describe(const Engine& engine, Kind kind, const Filter& filter,
                     const HistoryOf& history_of, Io& io);

/// Nominal, used, borrowed, lent and available per flavor and resource.
void PrintQuotas(const std::vector<QuotaView>& quotas, std::string_view indent, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_DESCRIBE_H_
