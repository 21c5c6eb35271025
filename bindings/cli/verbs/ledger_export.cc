// muster ledger export: the history of a ledger for other programs.
#include <memory>
#include <optional>
#include <string>

#include "bindings/cli/command.h"
#include "bindings/cli/progress.h"
#include "bindings/cli/verbs/decision_number.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/upkeep/export.h"
#include "db/store.h"

namespace muster::cli {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 20;  ///< of a part, but for its last commit

class LedgerExport : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "ledger export",
        .group = "Ledger",
        .summary = "the history of a ledger as JSON Lines or CSV",
        .usage =
            "--db LEDGER [--what events|commits] [--since|--until TIME] [--after COMMIT] "
            "[--limit N]",
        .about =
            "Prints what happened between two times, one line for each event or each commit, in "
            "order. Every commit is compared with its hash before it is printed, so what comes out "
            "is what was recorded; at damage it stops with exit code 3. Works beside the process "
            "that writes, and sees one moment of it. The payload of an event is JSON: an object in "
            "JSON Lines, a field with quotes in CSV. docs/fields.md and db/README.md say what the "
            "payloads hold. What compaction dropped is not in it. With --after and --limit it "
            "comes in parts: the commit of the last line is where the next one goes on. A part "
            "also ends with the commit that makes it longer than 4 MiB.",
        .examples = {{"Everything, for another database",
                      "muster ledger export --db cluster.ledger > events.jsonl"},
                     {"March, for a spreadsheet",
                      "muster ledger export --db cluster.ledger --since 2026-03-01 --until "
                      "2026-04-01 -o csv"},
                     {"What came behind commit 1200, a thousand commits of it",
                      "muster ledger export --db cluster.ledger --after 1200 --limit 1000"},
                     {"Which commits asked which policies",
                      "muster ledger export --db cluster.ledger --what commits"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    ledger_.Declare(flags, {});
    flags.Choice("--what", &what_, {"events", "commits"}, "What stands in a line.");
    flags.Text("--since", "TIME", &since_,
               "From then on, as 2026-03-01T08:00:00Z or 2026-03-01. Default: the beginning.");
    flags.Text("--until", "TIME", &until_, "Until just before then. Default: the end.");
    flags.Text("--after", "COMMIT", &after_, "Only what is behind the commit of this number.");
    flags.Count("--limit", "N", &limit_,
                "Of at most so many commits that fill a line. Default: all.");
    flags.Choice("-o,--output", &output_, {"jsonl", "csv"}, "JSON Lines, or CSV (RFC 4180).");
  }

  int Run(Io& io) override {
    if (const int code = ledger_.Sort(io); code != kDone) return code;
    TimeNs since = kNoTime;
    TimeNs until = kNoTime;
    if (const int code = ReadMoment(since_, io, &since); code != kDone) return code;
    if (const int code = ReadMoment(until_, io, &until); code != kDone) return code;
    if (!until_.empty() && since > until) {
      return io.Fail(kWrongUse, "--since " + since_ + " is after --until " + until_);
    }
    const auto after = DecisionNumber(after_.empty() ? "0" : after_);
    if (!after) {
      return io.Fail(kWrongUse,
                     "ledger export: --after takes a whole number, not '" + after_ + "'");
    }
    std::unique_ptr<HistoryReader> ledger;
    if (const int code = OpenMoment(ledger_.db(), io, &ledger); code != kDone) return code;
    const Result<LastCommit> last = ledger->last();
    if (!last.ok()) return FailLedger(last.status(), ledger_.db(), io);
    Progress progress(io, Alongside::kOutput);
    if (output_ == "csv") io.out << (Events() ? EventsCsvHeader() : CommitsCsvHeader());
    if (*after >= last->seq) return kDone;
    int printed = 0;
    std::size_t bytes = 0;
    const auto enough = [&] { return limit_ && (printed >= *limit_ || bytes >= kMostBytes); };
    const Status status = ledger->ReadCommits(*after + 1, [&](const CommitRecord& commit) {
      progress.Show("commit " + std::to_string(commit.seq) + " of " + std::to_string(last->seq));
      const bool wanted = commit.at >= since && (until_.empty() || commit.at < until);
      const std::string lines = wanted ? Lines(commit) : std::string();
      io.out << lines;
      printed += lines.empty() ? 0 : 1;
      bytes += lines.size();
      if (enough()) return Status(StatusCode::kUnavailable, "the rest was not asked for");
      if (io.out.good()) return Status::Ok();
      return Status(StatusCode::kUnavailable, "the output cannot be written");
    });
    if (enough() && io.out.good()) return kDone;
    if (!status.ok()) return FailLedger(status, ledger_.db(), io);
    return kDone;
  }

 private:
  bool Events() const { return what_ == "events"; }
  std::string Lines(const CommitRecord& commit) const {
    if (output_ == "csv") return Events() ? EventsAsCsv(commit) : CommitAsCsv(commit);
    return Events() ? EventsAsJson(commit) : CommitAsJson(commit);
  }

  LedgerOrWords ledger_;
  std::string what_ = "events";
  std::string since_;
  std::string until_;
  std::string after_;
  std::optional<int> limit_;
  std::string output_ = "jsonl";
};

}  // namespace

std::unique_ptr<Command> MakeLedgerExport() { return std::make_unique<LedgerExport>(); }

}  // namespace muster::cli
