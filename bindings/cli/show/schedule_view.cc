// A cycle that changes nothing is one line; pending workloads stand under the cycle they waited in.
#include "bindings/cli/show/schedule_view.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/show/get_view.h"
#include "bindings/cli/show/shadow_view.h"
#include "bindings/cli/table.h"
#include "bindings/cli/world/policy_words.h"
#include "bindings/cli/world/report.h"
#include "bindings/lab/contract.h"
#include "bindings/lab/read.h"
#include "bindings/lab/words.h"

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
  std::string why = lab::WhyItWaits(pending);
  const std::string_view message = wide ? pending.message : Brief(pending.message);
  const bool told = pending.reason == PendingReason::kOnHold || !pending.closed.empty();
  if (!message.empty() && !told) why += ": " + std::string(message);
  return why;
}

std::string QueueOf(const Engine& engine, const Key& workload) {
  const Result<WorkloadView> view = engine.GetWorkload(workload);
  return view.ok() ? view->cluster_queue : "";
}

std::span<const PendingWorkload> Shown(const lab::CycleOutcome& cycle, bool wide) {
  const std::size_t count = wide ? cycle.pending.size() : kPendingShown;
  return std::span(cycle.pending).first(std::min(count, cycle.pending.size()));
}

Table CycleTable(const lab::CycleOutcome& cycle, const Engine& engine, bool wide) {
  Table table({"DECISION", "WORKLOAD", "CLUSTERQUEUE", "DETAIL"});
  for (const AdmittedWorkload& each : cycle.result.admitted) {
    table.Add({{each.admitted ? "admitted" : "reserved", Tone::kGood},
               each.workload.ToString(),
               each.admission.cluster_queue.str(),
               lab::Assigned(each.admission)});
  }
  for (const PreemptedWorkload& each : cycle.result.preempted) {
    table.Add({{"preempted", Tone::kBad},
               each.workload.ToString(),
               QueueOf(engine, each.workload),
               "for " + each.by.ToString() + ": " + std::string(lab::InWords(each.reason)) + " (" +
                   std::string(ReasonName(each.reason)) + ")"});
  }
  for (const EvictedWorkload& each : cycle.result.evicted) {
    table.Add({{"evicted", Tone::kBad},
               each.workload.ToString(),
               each.cluster_queue,
               std::string(lab::EvictionInWords(each.reason)) + " (" + each.reason + ")" +
                   (each.quota_free ? "; its quota is free" : "")});
  }
  for (const PendingWorkload& each : Shown(cycle, wide)) {
    table.Add({{each.parked ? "parked" : "pending", Tone::kWarning},
               each.workload.ToString(),
               each.cluster_queue,
               Why(each, wide)});
  }
  return table;
}

void PrintCycle(std::size_t number, const lab::CycleOutcome& cycle, const Engine& engine, bool wide,
                Io& io) {
  io.out << io.paint(Tone::kStrong, "Cycle " + std::to_string(number)) << " at "
         << manifest::FormatTime(cycle.result.at);
  if (cycle.result.DecidedNothing() && cycle.result.evicted.empty()) {
    io.out << ": none starts, none has to leave";
  }
  io.out << '\n';
  const Table table = CycleTable(cycle, engine, wide);
  if (!table.empty()) table.Print(io.out, io.paint, "  ");
  const std::size_t hidden = cycle.pending.size() - Shown(cycle, wide).size();
  if (hidden > 0) io.out << "  ... and " << hidden << " more waiting (-o wide lists all)\n";
  io.out << '\n';
}

/// Those that no queue has to offer, by what keeps them out.
void PrintHeld(const Engine& engine, Io& io) {
  std::map<std::string, std::size_t> held;
  for (const PendingWorkload& each : lab::Read(engine.Held())) ++held[lab::WhyItWaits(each)];
  for (const auto& [why, count] : held) {
    io.out << lab::Counted(count, "workload") << (count == 1 ? " waits" : " wait")
           << " in no queue: " << why << '\n';
  }
}

void PrintOpenEvictions(const Engine& engine, Io& io) {
  std::size_t charged = 0;
  std::size_t free = 0;
  for (const Key& key : lab::Read(engine.Evicting())) {
    ++(lab::Read(engine.GetWorkload(key)).spec.active ? charged : free);
  }
  if (charged > 0) {
    io.out << lab::Counted(charged, "eviction")
           << " still open: that quota stays charged until the pods are gone\n";
  }
  if (free > 0) {
    io.out << lab::Counted(free, "deactivated workload") << (free == 1 ? " has" : " have")
           << " pods to stop; the quota is free already\n";
  }
}

}  // namespace

CycleTeller::CycleTeller(const Engine& engine, Form form, std::optional<int> cycles, Io& io)
    : engine_(engine),
      form_(form),
      io_(io),
      progress_(io, Alongside::kOutput),
      expected_(cycles),
      steps_(io.out, "steps") {}

Status CycleTeller::Take(const lab::CycleOutcome& cycle) {
  ++cycles_;
  admitted_ += cycle.result.admitted.size();
  preempted_ += cycle.result.preempted.size();
  evicted_ += cycle.result.evicted.size();
  const std::string place = "cycle " + std::to_string(cycles_) + ": ";
  WarnOfSubmit(cycle.submit_failures, "before " + place, io_);
  WarnOfFailures(cycle.result, place, io_);
  if (form_ == Form::kJson) {
    steps_.Add(lab::StepJson(cycle));
  } else {
    PrintCycle(cycles_, cycle, engine_, form_ == Form::kWide, io_);
  }
  io_.out.flush();
  if (progress_.shown()) {
    std::string line = "cycle " + std::to_string(cycles_);
    if (expected_) line += " of " + std::to_string(*expected_);
    progress_.Show(line + ", " + std::to_string(admitted_) + " admitted, " +
                   std::to_string(preempted_) + " preempted");
  }
  return io_.out ? Status::Ok() : Status(StatusCode::kUnavailable, "cannot write the output");
}

void CycleTeller::End(const ShadowReport* shadow) {
  if (form_ != Form::kJson) {
    PrintSummary();
    if (shadow != nullptr) PrintShadow(*shadow, io_);
    return;
  }
  steps_.Close();
  if (shadow != nullptr) steps_.AddMember("shadow", ShadowJson(*shadow));
  steps_.End();
}

void CycleTeller::Stop() {
  if (form_ == Form::kJson && cycles_ > 0) steps_.End();
}

void CycleTeller::PrintSummary() {
  const std::vector<ClusterQueueView> queues = lab::Read(engine_.ClusterQueues());
  std::int64_t pending = 0;
  std::int64_t parked = 0;
  for (const ClusterQueueView& each : queues) {
    pending += each.pending + each.parked;
    parked += each.parked;
  }
  io_.out << io_.paint(Tone::kStrong, "Summary") << ": " << lab::Counted(cycles_, "cycle") << ", "
          << admitted_ << " admitted, " << preempted_ << " preempted, ";
  if (evicted_ > 0) io_.out << evicted_ << " evicted by time limits, ";
  io_.out << pending << " waiting";
  if (parked > 0) io_.out << " (" << parked << " parked until something changes)";
  io_.out << '\n';
  PrintHeld(engine_, io_);
  PrintOpenEvictions(engine_, io_);
  io_.out << '\n';
  ClusterQueuesTable(queues, /*wide=*/false).Print(io_.out, io_.paint);
}

}  // namespace muster::cli
