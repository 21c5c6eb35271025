// muster ledger recover: what can be saved of a damaged ledger.
#include <string>

#include "bindings/cli/command.h"
#include "bindings/cli/progress.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/upkeep/recover.h"

namespace muster::cli {
namespace {

class LedgerRecover : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "ledger recover",
        .group = "Ledger",
        .summary = "what can be saved of a damaged ledger, in a new one",
        .usage = "DEST --db LEDGER",
        .about =
            "Reads everything that is whole in a damaged ledger, which is left as it is, and makes "
            "the new ledger DEST of it, verified before it gets its name. When all rows of the "
            "state are whole, DEST has this state and the newest commits behind which nothing is "
            "missing: nothing that was decided is forgotten. Else it has the oldest commits before "
            "the first damage, and the state that repeating them gives. Commits that are whole but "
            "stand alone are in DEST.jsonl, and DEST.report says in sentences what is where and "
            "what is lost. Look for a backup first: with one you lose less. No process may hold "
            "the ledger. Exit code 3 when no ledger can be built of what is left.",
        .examples = {{"After `ledger verify` found damage",
                      "muster ledger recover saved.ledger --db cluster.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override { ledger_.Declare(flags, {"DEST"}); }

  int Run(Io& io) override {
    int code = ledger_.Sort(io);
    if (code == kDone) {
      code =
          NeedFile(ledger_.db(), "ledger recover",
                   "restore a backup of the database; muster ledger verify names the damage", io);
    }
    if (code != kDone) return code;
    Progress progress(io);
    RecoverOptions options;
    options.progress = [&progress](std::string_view what, std::int64_t done, std::int64_t total) {
      progress.ShowCommits(what, done, total);
    };
    const Result<Recovered> recovered = RecoverLedger(ledger_.db(), ledger_.word(0), options);
    if (recovered.status().code() == StatusCode::kFailedPrecondition) {
      return io.Fail(kNo, recovered.status().message());
    }
    if (!recovered.ok()) return FailLedger(recovered.status(), ledger_.db(), io);
    for (const std::string& line : recovered->report) io.out << line << '\n';
    return kDone;
  }

 private:
  LedgerOrWords ledger_;
};

}  // namespace

std::unique_ptr<Command> MakeLedgerRecover() { return std::make_unique<LedgerRecover>(); }

}  // namespace muster::cli
