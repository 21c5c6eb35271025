// Nodes, topologies and the places of a workload's pods, for people.
#ifndef MUSTER_BINDINGS_CLI_SHOW_DESCRIBE_PLACES_H_
#define MUSTER_BINDINGS_CLI_SHOW_DESCRIBE_PLACES_H_

#include <string_view>

#include "bindings/cli/io.h"
#include "muster/engine.h"

namespace muster::cli {

/// Nothing where the list does not name it.
Quantity AmountIn(const ResourceList& list, std::string_view resource);

/// Labels, taints, what it has and gives, and what stands there.
void DescribeNode(const Engine& engine, const Node& node, Io& io);

/// The tree of domains, with what is free in each and a sign for each leaf.
void DescribeTopology(const Engine& engine, const Topology& topology, Io& io);

/// "Places": where the pods of each podset stand; nothing for one without a topology.
void PrintPlaces(const Engine& engine, const Workload& workload, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_DESCRIBE_PLACES_H_
