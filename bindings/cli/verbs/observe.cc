// muster observe: what the status of the objects themselves says of their workloads.
#include <algorithm>
#include <string>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/show/outcomes.h"
#include "bindings/cli/world/input.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/manifest/job_objects.h"
#include "bindings/manifest/reporter.h"
#include "bindings/manifest/slices.h"

namespace muster::cli {
namespace {

bool SaidReady(const WorkloadView& view) {
  const std::vector<Condition>& conditions = view.spec.status.conditions;
  return std::any_of(conditions.begin(), conditions.end(), [](const Condition& condition) {
    return condition.type == "PodsReady" && condition.status;
  });
}

/// Pods that will not be made anew, as many as their podsets have at most.
SharedList<ReclaimablePods> ReclaimableOf(const manifest::JobObject& job,
                                          const WorkloadView& view) {
  std::vector<ReclaimablePods> out;
  for (const auto& each : *job.status.reclaimable) {
    for (const PodSet& set : view.spec.pod_sets) {
      if (set.name != each.name) continue;
      const std::int64_t count = std::min<std::int64_t>(each.count, set.count);
      out.push_back({each.name, static_cast<std::int32_t>(count)});
    }
  }
  return out;
}

/// What the status of an object is about: of an elastic job that has ended all slices, else the one
/// that runs.
std::vector<WorkloadView> Meant(const Engine& engine, const manifest::JobObject& job) {
  if (job.status.finished) {
    std::vector<WorkloadView> live = manifest::LiveSlicesOf(engine, job.workload_key);
    if (!live.empty()) return live;
  }
  const Result<WorkloadView> running =
      engine.GetWorkload(manifest::RunningSlice(engine, job.workload_key));
  return running.ok() ? std::vector<WorkloadView>{*running} : std::vector<WorkloadView>{};
}

/// Tells the engine the one thing that is new and decides most; answers what it was.
Status Tell(const manifest::JobObject& job, const WorkloadView& view, TimeNs now, Engine* engine,
            std::string* result) {
  const std::vector<Key> keys = {view.spec.key};
  const objects::JobStatus& status = job.status;
  *result = "unchanged";
  if (view.phase == WorkloadPhase::kFinished) return {};
  if (status.finished) {
    *result = status.success ? "finished" : "failed";
    return engine->Finish(keys, !status.success, now);
  }
  if (view.phase == WorkloadPhase::kEvicting && !status.active) {
    *result = "evicted";
    return engine->Evicted(keys, now);
  }
  if (view.phase != WorkloadPhase::kAdmitted) return {};
  if (status.reclaimable && !status.reclaimable->empty()) {
    WorkloadUpdate update;
    update.workload = view.spec.key;
    update.reclaimable_pods = ReclaimableOf(job, view);
    if (!(*update.reclaimable_pods == view.spec.status.reclaimable_pods)) {
      *result = "reclaimed";
      if (Status told = engine->Update(update, now); !told.ok()) return told;
    }
  }
  if (status.pods_ready == SaidReady(view)) return {};
  *result = status.pods_ready ? "ready" : "not ready";
  return engine->Ready(keys, now, status.pods_ready);
}

class Observe : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "observe",
        .group = "Report",
        .summary = "read from the status of job objects what became of their workloads",
        .usage = "-f FILE... --db LEDGER",
        .about =
            "Reads objects of job kinds with the status that their own controllers wrote, and "
            "tells the ledger what it says: that the job has ended, that its pods are ready or no "
            "longer are, how many of them will not be made anew, and of an evicted one that none "
            "is active any more. Saying it twice changes nothing. Each object is told in a call "
            "of its own; one whose workload the ledger does not have stops the rest.",
        .examples = {{"What the cluster says of a team's jobs",
                      "kubectl get jobsets -n team-a -o yaml | muster observe -f - --db "
                      "cluster.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    input_.Declare(flags);
    ledger_.Declare(flags);
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A line per workload, or JSON.");
  }

  int Run(Io& io) override {
    std::vector<manifest::Source> sources;
    if (const int code = ReadSources(input_.files, io, &sources); code != kDone) return code;
    const manifest::JobObjects read = manifest::ReadJobObjects(sources);
    if (!read.problem.empty()) return io.Fail(kNo, read.problem);
    if (read.jobs.empty())
      return io.Fail(kNo, "the files hold no object of a job kind with a queue");
    std::unique_ptr<DurableEngine> opened;
    TimeNs now = kNoTime;
    if (const int code = OpenLedger(ledger_, io, &opened, &now); code != kDone) return code;
    std::vector<ObjectOutcome> outcomes;
    for (const manifest::JobObject& job : read.jobs) {
      const std::vector<WorkloadView> meant = Meant(opened->engine(), job);
      if (meant.empty()) {
        return io.Fail(kNo, manifest::PlaceText(job.place) + ": the ledger has no workload " +
                                job.workload_key.ToString() + "; submit it first");
      }
      for (const WorkloadView& view : meant) {
        const std::string name = view.spec.key.ToString();
        std::string result;
        if (const Status status = Tell(job, view, now, &opened->engine(), &result); !status.ok()) {
          return io.Fail(ExitCodeFor(status), name + ": " + std::string(status.message()));
        }
        outcomes.push_back({"Workload", name, result});
      }
    }
    PrintOutcomes(outcomes, output_ == "json", io);
    return kDone;
  }

 private:
  InputFlags input_;
  LedgerFlags ledger_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeObserve() { return std::make_unique<Observe>(); }

}  // namespace muster::cli
