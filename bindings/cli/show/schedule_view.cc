// A cycle that changes nothing is one line; pending workloads stand under the cycle they waited in.
#include "bindings/cli/show/schedule_view.h"

#include <string>
#include <vector>

#include "bindings/cli/show/get_view.h"
#include "bindings/cli/table.h"
#include "bindings/cli/words.h"
#include "bindings/cli/world/report.h"

namespace muster::cli {
namespace {

constexpr std::size_t kPendingShown = 10;

std::string Why(const PendingWorkload& pending) {
  std::string why(InWords(pending.reason));
  if (!pending.message.empty()) why += ": " + pending.message;
  return why;
}

std::string QueueOf(const Engine& engine, const Key& workload) {
  const Result<WorkloadView> view = engine.GetWorkload(workload);
  return view.ok() ? view->cluster_queue : "";
}

Table CycleTable(const CycleOutcome& cycle, const Engine& engine, std::size_t pending_shown) {
  Table table({"DECISION", "WORKLOAD", "CLUSTERQUEUE", "DETAIL"});
  for (const AdmittedWorkload& each : cycle.result.admitted) {
    table.Add({{each.admitted ? "admitted" : "reserved", Tone::kGood},
               each.workload.ToString(),
               each.admission.cluster_queue,
               Assigned(each.admission)});
  }
  for (const PreemptedWorkload& each : cycle.result.preempted) {
    table.Add({{"preempted", Tone::kBad},
               each.workload.ToString(),
               QueueOf(engine, each.workload),
               "for " + each.by.ToString() + ": " + std::string(InWords(each.reason)) + " (" +
                   std::string(ReasonName(each.reason)) + ")"});
  }
  for (std::size_t i = 0; i < cycle.pending.size() && i < pending_shown; ++i) {
    const PendingWorkload& each = cycle.pending[i];
    table.Add({{each.parked ? "parked" : "pending", Tone::kWarning},
               each.workload.ToString(),
               each.cluster_queue,
               Why(each)});
  }
  return table;
}

void PrintCycle(const CycleOutcome& cycle, const Engine& engine, bool all, Io& io) {
  io.out << io.paint(Tone::kStrong, "Cycle " + std::to_string(cycle.result.cycle)) << " at "
         << manifest::FormatTime(cycle.result.at);
  if (cycle.result.idle()) io.out << ": nobody starts, nobody has to leave";
  io.out << '\n';
  const std::size_t shown = all ? cycle.pending.size() : kPendingShown;
  const Table table = CycleTable(cycle, engine, shown);
  if (!table.empty()) table.Print(io.out, io.paint, "  ");
  if (cycle.pending.size() > shown) {
    io.out << "  ... and " << cycle.pending.size() - shown << " more waiting (-o wide lists all)\n";
  }
  io.out << '\n';
}

void PrintSummary(const World& world, Io& io) {
  std::size_t admitted = 0;
  std::size_t preempted = 0;
  for (const CycleOutcome& cycle : world.cycles) {
    admitted += cycle.result.admitted.size();
    preempted += cycle.result.preempted.size();
  }
  const std::vector<PendingWorkload> pending = world.engine.Pending();
  std::size_t parked = 0;
  for (const PendingWorkload& each : pending) parked += each.parked ? 1 : 0;
  io.out << io.paint(Tone::kStrong, "Summary") << ": " << Counted(world.cycles.size(), "cycle")
         << ", " << admitted << " admitted, " << preempted << " preempted, " << pending.size()
         << " waiting";
  if (parked > 0) io.out << " (" << parked << " parked until something changes)";
  io.out << '\n';
  if (const std::size_t open = world.engine.Evicting().size(); open > 0) {
    io.out << Counted(open, "eviction")
           << " still open: that quota stays charged until the pods are gone\n";
  }
  io.out << '\n';
  PrintClusterQueues(world.engine.ClusterQueues(), /*wide=*/false, io);
}

}  // namespace

void PrintSchedule(const World& world, bool all, Io& io) {
  for (const CycleOutcome& cycle : world.cycles) PrintCycle(cycle, world.engine, all, io);
  PrintSummary(world, io);
}

void WarnAboutPolicies(const World& world, Io& io) {
  for (const CycleOutcome& cycle : world.cycles) {
    for (const PolicyFailure& failure : cycle.result.policy_failures) {
      io.Warn("cycle " + std::to_string(cycle.result.cycle) + ": " + failure.hook + " of policy " +
              failure.policy + " failed for " + failure.cluster_queue +
              ", the built-in rule decided instead: " + failure.message);
    }
  }
}

}  // namespace muster::cli
