// muster trace export: the jobs of a ledger's past as a log that may be shared.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/world/past_of_ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/lab/words.h"
#include "bindings/simulate/backtest.h"

namespace muster::cli {
namespace {

/// "queue-1", "queue-2", ... in the order in which names are asked for.
class Pseudonyms {
 public:
  explicit Pseudonyms(std::string noun) : noun_(std::move(noun)) {}
  std::string Of(const std::string& name) {
    if (name.empty()) return "";
    return noun_ + "-" + std::to_string(numbers_.emplace(name, numbers_.size() + 1).first->second);
  }

 private:
  const std::string noun_;
  std::map<std::string, std::size_t> numbers_;
};

class TraceExport : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "trace export",
        .group = "Ledger",
        .summary = "write a ledger's past as a log of jobs without names",
        .usage = "--db LEDGER [--resource NAME]",
        .about =
            "Prints a table with one line for each job that ended: when it was submitted (seconds "
            "after the first), how long it ran, its size in one resource, its pods, its queue and "
            "its user (label muster.dev/user). Queues, users and jobs are numbered in the "
            "order in which they appear; no name leaves the ledger, and no date. `muster simulate "
            "--jobs` reads it as it is. Jobs that never ended are left out, and counted on "
            "stderr.",
        .examples = {
            {"A log for a colleague", "muster trace export --db cluster.ledger > jobs.csv"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Text("--db", "LEDGER", &db_, "The ledger whose past is written.");
    flags.Text("--resource", "NAME", &resource_,
               "What the sizes of jobs count. Default: the one resource that has quota, or the one "
               "whose name ends in /gpu.");
  }

  int Run(Io& io) override {
    if (db_.empty()) return io.Fail(kWrongUse, "trace export: name a ledger with --db");
    PastOfLedger read;
    if (const int code = ReadPastOf(db_, kNoTime, resource_, io, &read); code != kDone) return code;
    const Result<simulate::Backtested> done =
        simulate::Backtest(read.past, {read.resource, kNoTime, {}}, read.Loader());
    if (!done.ok()) return io.Fail(ExitCodeFor(done.status()), done.status().message());
    Pseudonyms queues("queue"), users("user");
    std::size_t left_out = 0;
    io.out << "id,submit,run,size,pods,queue,user\n";
    for (std::size_t i = 0; i < done->jobs.size(); ++i) {
      const simulate::TraceJob& job = done->jobs[i];
      if (job.run <= 0 || job.size <= 0) {
        ++left_out;
        continue;
      }
      io.out << "job-" << i + 1 << ',' << (job.submit - done->jobs.front().submit) / kSecond << ','
             << (job.run + kSecond - 1) / kSecond << ',' << job.size << ',' << job.pods << ','
             << queues.Of(job.queue) << ',' << users.Of(job.user) << '\n';
    }
    if (left_out > 0) {
      io.err << lab::Counted(left_out, "job") << " left out: never ended, or asked for nothing of "
             << read.resource << '\n';
    }
    return kDone;
  }

 private:
  std::string db_, resource_;
};

}  // namespace

std::unique_ptr<Command> MakeTraceExport() { return std::make_unique<TraceExport>(); }

}  // namespace muster::cli
