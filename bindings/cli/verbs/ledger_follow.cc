// muster ledger follow: tables of SQL beside a ledger in PostgreSQL.
#include <chrono>
#include <memory>
#include <string>

#include "bindings/cli/command.h"
#include "bindings/cli/interrupted.h"
#include "bindings/cli/progress.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cpp/open_store.h"
#include "bindings/lab/words.h"
#include "db/follow/follower.h"
#include "engine/base/time_text.h"

namespace muster::cli {
namespace {

constexpr std::chrono::milliseconds kFollowerLook{500};
constexpr std::chrono::seconds kBetweenLines{60};

class LedgerFollow : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "ledger follow",
        .group = "Ledger",
        .summary = "tables of SQL beside a ledger in PostgreSQL, kept up to date",
        .usage = "--db postgresql://... [--into SCHEMA] [--once]",
        .about =
            "Fills tables in the ledger's database and keeps them up to date until it is "
            "interrupted: `workloads` (what is true now), `history` (every event with its commit, "
            "payloads as jsonb), `lag` (how far behind they are). They stand in the schema "
            "muster_NAME, NAME being the ledger's (main, or what stands after the #), or in "
            "SCHEMA, which is made. Any program reads them with SQL, beside the process that "
            "writes the ledger and without disturbing it; they may be some moments late. Its "
            "position stands in the same transaction as what it wrote: end it however you like and "
            "start it again, nothing is missing or there twice. SELECT name, created FROM "
            "muster_main.workloads WHERE phase = 'Pending' ORDER BY created says what waits "
            "longest. Each commit is compared with its hash; at damage it stops with exit code 3. "
            "Readers need USAGE on the schema and SELECT "
            "on its tables. A ledger in a file has such views already: muster ledger query.",
        .examples = {{"Keep them up to date, as a service beside muster serve",
                      "muster ledger follow --db postgresql://muster@db/muster"},
                     {"Once, from cron",
                      "muster ledger follow --once --db 'postgresql://muster@db/muster#physics'"},
                     {"For reports, in a schema of their own name",
                      "muster ledger follow --into reports --db postgresql://muster@db/muster"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    ledger_.Declare(flags, {});
    flags.Text("--into", "SCHEMA", &into_, "The schema for the tables. Default: muster_NAME.");
    flags.Switch("--once", &once_, "End when the tables have all that the ledger has.");
  }

  int Run(Io& io) override {
    if (const int code = ledger_.Sort(io); code != kDone) return code;
    if (!IsDatabase(ledger_.db())) {
      return io.Fail(kWrongUse,
                     "ledger follow is for a ledger in a database; one in a file has the views "
                     "workloads and history: use muster ledger query");
    }
    const Interrupted interrupted;
    const Result<std::unique_ptr<Follower>> follower = Follower::Open(ledger_.db(), into_);
    if (!follower.ok()) return Failed(follower.status(), io);
    Progress progress(io, Alongside::kNothing);
    std::int64_t events = 0;
    bool told = false;
    auto next_line = std::chrono::steady_clock::now() + kBetweenLines;
    while (io.out.good()) {
      const Result<Followed> step = (*follower)->Step();
      if (!step.ok()) return Failed(step.status(), io);
      events += step->events;
      const bool behind = !step->known || step->commit < step->newest;
      progress.Show("following, commit " + std::to_string(step->commit) + " of " +
                    std::to_string(step->newest));
      const auto now = std::chrono::steady_clock::now();
      const bool ends = once_ && !behind;
      if (step->events > 0) at_ = step->at;
      if (ends || (events > 0 && (now >= next_line || (!behind && !told)))) {
        Tell(**follower, *step, events, io);
        events = 0;
        told = true;
        next_line = now + kBetweenLines;
      }
      if (ends) return kDone;
      if (interrupted.Within(behind ? std::chrono::milliseconds(0) : kFollowerLook)) break;
    }
    return interrupted.ExitCode();
  }

 private:
  int Failed(const Status& status, Io& io) const {
    if (status.code() == StatusCode::kInvalidArgument) return io.Fail(kWrongUse, status.message());
    if (status.code() == StatusCode::kFailedPrecondition) return io.Fail(kNo, status.message());
    return FailLedger(status, ledger_.db(), io);
  }
  void Tell(const Follower& follower, const Followed& step, std::int64_t events, Io& io) const {
    io.out << follower.schema() << " has commit " << step.commit;
    if (at_ != kNoTime) io.out << " of " << FormatTime(at_);
    io.out << ", " << lab::Counted(static_cast<std::size_t>(step.newest - step.commit), "commit")
           << " behind; " << lab::Counted(static_cast<std::size_t>(events), "event") << " added\n"
           << std::flush;
  }

  LedgerOrWords ledger_;
  std::string into_;
  bool once_ = false;
  TimeNs at_ = kNoTime;
};

}  // namespace

std::unique_ptr<Command> MakeLedgerFollow() { return std::make_unique<LedgerFollow>(); }

}  // namespace muster::cli
