// muster ledger backup: one moment of a ledger as a file of its own.
#include <filesystem>
#include <string>
#include <system_error>

#include "bindings/cli/command.h"
#include "bindings/cli/progress.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/stored_policies.h"
#include "bindings/lab/words.h"
#include "db/sqlite/read_only_ledger.h"
#include "engine/base/time_text.h"

namespace muster::cli {
namespace {

class LedgerBackup : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "ledger backup",
        .group = "Ledger",
        .summary = "a copy of one moment of a ledger, also beside the process that writes it",
        .usage = "DEST --db LEDGER",
        .about =
            "Copies the ledger as it is at this moment to the new file DEST, whole and verified: "
            "file, history, rows and policies. The process that writes goes on meanwhile. Until "
            "all is checked and on disk the copy is called DEST.partial, so DEST is whole or not "
            "there; nothing is ever replaced. A bare cp of a ledger that is open is an older state "
            "of it, or damaged. Exit code 3 when the ledger is damaged or there is no room.",
        .examples = {{"Every night",
                      "muster ledger backup \"backups/$(date +%F).ledger\" --db cluster.ledger"},
                     {"Go back to one",
                      "muster ledger backup cluster.ledger --db "
                      "backups/2026-03-02.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override { ledger_.Declare(flags, {"DEST"}); }

  int Run(Io& io) override {
    int code = ledger_.Sort(io);
    if (code == kDone) {
      code = NeedFile(ledger_.db(), "ledger backup",
                      "take pg_dump, or muster ledger migrate URL FILE for a copy in a file", io);
    }
    if (code != kDone) return code;
    const Result<std::unique_ptr<ReadOnlyLedger>> ledger = ReadOnlyLedger::Open(ledger_.db());
    if (!ledger.ok()) return FailLedger(ledger.status(), ledger_.db(), io);
    const std::string& to = ledger_.word(0);
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::absolute(to, error).parent_path();
    if (!std::filesystem::is_directory(folder, error)) {
      return io.Fail(kWrongUse, "there is no folder " + folder.string());
    }
    const Result<Backup> backup = Make(**ledger, to, io);
    if (!backup.ok()) {
      const bool no = backup.status().code() == StatusCode::kFailedPrecondition;
      return io.Fail(no ? kNo : kRefused, backup.status().message());
    }
    io.out << io.paint(Tone::kGood, "backed up") << ": " << to << ", "
           << lab::Counted(static_cast<std::size_t>(backup->report.commits), "commit");
    if (backup->last.at != kNoTime) io.out << " until " << FormatTime(backup->last.at);
    io.out << ", " << backup->bytes << " bytes, verified\n";
    return kDone;
  }

 private:
  static Result<Backup> Make(ReadOnlyLedger& ledger, const std::string& to, Io& io) {
    Progress progress(io);
    BackupOptions options;
    options.verify.policy_hash = HashOf;
    options.progress = [&progress](std::int64_t done, std::int64_t total) {
      const std::int64_t percent = total == 0 ? 100 : done * 100 / total;
      const bool whole = percent == 100;
      progress.Show("copied " + std::to_string(percent) + " %" + (whole ? ", verifying" : ""),
                    whole);
    };
    return ledger.BackUp(to, options);
  }

  LedgerOrWords ledger_;
};

}  // namespace

std::unique_ptr<Command> MakeLedgerBackup() { return std::make_unique<LedgerBackup>(); }

}  // namespace muster::cli
