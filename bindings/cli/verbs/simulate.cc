// muster simulate: a log of jobs on a cluster, under one policy or several beside each other.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/author/packages.h"
#include "bindings/cli/command.h"
#include "bindings/cli/show/simulate_view.h"
#include "bindings/cli/world/load.h"
#include "bindings/cli/world/log_of_jobs.h"
#include "bindings/cli/world/package_folder.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/side_by_side.h"
#include "bindings/lab/activate.h"
#include "bindings/lab/diagnose.h"
#include "bindings/simulate/variation.h"

namespace muster::cli {
namespace {

using simulate::TraceJob;

/// One run: a policy on the log, or on a variation of it.
struct PlannedRun {
  std::size_t policy = 0;
  std::size_t variation = 0;  ///< 0: the log itself
  simulate::Run run;
  simulate::Report report;
};

class Simulate : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "simulate",
        .group = "Prove",
        .summary = "play a log of jobs under several policies, and compare",
        .usage = "-f CLUSTER... --jobs TRACE [--policy A --policy B ...] [options]",
        .about =
            "Plays the jobs of a log on the queues of the manifests, on a clock that jumps from "
            "event to event. Jobs arrive when they did, start when the engine says so and end "
            "after the time that they ran. Every policy gets a run of its own, with the same jobs; "
            "`native` is the engine's own order. The same inputs give the same figures, on any "
            "machine.\n"
            "TRACE is a log in the Standard Workload Format, of Philly, of Helios, of openb, or "
            "any table with a header, whose columns --columns names: submit, run (or start and "
            "end), size (or shape), and where it has them pods, requested, queue, user, id. It may "
            "be compressed by gzip. A queue of the log goes to the LocalQueue of its name or "
            "NS/NAME (in small letters, - for _), else to that of --queue. A policy finds the user "
            "of a job in its label muster.dev/user, and the seconds it asked for in "
            "muster.dev/requested.\n"
            "A job that has to make room begins anew, or goes on from its last checkpoint with "
            "--checkpoint. Waits are from submit to first start. The slowdown of a job is how much "
            "longer it took than it ran (bounded: runs below 10 s count as 10 s). Evenness is "
            "Jain's index of what the queues use of their own quota, over time: 1 is even. Share "
            "error is how far their parts of what is used are from their parts of the quota: 0 is "
            "not at all.\n"
            "With --seeds, every policy also plays variations of the log, made of its days in "
            "another order. A difference between two policies whose interval (nine of ten) holds "
            "0 is noise.",
        .examples = {{"What would borrowing have saved?",
                      "muster simulate -f cluster.yaml --jobs helios_venus.csv"},
                     {"Which order is better, and for which queue?",
                      "muster simulate -f cluster.yaml --jobs SP2.swf.gz --policy native "
                      "--policy policies/aging --report out.html"},
                     {"A table of one's own",
                      "muster simulate -f cluster.yaml --jobs jobs.csv --columns "
                      "submit=created,run=seconds,size=gpus,queue=team"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    input_.Declare(flags);
    log_.Declare(flags);
    flags.List("--policy", "FOLDER...", &policies_,
               "Policy packages, or native; each gets a run of its own. Default: native.");
    flags.Text("--leave", "DURATION", &leave_,
               "How long the pods of an evicted job take to go. Default: 0s.");
    flags.Text("--checkpoint", "EVERY", &checkpoint_,
               "Jobs save their work so often; none: never. Default: none.");
    flags.Text("--warm-up", "DURATION", &warm_up_,
               "What happens so soon after the first arrival is played and not counted. "
               "Default: 0s.");
    flags.Text("--drain", "DURATION", &drain_,
               "What happens in so long before the last arrival, or after it, is played and not "
               "counted. Default: 0s.");
    flags.Count("--seeds", "N", &seeds_, "Also play so many variations of the log, at least 2.");
    flags.Text("--report", "FILE", &report_, "Also write a page with the figures and plots.");
    flags.Text("--each-job", "FILE", &each_job_,
               "Also write when each job started and ended under each policy, as CSV.");
    flags.Choice("-o,--output", &output_, {"table", "json", "csv"},
                 "How to print. Default: table.");
  }

  int Run(Io& io) override {
    if (log_.file().empty()) return io.Fail(kWrongUse, "simulate: name a log of jobs with --jobs");
    if (seeds_ == 1) {
      return io.Fail(kWrongUse,
                     "--seeds: one variation says nothing about noise; write at least 2");
    }
    if (policies_.empty()) policies_.emplace_back(lab::kNativeWord);
    int code = ReadHabits(io);
    std::vector<std::string> folders = policies_;
    std::erase(folders, lab::kNativeWord);
    if (code == kDone) code = NeedPackages(folders, io);
    Loaded loaded;
    if (code == kDone) {
      code = Load(input_, lab::References::kAsKueue, "nothing was played", io, &loaded);
    }
    if (code == kDone) code = LogFlags::NeedCluster(loaded.manifests, io);
    if (code != kDone) return code;
    std::erase_if(loaded.manifests.objects,
                  [](const Object& object) { return KindOf(object) == ObjectKind::kWorkload; });
    simulate::Trace trace;
    simulate::Mapping mapping;
    code = log_.Read(io, &trace);
    if (code == kDone) code = log_.Map(loaded.manifests, trace, io, &mapping);
    if (code != kDone) return code;
    mapping.origin = trace.origin;
    Simulation simulation{log_.file(),    mapping.resource, trace.origin, std::move(trace.jobs),
                          trace.left_out, habits_,          {},           {}};
    code = Play(loaded.manifests, mapping, io, &simulation);
    if (code != kDone) return code;
    if (simulation.policies.front().report.classes.empty()) {
      return io.Fail(kNo,
                     "no job arrives in the time that counts; name a shorter --warm-up or "
                     "--drain");
    }
    return Show(simulation, {report_, each_job_, output_}, io);
  }

 private:
  int ReadHabits(Io& io) {
    int code = ReadDuration("--leave", leave_, io, &habits_.leave);
    if (code == kDone && checkpoint_ != "none") {
      code = ReadDuration("--checkpoint", checkpoint_, io, &habits_.checkpoint);
      if (code == kDone && habits_.checkpoint == 0) {
        return io.Fail(kWrongUse,
                       "--checkpoint: 0 is no interval; write for example 30m, or none where jobs "
                       "save nothing");
      }
    }
    if (code == kDone) code = ReadDuration("--warm-up", warm_up_, io, &habits_.warm_up);
    if (code == kDone) code = ReadDuration("--drain", drain_, io, &habits_.drain);
    return code;
  }

  int Play(const manifest::Manifests& cluster, const simulate::Mapping& mapping, Io& io,
           Simulation* simulation) const {
    std::vector<std::vector<TraceJob>> varied;
    for (int seed = 1; seed <= seeds_.value_or(0); ++seed) {
      varied.push_back(simulate::Variation(simulation->jobs, static_cast<std::uint64_t>(seed)));
    }
    std::vector<std::span<const TraceJob>> logs = {simulation->jobs};
    logs.insert(logs.end(), varied.begin(), varied.end());
    std::vector<PlannedRun> planned;
    std::size_t jobs = 0;
    for (std::size_t variation = 0; variation < logs.size(); ++variation) {
      for (std::size_t i = 0; i < policies_.size(); ++i) planned.push_back({i, variation, {}, {}});
      jobs += logs[variation].size() * policies_.size();
    }
    std::vector<SideRun> runs;
    for (PlannedRun& each : planned) {
      runs.emplace_back([&, this](const KeepOn& keep_on) {
        Result<simulate::Run> run = simulate::Simulate(
            cluster, logs[each.variation], mapping, habits_,
            [&](Engine& engine, TimeNs now) {
              return Activate(policies_[each.policy], cluster, now, engine);
            },
            keep_on);
        if (!run.ok()) return run.status();
        each.run = *std::move(run);
        each.report = Summarise(logs[each.variation], each.run);
        return Status::Ok();
      });
    }
    const std::vector<Status> ends = RunSideBySide(runs, jobs, "job", io);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].ok()) continue;
      if (!ends[i].problems().empty()) {
        return Report(manifest::Locate(cluster, ends[i].problems()), {}, "nothing was played", io);
      }
      return io.Fail(ExitCodeFor(ends[i]), policies_[planned[i].policy] + ": " + ends[i].message());
    }
    Gather(std::move(planned), simulation);
    return kDone;
  }

  static Status Activate(const std::string& policy, const manifest::Manifests& cluster, TimeNs now,
                         Engine& engine) {
    std::vector<std::string> folders;
    if (policy != lab::kNativeWord) folders.push_back(policy);
    return lab::ActivatePolicies(folders, cluster, now, engine);
  }

  void Gather(std::vector<PlannedRun> planned, Simulation* simulation) const {
    std::vector<std::vector<simulate::Report>> varied(policies_.size());
    bool whole = true;
    for (PlannedRun& each : planned) {
      whole = whole && !each.run.interrupted;
      if (each.variation > 0) {
        if (!each.report.classes.empty()) varied[each.policy].push_back(std::move(each.report));
        continue;
      }
      simulation->policies.push_back(
          {LastPart(policies_[each.policy]), std::move(each.run), std::move(each.report), {}, {}});
    }
    for (std::size_t i = 1; i < policies_.size(); ++i) {
      SimulatedPolicy& policy = simulation->policies[i];
      policy.change = Compare(simulation->jobs, simulation->policies.front().run, policy.run);
      if (whole && varied[i].size() >= 2) {
        policy.differences = simulate::Differences(varied.front(), varied[i]);
      }
    }
  }

  InputFlags input_;
  LogFlags log_;
  std::vector<std::string> policies_;
  std::string leave_, checkpoint_ = "none", warm_up_, drain_, report_, each_job_, output_ = "table";
  std::optional<int> seeds_;
  simulate::Habits habits_;
};

}  // namespace

std::unique_ptr<Command> MakeSimulate() { return std::make_unique<Simulate>(); }

}  // namespace muster::cli
