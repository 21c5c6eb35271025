// Consumers and the decisions that are kept for them, as tables and in JSON.
#ifndef MUSTER_BINDINGS_CLI_SHOW_GET_CONSUMERS_H_
#define MUSTER_BINDINGS_CLI_SHOW_GET_CONSUMERS_H_

#include <span>
#include <vector>

#include "bindings/cli/json.h"
#include "bindings/cli/show/get_items.h"
#include "bindings/cli/table.h"

namespace muster::cli {

std::vector<ConsumerView> Consumers(const Engine& engine, const Filter& filter);
Table ConsumersTable(const std::vector<ConsumerView>& consumers);
Json ConsumerItem(const ConsumerView& consumer);

Table DecisionsTable(std::span<const Decision> decisions);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_GET_CONSUMERS_H_
