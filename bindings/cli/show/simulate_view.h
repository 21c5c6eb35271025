// What came of runs that are compared, as tables, JSON, CSV and a page.
#ifndef MUSTER_BINDINGS_CLI_SHOW_SIMULATE_VIEW_H_
#define MUSTER_BINDINGS_CLI_SHOW_SIMULATE_VIEW_H_

#include <cstddef>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/cli/json.h"
#include "bindings/simulate/difference.h"
#include "bindings/simulate/figures.h"
#include "bindings/simulate/simulate.h"
#include "bindings/simulate/trace.h"

namespace muster::cli {

/// One policy's run and its figures.
struct SimulatedPolicy {
  std::string name;
  simulate::Run run;
  simulate::Report report;
  simulate::Change change;  ///< from the first policy; of that itself, nothing
  std::vector<simulate::Difference> differences;  ///< from it, over variations of the log
};

struct Simulation {
  std::string log;       ///< what was played
  std::string resource;  ///< that sizes count
  TimeNs origin = 0;     ///< of the log
  std::vector<simulate::TraceJob> jobs;
  std::map<std::string, std::size_t> left_out;
  simulate::Habits habits;
  std::vector<SimulatedPolicy> policies;
  std::vector<std::string> notes;  ///< sentences about how far it can be trusted
};

struct SimulationOutput {
  std::string report;            ///< also write a page here; empty: none
  std::string each_job;          ///< also write what became of each job here; empty: do not
  std::string output = "table";  ///< table, json or csv
};

/// Prints it all, and returns an exit code.
int Show(const Simulation& simulation, const SimulationOutput& output, Io& io);

Json SimulationJson(const Simulation& simulation);
/// One line a policy, queue and class of size, behind a header.
void PrintSimulationCsv(const std::vector<SimulatedPolicy>& policies, Io& io);
/// One line a policy and job, behind a header, in the order of the log. Times are seconds since the
/// origin of the log, empty for what never came.
void PrintEachJob(const Simulation& simulation, std::ostream& out);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_SIMULATE_VIEW_H_
