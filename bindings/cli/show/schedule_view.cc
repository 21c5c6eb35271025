// A cycle that changes nothing is one line; pending workloads stand under the cycle they waited in.
#include "bindings/cli/show/schedule_view.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/show/get_view.h"
#include "bindings/cli/table.h"
#include "bindings/cli/words.h"
#include "bindings/cli/world/read.h"
#include "bindings/cli/world/report.h"

namespace muster::cli {
namespace {

constexpr std::size_t kPendingShown = 10;
constexpr std::size_t kBriefMessage = 80;

/// The message without the podset's name when it is about one podset, or nothing when it is long.
std::string_view Brief(std::string_view message) {
  constexpr std::string_view kPrefix = "couldn't assign flavors to pod set ";
  if (message.starts_with(kPrefix)) message.remove_prefix(message.find(": ") + 2);
  return message.size() <= kBriefMessage ? message : "";
}

std::string Why(const PendingWorkload& pending, bool wide) {
  std::string why(InWords(pending.reason));
  const std::string_view message = wide ? pending.message : Brief(pending.message);
  if (!message.empty()) why += ": " + std::string(message);
  return why;
}

std::string QueueOf(const Engine& engine, const Key& workload) {
  const Result<WorkloadView> view = engine.GetWorkload(workload);
  return view.ok() ? view->cluster_queue : "";
}

std::span<const PendingWorkload> Shown(const CycleOutcome& cycle, bool wide) {
  const std::size_t count = wide ? cycle.pending.size() : kPendingShown;
  return std::span(cycle.pending).first(std::min(count, cycle.pending.size()));
}

Table CycleTable(const CycleOutcome& cycle, const Engine& engine, bool wide) {
  Table table({"DECISION", "WORKLOAD", "CLUSTERQUEUE", "DETAIL"});
  for (const AdmittedWorkload& each : cycle.result.admitted) {
    table.Add({{each.admitted ? "admitted" : "reserved", Tone::kGood},
               each.workload.ToString(),
               each.admission.cluster_queue.str(),
               Assigned(each.admission)});
  }
  for (const PreemptedWorkload& each : cycle.result.preempted) {
    table.Add({{"preempted", Tone::kBad},
               each.workload.ToString(),
               QueueOf(engine, each.workload),
               "for " + each.by.ToString() + ": " + std::string(InWords(each.reason)) + " (" +
                   std::string(ReasonName(each.reason)) + ")"});
  }
  for (const PendingWorkload& each : Shown(cycle, wide)) {
    table.Add({{each.parked ? "parked" : "pending", Tone::kWarning},
               each.workload.ToString(),
               each.cluster_queue,
               Why(each, wide)});
  }
  return table;
}

void PrintCycle(std::size_t number, const CycleOutcome& cycle, const Engine& engine, bool wide,
                Io& io) {
  io.out << io.paint(Tone::kStrong, "Cycle " + std::to_string(number)) << " at "
         << manifest::FormatTime(cycle.result.at);
  if (cycle.result.DecidedNothing()) io.out << ": nobody starts, nobody has to leave";
  io.out << '\n';
  const Table table = CycleTable(cycle, engine, wide);
  if (!table.empty()) table.Print(io.out, io.paint, "  ");
  const std::size_t hidden = cycle.pending.size() - Shown(cycle, wide).size();
  if (hidden > 0) io.out << "  ... and " << hidden << " more waiting (-o wide lists all)\n";
  io.out << '\n';
}

void PrintSummary(const World& world, Io& io) {
  std::size_t admitted = 0;
  std::size_t preempted = 0;
  for (const CycleOutcome& cycle : world.cycles) {
    admitted += cycle.result.admitted.size();
    preempted += cycle.result.preempted.size();
  }
  const std::vector<PendingWorkload> pending = Read(world.engine.Pending());
  std::size_t parked = 0;
  for (const PendingWorkload& each : pending) parked += each.parked ? 1 : 0;
  io.out << io.paint(Tone::kStrong, "Summary") << ": " << Counted(world.cycles.size(), "cycle")
         << ", " << admitted << " admitted, " << preempted << " preempted, " << pending.size()
         << " waiting";
  if (parked > 0) io.out << " (" << parked << " parked until something changes)";
  io.out << '\n';
  if (const std::size_t open = Read(world.engine.Evicting()).size(); open > 0) {
    io.out << Counted(open, "eviction")
           << " still open: that quota stays charged until the pods are gone\n";
  }
  io.out << '\n';
  PrintClusterQueues(Read(world.engine.ClusterQueues()), /*wide=*/false, io);
}

}  // namespace

void PrintSchedule(const World& world, bool wide, Io& io) {
  for (std::size_t i = 0; i < world.cycles.size(); ++i) {
    PrintCycle(i + 1, world.cycles[i], world.engine, wide, io);
  }
  PrintSummary(world, io);
}

void WarnAboutPolicies(const World& world, Io& io) {
  for (std::size_t i = 0; i < world.cycles.size(); ++i) {
    for (const PolicyFailure& failure : world.cycles[i].result.policy_failures) {
      io.Warn("cycle " + std::to_string(i + 1) + ": " + failure.hook + " of policy " +
              failure.policy + " failed for " + failure.cluster_queue +
              ", the built-in rule decided instead: " + failure.message);
    }
  }
}

}  // namespace muster::cli
