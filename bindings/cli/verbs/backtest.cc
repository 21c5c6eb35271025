// muster backtest: the past of a ledger once more, under other policies.
#include "bindings/simulate/backtest.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/author/decider.h"
#include "bindings/cli/author/packages.h"
#include "bindings/cli/command.h"
#include "bindings/cli/show/simulate_view.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/past_of_ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/side_by_side.h"
#include "bindings/cpp/open_store.h"
#include "bindings/lab/words.h"

namespace muster::cli {
namespace {

using simulate::Backtested;

class Backtest : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "backtest",
        .group = "Prove",
        .summary = "play a ledger's past once more, under other policies",
        .usage = "--db LEDGER [--policy A --policy B ...] [options]",
        .about =
            "Makes the calls again that the gateway of a ledger made, at their times: objects, "
            "jobs, cycles, what was withdrawn. First under the ledger's own policies, which must "
            "come to all of its decisions; then under each candidate, from --since on. The ledger "
            "stays as it is.\n"
            "While a job fares as recorded, what the gateway said about it is repeated. Else it is "
            "ready at once when it starts, ends after as long as it ran then, and goes at once "
            "when it has to make room. How long it runs is what its last attempt took, where that "
            "was the longest; else its attempts together, because then it went on where it had "
            "been. A job that never ended in the record runs until the end of it, or until it was "
            "withdrawn. From the first decision on that differs, cycles run until nothing "
            "changes.\n"
            "A policy is the folder of a package, native, or NAME@HASH for a generation that the "
            "ledger has stored.",
        .examples = {{"Does it repeat itself?", "muster backtest --db cluster.ledger"},
                     {"What would last month have been like?",
                      "muster backtest --db cluster.ledger --policy policies/aging --since "
                      "2026-10-01T00:00:00Z --report out.html"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Text("--db", "LEDGER", &db_, "The ledger whose past is played.");
    flags.List("--policy", "POLICY...", &policies_,
               "Candidates; each gets a run of its own. Default: none, only the check.");
    flags.Text("--since", "TIME", &since_,
               "Candidates decide from here on, and figures begin, in RFC 3339. Default: its first "
               "call.");
    flags.Text("--until", "TIME", &until_, "Leave out what came later. Default: its last call.");
    flags.Text("--resource", "NAME", &resource_,
               "What the sizes of jobs count. Default: the one resource that has quota, or the one "
               "whose name ends in /gpu.");
    flags.Text("--report", "FILE", &report_, "Also write a page with the figures and plots.");
    flags.Text("--each-job", "FILE", &each_job_,
               "Also write when each job started and ended under each policy, as CSV.");
    flags.Choice("-o,--output", &output_, {"table", "json", "csv"},
                 "How to print. Default: table.");
  }

  int Run(Io& io) override {
    if (db_.empty()) return io.Fail(kWrongUse, "backtest: name a ledger with --db");
    TimeNs since = kNoTime, until = kNoTime;
    int code = since_.empty() ? static_cast<int>(kDone) : ReadTime(since_, io, &since);
    if (code == kDone && !until_.empty()) code = ReadTime(until_, io, &until);
    if (code != kDone) return code;
    if (since != kNoTime && until != kNoTime && since >= until) {
      return io.Fail(kWrongUse, "backtest: --since must be before --until");
    }
    PastOfLedger read;
    code = ReadPastOf(db_, until, resource_, io, &read);
    if (code != kDone) return code;
    if (since != kNoTime && since > read.past.calls.back().at) {
      return io.Fail(kNo, "the ledger's last call is before --since");
    }
    std::vector<simulate::BacktestOptions> options = {{read.resource, since, {}}};
    for (const std::string& word : policies_) {
      lab::Decider decider;
      code = ReadDecider(word, db_, io, &decider);
      if (code != kDone) return code;
      options.push_back({read.resource, since, std::move(decider)});
    }
    std::vector<Backtested> done(options.size());
    code = Play(read, options, io, &done);
    if (code != kDone) return code;
    const Simulation simulation = Gather(read, std::move(done));
    if (simulation.policies.front().report.classes.empty()) {
      return io.Fail(kNo, "no job was submitted in that time");
    }
    return Show(simulation, {report_, each_job_, output_}, io);
  }

 private:
  int Play(const PastOfLedger& read, const std::vector<simulate::BacktestOptions>& options, Io& io,
           std::vector<Backtested>* done) const {
    std::vector<SideRun> runs;
    for (std::size_t i = 0; i < options.size(); ++i) {
      runs.emplace_back([&, i](const KeepOn& keep_on) {
        Result<Backtested> run = simulate::Backtest(read.past, options[i], read.Loader(), keep_on);
        if (!run.ok()) return run.status();
        (*done)[i] = *std::move(run);
        return Status::Ok();
      });
    }
    const std::vector<Status> ends =
        RunSideBySide(runs, read.past.calls.size() * runs.size(), "call", io);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].ok()) continue;
      const std::string name = i == 0 ? ShownPlace(db_) : policies_[i - 1];
      return io.Fail(ExitCodeFor(ends[i]), name + ": " + ends[i].message());
    }
    return kDone;
  }

  /// Fates in the order of `jobs`; of one that a run did not know, nothing became.
  static std::vector<simulate::Fate> InOrderOf(const std::vector<simulate::TraceJob>& jobs,
                                               const Backtested& done) {
    std::map<std::string, std::size_t> by_id;
    for (std::size_t i = 0; i < done.jobs.size(); ++i) by_id[done.jobs[i].id] = i;
    std::vector<simulate::Fate> fates;
    for (const simulate::TraceJob& job : jobs) {
      const auto found = by_id.find(job.id);
      fates.push_back(found == by_id.end() ? simulate::Fate() : done.run.fates[found->second]);
    }
    return fates;
  }

  Simulation Gather(const PastOfLedger& read, std::vector<Backtested> done) const {
    Simulation simulation;
    simulation.log = ShownPlace(db_);
    simulation.resource = read.resource;
    simulation.jobs = done.front().jobs;
    std::size_t starts = 0, evictions = 0;
    for (const simulate::JobPast& job : read.past.jobs) {
      for (const simulate::Attempt& attempt : job.attempts) {
        if (attempt.admitted != kNoTime) ++starts;
        if (attempt.evicted != kNoTime) ++evictions;
      }
    }
    if (done.front().same) {
      simulation.notes.push_back("Under its own policies the ledger comes to its own decisions: " +
                                 lab::Counted(starts, "start") + ", " +
                                 lab::Counted(evictions, "eviction") + ".");
    }
    for (std::size_t i = 0; i < done.size(); ++i) {
      SimulatedPolicy policy;
      policy.name = i == 0 ? "recorded" : LastPart(policies_[i - 1]);
      done[i].run.fates = InOrderOf(simulation.jobs, done[i]);
      policy.run = std::move(done[i].run);
      policy.report = Summarise(simulation.jobs, policy.run);
      if (i > 0) {
        policy.change = Compare(simulation.jobs, simulation.policies.front().run, policy.run);
        NoteDoubts(policy.name, done[i], &simulation.notes);
      }
      simulation.policies.push_back(std::move(policy));
    }
    return simulation;
  }

  static void NoteDoubts(const std::string& name, const Backtested& done,
                         std::vector<std::string>* notes) {
    if (done.same) notes->push_back(name + ": every job fares as recorded.");
    if (done.endless > 0) {
      notes->push_back(name + ": of " + lab::Counted(done.endless, "job") +
                       " that started differently the record does not know how long " +
                       (done.endless == 1 ? "it runs." : "they run."));
    }
    if (done.refused > 0) {
      notes->push_back(name + ": " + lab::Counted(done.refused, "recorded call") +
                       " made no sense any more.");
    }
  }

  std::string db_, since_, until_, resource_, report_, each_job_, output_ = "table";
  std::vector<std::string> policies_;
};

}  // namespace

std::unique_ptr<Command> MakeBacktest() { return std::make_unique<Backtest>(); }

}  // namespace muster::cli
