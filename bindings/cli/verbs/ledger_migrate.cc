// muster ledger migrate: from a file into a database, or back.
#include <filesystem>
#include <string>
#include <system_error>

#include "bindings/cli/command.h"
#include "bindings/cli/progress.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/open_store.h"
#include "bindings/lab/words.h"
#include "bindings/upkeep/migrate.h"
#include "engine/base/time_text.h"

namespace muster::cli {
namespace {

class LedgerMigrate : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "ledger migrate",
        .group = "Ledger",
        .summary = "moves a ledger from a file into PostgreSQL, or back",
        .usage = "FROM TO [--wait SECONDS]",
        .about =
            "Makes the new ledger TO of FROM: every commit with its number and hash, the state, "
            "the policies. One of them at least is a database, "
            "postgresql://USER@HOST/DATABASE#NAME; passwords come from ~/.pgpass or a service "
            "file. FROM is verified first and stays as it was; no other process may hold it. TO "
            "must not be there, or be empty, and is verified before it can be seen: its hash "
            "chain, its state, and that an engine comes to the same state with both. Exit code 3 "
            "when FROM is damaged or either cannot be had.",
        .examples = {{"Outgrow one machine",
                      "muster ledger migrate cluster.ledger postgresql://muster@db/muster"},
                     {"Back into a file",
                      "muster ledger migrate postgresql://muster@db/muster cluster.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    ledger_.Declare(flags, {"TO"});
    DeclareWait(flags, &wait_);
  }

  int Run(Io& io) override {
    if (const int code = ledger_.Sort(io); code != kDone) return code;
    const std::string& to = ledger_.word(0);
    std::chrono::seconds wait{0};
    if (const int code = ReadWait(wait_, io, &wait); code != kDone) return code;
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::absolute(to, error).parent_path();
    if (!IsDatabase(to) && !std::filesystem::is_directory(folder, error)) {
      return io.Fail(kWrongUse, "there is no folder " + folder.string());
    }
    Progress progress(io);
    MigrateOptions options;
    options.lock_wait = wait;
    options.progress = [&progress](std::string_view what, std::int64_t done, std::int64_t total) {
      progress.ShowCommits(what, done, total);
    };
    const Result<Migrated> migrated = MigrateLedger(ledger_.db(), to, options);
    const StatusCode code = migrated.status().code();
    if (code == StatusCode::kFailedPrecondition) return io.Fail(kNo, migrated.status().message());
    if (code == StatusCode::kInvalidArgument) {
      return io.Fail(kWrongUse, migrated.status().message());
    }
    if (!migrated.ok()) return FailLedger(migrated.status(), ledger_.db(), io);
    io.out << io.paint(Tone::kGood, "migrated") << ": " << ShownPlace(to) << ", "
           << lab::Counted(static_cast<std::size_t>(migrated->report.commits), "commit");
    if (migrated->last.at != kNoTime) io.out << " until " << FormatTime(migrated->last.at);
    io.out << ", verified, with the state " << migrated->state_hash << "; "
           << ShownPlace(ledger_.db()) << " is as it was\n";
    return kDone;
  }

 private:
  LedgerOrWords ledger_;
  std::string wait_ = kDefaultWait;
};

}  // namespace

std::unique_ptr<Command> MakeLedgerMigrate() { return std::make_unique<LedgerMigrate>(); }

}  // namespace muster::cli
