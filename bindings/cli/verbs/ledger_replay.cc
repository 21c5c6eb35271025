// muster ledger replay: does again what a ledger says was done.
#include <charconv>
#include <map>
#include <string>

#include "bindings/cli/command.h"
#include "bindings/cli/progress.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/replay.h"
#include "bindings/lab/read.h"
#include "bindings/lab/words.h"
#include "db/store.h"
#include "engine/base/time_text.h"
#include "engine/model/names.h"

namespace muster::cli {
namespace {

class LedgerReplay : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "ledger replay",
        .group = "Ledger",
        .summary = "does again what a ledger says was done, and compares",
        .usage = "--db LEDGER [--until COMMIT|TIME]",
        .about =
            "Repeats every call of the history in an engine that keeps nothing, under the policies "
            "that decided then, and compares each event with the record. At the end the state is "
            "compared, down to the last bit. With --until it stops after that commit, or after the "
            "last one before that time, and says in which phases the workloads were then. A ledger "
            "that was compacted is repeated from the state on that it begins with. Works beside "
            "the "
            "process that writes. Exit code 3 when something comes out differently: the commit is "
            "named, and what it gave and should have.",
        .examples = {
            {"Would it decide the same again?", "muster ledger replay --db cluster.ledger"},
            {"How was it on Tuesday morning?",
             "muster ledger replay --db cluster.ledger --until 2026-03-03T08:00:00Z"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    ledger_.Declare(flags, {});
    flags.Text("--until", "COMMIT|TIME", &until_,
               "The newest commit to repeat, or a time: those before it.");
  }

  int Run(Io& io) override {
    if (const int code = ledger_.Sort(io); code != kDone) return code;
    std::unique_ptr<HistoryReader> ledger;
    if (const int code = OpenMoment(ledger_.db(), io, &ledger); code != kDone) return code;
    const Result<LastCommit> last = ledger->last();
    if (!last.ok()) return FailLedger(last.status(), ledger_.db(), io);
    ReplayOptions options;
    if (!until_.empty()) {
      std::int64_t newest = 0;
      if (const int code = FindUntil(*ledger, *last, io, &newest); code != kDone) return code;
      options.until = newest;
    }
    std::map<WorkloadPhase, std::size_t> phases;
    options.at_end = [&phases](const Engine& engine) {
      for (const WorkloadView& workload : lab::Read(engine.Workloads())) ++phases[workload.phase];
    };
    Progress progress(io);
    options.progress = [&](const CommitRecord& commit) {
      progress.Show("repeated commit " + std::to_string(commit.seq) + " of " +
                    std::to_string(options.until.value_or(last->seq)));
    };
    const Result<Replayed> replayed = ReplayLedger(*ledger, options);
    if (!replayed.ok()) {
      return io.Fail(ExitCodeFor(replayed.status()), replayed.status().message());
    }
    if (replayed->last == last->seq) {
      Result<Engine> engine = ReadLedger(*ledger);
      if (!engine.ok()) return FailLedger(engine.status(), ledger_.db(), io);
      const std::string hash = lab::Read(engine->StateHash());
      if (hash != replayed->state_hash) {
        return io.Fail(kRefused, "repeating the history gives the state " + replayed->state_hash +
                                     ", but the ledger has " + hash);
      }
    }
    Print(*replayed, phases, io);
    return kDone;
  }

 private:
  int FindUntil(const HistoryReader& ledger, const LastCommit& last, Io& io,
                std::int64_t* newest) const {
    const char* const end = until_.data() + until_.size();
    if (std::from_chars(until_.data(), end, *newest).ptr == end) {
      if (*newest >= 1 && *newest <= last.seq) return kDone;
      return io.Fail(
          kNo, "there is no commit " + until_ + "; the newest is " + std::to_string(last.seq));
    }
    TimeNs time = kNoTime;
    if (const int code = ReadMoment(until_, io, &time); code != kDone) return code;
    const Result<HistoryBase> base = ledger.base();
    if (!base.ok()) return FailLedger(base.status(), ledger_.db(), io);
    *newest = base->first - 1;
    const Status status = ledger.ReadCommits(1, [&](const CommitRecord& commit) {
      if (commit.at < time) *newest = commit.seq;
      return Status::Ok();
    });
    return status.ok() ? static_cast<int>(kDone) : FailLedger(status, ledger_.db(), io);
  }

  void Print(const Replayed& replayed, const std::map<WorkloadPhase, std::size_t>& phases,
             Io& io) const {
    io.out << io.paint(Tone::kGood, "repeated") << ": "
           << lab::Counted(static_cast<std::size_t>(replayed.commits), "commit")
           << ", every event and the state " << replayed.state_hash << " came out the same\n";
    if (until_.empty()) return;
    io.out << "after commit " << replayed.last;
    if (replayed.at != kNoTime) io.out << " at " << FormatTime(replayed.at);
    io.out << ':';
    const char* separator = " ";
    for (const auto& [phase, count] : phases) {
      io.out << separator << count << ' ' << EnumName(phase);
      separator = ", ";
    }
    io.out << (phases.empty() ? " no workloads\n" : "\n");
  }

  LedgerOrWords ledger_;
  std::string until_;
};

}  // namespace

std::unique_ptr<Command> MakeLedgerReplay() { return std::make_unique<LedgerReplay>(); }

}  // namespace muster::cli
