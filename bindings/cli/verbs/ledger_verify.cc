// muster ledger verify: is this ledger whole?
#include <string>

#include "bindings/cli/command.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/open_store.h"
#include "bindings/cpp/replay.h"
#include "bindings/cpp/stored_policies.h"
#include "bindings/lab/read.h"
#include "bindings/lab/words.h"
#include "db/store.h"

namespace muster::cli {
namespace {

class LedgerVerify : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "ledger verify",
        .group = "Ledger",
        .summary = "is a ledger whole? file, history, state, policies",
        .usage = "--db LEDGER [--replay]",
        .about =
            "Checks the file as SQLite sees it, the hash chain from the first commit to the last, "
            "every row of current state against the newest commit, every stored policy against its "
            "hash, and that the state can be restored and keeps every invariant. Works beside the "
            "process that writes. With --replay everything that was ever done is done again and "
            "must come out the same, down to the last bit of state. Exit code 3 when the ledger "
            "is damaged; the first bad commit is named.",
        .examples = {{"After a crash", "muster ledger verify --db cluster.ledger"},
                     {"Would it decide the same again?",
                      "muster ledger verify --db cluster.ledger --replay"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    ledger_.Declare(flags, {});
    flags.Switch("--replay", &replay_, "Repeat the whole history and compare.");
  }

  int Run(Io& io) override {
    if (const int code = ledger_.Sort(io); code != kDone) return code;
    const std::string& path = ledger_.db();
    std::unique_ptr<HistoryReader> ledger;
    if (const int code = OpenMoment(path, io, &ledger); code != kDone) return code;
    VerifyOptions options;
    options.policy_hash = HashOf;
    const Result<VerifyReport> report = ledger->Verify(options);
    if (!report.ok()) return io.Fail(kRefused, report.status().message());
    if (!report->sound()) return Damaged(*report, io);
    Result<Engine> engine = ReadLedger(*ledger);
    if (!engine.ok()) return io.Fail(kRefused, engine.status().message());
    if (const Status status = engine->CheckInvariants(); !status.ok()) {
      return io.Fail(kRefused, status.message());
    }
    io.out << io.paint(Tone::kGood, "clean") << ": " << ShownPlace(path) << ", "
           << lab::Counted(static_cast<std::size_t>(report->commits), "commit") << ", "
           << lab::Counted(static_cast<std::size_t>(report->events), "event") << ", "
           << lab::Counted(static_cast<std::size_t>(report->rows), "row") << " of state\n";
    return replay_ ? Replay(*ledger, *engine, io) : kDone;
  }

 private:
  static int Damaged(const VerifyReport& report, Io& io) {
    for (const std::string& finding : report.findings) {
      io.err << io.err_paint(Tone::kBad, finding) << '\n';
    }
    const std::string first =
        report.first_bad_commit > 0
            ? "the first bad commit is " + std::to_string(report.first_bad_commit)
            : "its history is whole";
    return io.Fail(kRefused, "the ledger is damaged; " + first);
  }

  static int Replay(const StoredHistory& ledger, const Engine& engine, Io& io) {
    const Result<Replayed> replayed = ReplayLedger(ledger);
    if (!replayed.ok()) return io.Fail(kRefused, replayed.status().message());
    if (replayed->state_hash != lab::Read(engine.StateHash())) {
      return io.Fail(kRefused, "repeating the history gives the state " + replayed->state_hash +
                                   ", but the ledger has " + lab::Read(engine.StateHash()));
    }
    io.out << io.paint(Tone::kGood, "repeated") << ": "
           << lab::Counted(static_cast<std::size_t>(replayed->commits), "commit")
           << ", every event and the state " << replayed->state_hash << " came out the same\n";
    return kDone;
  }

  LedgerOrWords ledger_;
  bool replay_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeLedgerVerify() { return std::make_unique<LedgerVerify>(); }

}  // namespace muster::cli
