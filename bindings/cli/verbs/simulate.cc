// muster simulate: a log of jobs on a cluster, under one policy or several beside each other.
#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "bindings/cli/author/packages.h"
#include "bindings/cli/command.h"
#include "bindings/cli/interrupted.h"
#include "bindings/cli/progress.h"
#include "bindings/cli/show/simulate_view.h"
#include "bindings/cli/world/load.h"
#include "bindings/cli/world/report.h"
#include "bindings/lab/activate.h"
#include "bindings/lab/diagnose.h"
#include "bindings/lab/words.h"
#include "bindings/manifest/closest.h"
#include "bindings/simulate/gunzip.h"
#include "bindings/simulate/html.h"

namespace muster::cli {
namespace {

using simulate::Trace;
using simulate::TraceColumns;
using simulate::TraceFormat;

const std::map<std::string, TraceFormat> kFormats = {{"swf", TraceFormat::kSwf},
                                                     {"philly", TraceFormat::kPhilly},
                                                     {"gangs", TraceFormat::kGangs},
                                                     {"helios", TraceFormat::kHelios},
                                                     {"csv", TraceFormat::kCsv}};

/// What objects may be called: a queue `vcvGl_2` of a log is the LocalQueue vcvgl-2.
std::string AsName(std::string text) {
  for (char& c : text) {
    c = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

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
            "TRACE is a log in the Standard Workload Format, of Philly, of Helios, or any table "
            "with a header, whose columns --columns names: submit, run, size (or shape), and where "
            "it has them pods, requested, queue, user, id. It may be compressed by gzip. A queue "
            "of the log goes to the LocalQueue of its name (in small letters, - for _), else to "
            "that "
            "of --queue.\n"
            "A job that has to make room begins anew, or goes on from its last checkpoint with "
            "--checkpoint. Waits are from submit to first start. The slowdown of a job is how much "
            "longer it took than it ran (bounded: runs below 10 s count as 10 s). Evenness is "
            "Jain's index of what the queues used of their own quota: 1 is even. Utilisation is "
            "from the first to the last arrival.",
        .examples = {{"What would borrowing have saved?",
                      "muster simulate -f cluster.yaml --jobs helios_venus.csv"},
                     {"Which order is better, and for whom?",
                      "muster simulate -f cluster.yaml --jobs SDSC-SP2.swf.gz --policy native "
                      "--policy policies/small-first --report report.html"},
                     {"A table of one's own",
                      "muster simulate -f cluster.yaml --jobs jobs.csv --columns "
                      "submit=created,run=seconds,size=gpus,queue=team"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    input_.Declare(flags);
    flags.Text("--jobs", "TRACE", &trace_, "The log of jobs.");
    flags.Choice("--format", &format_, {"auto", "swf", "philly", "gangs", "helios", "csv"},
                 "How the log is written. Default: by its beginning.");
    flags.CommaList("--columns", "WHAT=NAME,...", &columns_,
                    "Of a table: which column says what. Times are seconds or dates.");
    flags.List("--policy", "FOLDER...", &policies_,
               "Policy packages, or native; each gets a run of its own. Default: native.");
    flags.Text("--resource", "NAME", &resource_,
               "What the sizes of jobs count. Default: the one resource that has quota, or the one "
               "whose name ends in /gpu.");
    flags.Text("--queue", "NS/NAME", &queue_,
               "The LocalQueue of jobs whose queue has none of its name. Default: the only one.");
    flags.Text("--leave", "DURATION", &leave_,
               "How long the pods of an evicted job take to go. Default: 0s.");
    flags.Text("--checkpoint", "DURATION", &checkpoint_,
               "Jobs save their work so often. Default: never.");
    flags.Text("--warm-up", "DURATION", &warm_up_,
               "Jobs that arrive so early are played and not counted. Default: 0s.");
    flags.Count("--first", "N", &first_, "Play only the first N jobs.");
    flags.Text("--report", "FILE", &report_, "Also write a page with the figures and plots.");
    flags.Choice("-o,--output", &output_, {"table", "json", "csv"},
                 "How to print. Default: table.");
  }

  int Run(Io& io) override {
    if (trace_.empty()) return io.Fail(kWrongUse, "simulate: name a log of jobs with --jobs");
    if (policies_.empty()) policies_.emplace_back(lab::kNativeWord);
    Loaded loaded;
    int code = Load(input_, lab::References::kAsKueue, "nothing was played", io, &loaded);
    if (code != kDone) return code;
    if (loaded.manifests.scenario) {
      return io.Fail(kNo, "a Scenario has a clock of its own; give only the cluster");
    }
    std::erase_if(loaded.manifests.objects,
                  [](const Object& object) { return KindOf(object) == ObjectKind::kWorkload; });
    Trace trace;
    simulate::Mapping mapping;
    simulate::Habits habits;
    DurationNs warm_up = 0;
    code = ReadLog(io, &trace);
    if (code == kDone) code = FindResource(loaded, io, &mapping.resource);
    if (code == kDone) code = FindQueues(loaded, trace, io, &mapping);
    if (code == kDone) code = ReadDuration("--leave", leave_, io, &habits.leave);
    if (code == kDone) code = ReadDuration("--checkpoint", checkpoint_, io, &habits.checkpoint);
    if (code == kDone) code = ReadDuration("--warm-up", warm_up_, io, &warm_up);
    if (code != kDone) return code;
    std::vector<SimulatedPolicy> runs;
    code = Play(loaded.manifests, trace, mapping, habits, io, &runs);
    if (code != kDone) return code;
    for (SimulatedPolicy& each : runs) {
      each.report = Summarise(trace.jobs, each.run, warm_up);
      if (each.report.classes.empty()) {
        return io.Fail(kNo, "no job arrives after --warm-up; name a shorter one");
      }
      if (&each != &runs.front()) {
        each.change = Compare(trace.jobs, runs.front().run, each.run, warm_up);
      }
    }
    const SimulationHead head{trace.jobs.size(), trace.left_out, mapping.resource};
    if (!report_.empty()) {
      code = WriteReport(trace, runs, head, warm_up, io);
      if (code != kDone) return code;
    }
    if (output_ == "json") {
      PrintJson(io.out, SimulationJson(head, runs));
    } else if (output_ == "csv") {
      PrintSimulationCsv(runs, io);
    } else {
      PrintSimulation(head, runs, io);
    }
    return kDone;
  }

 private:
  int ReadLog(Io& io, Trace* trace) {
    Result<std::string> text = ReadText(trace_, io.in);
    if (!text.ok()) return io.Fail(kWrongUse, text.status().message());
    Result<std::string> plain = simulate::Gunzip(*std::move(text));
    if (!plain.ok()) return io.Fail(kNo, trace_ + ": " + plain.status().message());
    TraceColumns columns;
    if (const int code = ReadColumns(io, &columns); code != kDone) return code;
    TraceFormat format = columns_.empty() ? simulate::GuessTraceFormat(*plain) : TraceFormat::kCsv;
    if (format_ != "auto") format = kFormats.at(format_);
    if (!columns_.empty() && format != TraceFormat::kCsv) {
      return io.Fail(kWrongUse,
                     "--columns is for --format csv; the columns of " + format_ + " are known");
    }
    Result<Trace> read = simulate::ReadTrace(trace_, *plain, format, columns);
    if (!read.ok()) return io.Fail(kNo, read.status().message());
    *trace = *std::move(read);
    if (first_ && static_cast<std::size_t>(*first_) < trace->jobs.size()) {
      trace->jobs.resize(static_cast<std::size_t>(*first_));
    }
    if (trace->jobs.empty()) return io.Fail(kNo, trace_ + ": it has no job that ran");
    return kDone;
  }

  int ReadColumns(Io& io, TraceColumns* columns) {
    const std::map<std::string_view, std::string*> known = {
        {"id", &columns->id},       {"submit", &columns->submit},
        {"run", &columns->run},     {"requested", &columns->requested},
        {"size", &columns->size},   {"pods", &columns->pods},
        {"shape", &columns->shape}, {"queue", &columns->queue},
        {"user", &columns->user}};
    for (const std::string& word : columns_) {
      const std::size_t equals = word.find('=');
      const std::string_view what = std::string_view(word).substr(0, equals);
      const auto found = known.find(what);
      if (found == known.end() || equals == word.npos) {
        std::vector<std::string_view> names;
        for (const auto& [name, unused] : known) names.push_back(name);
        const std::string_view near = manifest::Closest(what, names);
        return io.Fail(kWrongUse, "--columns: \"" + word + "\"; write " +
                                      std::string(near.empty() ? "submit" : near) + "=NAME");
      }
      *found->second = word.substr(equals + 1);
    }
    return kDone;
  }

  int FindResource(const Loaded& loaded, Io& io, std::string* resource) {
    std::set<std::string> covered;
    for (const Object& object : loaded.manifests.objects) {
      const auto* queue = std::get_if<ClusterQueue>(&object);
      if (queue == nullptr) continue;
      for (const ResourceGroup& group : queue->resource_groups) {
        covered.insert(group.covered_resources.begin(), group.covered_resources.end());
      }
    }
    std::vector<std::string> gpus;
    std::copy_if(covered.begin(), covered.end(), std::back_inserter(gpus),
                 [](const std::string& name) { return name.ends_with("/gpu"); });
    std::string all;
    for (const std::string& name : covered) all += (all.empty() ? "" : ", ") + name;
    if (!resource_.empty()) {
      *resource = resource_;
      if (covered.contains(resource_)) return kDone;
      return io.Fail(kNo, "no ClusterQueue has quota of " + resource_ + "; write one of " + all);
    }
    if (gpus.size() != 1 && covered.size() != 1) {
      return io.Fail(kNo, covered.empty() ? "no ClusterQueue among the manifests has quota"
                                          : "what do the sizes of jobs count? Write --resource and "
                                            "one of " +
                                                all);
    }
    *resource = gpus.size() == 1 ? gpus.front() : *covered.begin();
    return kDone;
  }

  int FindQueues(const Loaded& loaded, const Trace& trace, Io& io, simulate::Mapping* mapping) {
    std::map<std::string, Key> by_name;
    std::vector<Key> all;
    for (const Object& object : loaded.manifests.objects) {
      const auto* queue = std::get_if<LocalQueue>(&object);
      if (queue == nullptr) continue;
      all.push_back(queue->key);
      by_name[queue->key.name] = queue->key;
    }
    if (all.empty()) return io.Fail(kNo, "the manifests have no LocalQueue for the jobs");
    if (!queue_.empty()) {
      const auto named = std::find_if(all.begin(), all.end(), [&](const Key& key) {
        return key.ToString() == queue_ || key.name == queue_;
      });
      if (named == all.end()) {
        std::vector<std::string> names;
        for (const Key& key : all) names.push_back(key.ToString());
        const std::vector<std::string_view> views(names.begin(), names.end());
        const std::string_view near = manifest::Closest(queue_, views);
        return io.Fail(kNo, "no LocalQueue " + queue_ + "; write " +
                                std::string(near.empty() ? views.front() : near));
      }
      mapping->queues[""] = *named;
    } else if (all.size() == 1) {
      mapping->queues[""] = all.front();
    }
    for (const auto& job : trace.jobs) {
      const auto found = by_name.find(AsName(job.queue));
      if (!job.queue.empty() && found != by_name.end()) mapping->queues[job.queue] = found->second;
      if (mapping->queues.contains(job.queue) || mapping->queues.contains("")) continue;
      return io.Fail(kNo, job.queue.empty()
                              ? "the log has no queues; write --queue NS/NAME"
                              : "no LocalQueue \"" + AsName(job.queue) +
                                    "\" for the jobs of that queue of the log; make one, or write "
                                    "--queue NS/NAME for all that have none");
    }
    return kDone;
  }

  static int ReadDuration(std::string_view flag, const std::string& text, Io& io,
                          DurationNs* duration) {
    if (text.empty()) return kDone;
    const std::optional<DurationNs> read = manifest::ParseDuration(text);
    if (!read || *read < 0) {
      return io.Fail(kWrongUse, std::string(flag) + ": \"" + text +
                                    "\" is not a duration; write for example 30s, 1h30m or 7d");
    }
    *duration = *read;
    return kDone;
  }

  /// A run a policy, as many at once as the machine has processors.
  int Play(const manifest::Manifests& cluster, const Trace& trace, const simulate::Mapping& mapping,
           const simulate::Habits& habits, Io& io, std::vector<SimulatedPolicy>* runs) {
    struct Job {
      std::atomic<std::size_t> ended = 0;
      Status status;
      bool done = false;
    };
    runs->resize(policies_.size());
    std::vector<Job> jobs(policies_.size());
    std::atomic<std::size_t> next = 0, finished = 0;
    std::atomic<bool> stop = false;
    const auto work = [&] {
      for (std::size_t i = next++; i < policies_.size(); i = next++) {
        (*runs)[i].name = LastPart(policies_[i]);
        const auto prepare = [&](Engine& engine, TimeNs now) {
          std::vector<std::string> folders;
          if (policies_[i] != lab::kNativeWord) folders.push_back(policies_[i]);
          return lab::ActivatePolicies(folders, cluster, now, engine);
        };
        const auto watch = [&](std::size_t ended) {
          jobs[i].ended.store(ended, std::memory_order_relaxed);
          return !stop.load(std::memory_order_relaxed);
        };
        Result<simulate::Run> run =
            simulate::Simulate(cluster, trace.jobs, mapping, habits, prepare, watch);
        jobs[i].status = run.status();
        if (run.ok()) (*runs)[i].run = *std::move(run);
        ++finished;
      }
    };
    {
      std::vector<std::jthread> threads;
      const std::size_t most = std::max(1U, std::thread::hardware_concurrency());
      for (std::size_t i = 0; i < std::min(most, policies_.size()); ++i) threads.emplace_back(work);
      const Interrupted interrupted;
      Progress progress(io);
      const auto begun = std::chrono::steady_clock::now();
      while (finished.load() < policies_.size()) {
        if (interrupted.Within(std::chrono::milliseconds(20))) stop = true;
        std::size_t ended = 0;
        for (const Job& job : jobs) ended += job.ended.load(std::memory_order_relaxed);
        ShowProgress(ended, trace.jobs.size() * policies_.size(), begun, &progress);
      }
    }
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const Status& status = jobs[i].status;
      if (status.ok()) continue;
      if (status.problems().empty()) {
        return io.Fail(ExitCodeFor(status), policies_[i] + ": " + status.message());
      }
      return Report(manifest::Locate(cluster, status.problems()), {}, "nothing was played", io);
    }
    return kDone;
  }

  static void ShowProgress(std::size_t ended, std::size_t all,
                           std::chrono::steady_clock::time_point begun, Progress* progress) {
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begun;
    if (!progress->shown() || time.count() < 1 || ended == 0) return;
    const double rate = static_cast<double>(ended) / time.count();
    const auto left = static_cast<long>(static_cast<double>(all - ended) / rate);
    progress->Show(std::to_string(ended) + " of " + lab::Counted(all, "job") + " ended, " +
                   std::to_string(static_cast<long>(rate)) + " a second, " + std::to_string(left) +
                   " s left");
  }

  int WriteReport(const Trace& trace, const std::vector<SimulatedPolicy>& runs,
                  const SimulationHead& head, DurationNs warm_up, Io& io) {
    simulate::Page page{trace_, head.resource, warm_up, trace.jobs, {}};
    for (const SimulatedPolicy& each : runs) {
      page.policies.push_back({each.name, &each.run, &each.report, &each.change});
    }
    std::ofstream out(report_, std::ios::binary);
    out << simulate::ToHtml(page);
    out.close();
    if (!out) return io.Fail(kRefused, report_ + ": it cannot be written");
    io.err << "report: " << report_ << '\n';
    return kDone;
  }

  InputFlags input_;
  std::string trace_, format_ = "auto", resource_, queue_, leave_, checkpoint_, warm_up_, report_;
  std::vector<std::string> columns_, policies_;
  std::optional<int> first_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeSimulate() { return std::make_unique<Simulate>(); }

}  // namespace muster::cli
