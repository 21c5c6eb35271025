// What came of simulations, as tables, JSON and CSV.
#ifndef MUSTER_BINDINGS_CLI_SHOW_SIMULATE_VIEW_H_
#define MUSTER_BINDINGS_CLI_SHOW_SIMULATE_VIEW_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/cli/json.h"
#include "bindings/simulate/figures.h"
#include "bindings/simulate/simulate.h"

namespace muster::cli {

/// One policy's run and its figures.
struct SimulatedPolicy {
  std::string name;
  simulate::Run run;
  simulate::Report report;
  simulate::Change change;  ///< from the first policy; of that itself, nothing
};

struct SimulationHead {
  std::size_t jobs = 0;
  std::map<std::string, std::size_t> left_out;
  std::string resource;
};

void PrintSimulation(const SimulationHead& head, const std::vector<SimulatedPolicy>& policies,
                     Io& io);
Json SimulationJson(const SimulationHead& head, const std::vector<SimulatedPolicy>& policies);
/// One line a policy, queue and class of size, behind a header.
void PrintSimulationCsv(const std::vector<SimulatedPolicy>& policies, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_SIMULATE_VIEW_H_
