// See ledger.h.
#include "bindings/cli/world/ledger.h"

#include <optional>
#include <utility>

#include "bindings/cli/world/play.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/replay.h"
#include "db/read_only_ledger.h"

namespace muster::cli {

void LedgerFlags::Declare(Flags& flags) {
  flags.Text("--db", "LEDGER", &db, "The ledger: a file that remembers everything, one writer at a "
                                    "time.");
  flags.Text("--now", "TIME", &now,
             "What time it is, in RFC 3339. Default: the wall clock, cut to the second. Time never "
             "goes back: the ledger's last time counts when it is later.");
}

int ReadTime(const std::string& text, Io& io, TimeNs* time) {
  const std::optional<TimeNs> read = TimeOf(text);
  if (!read) {
    return io.Fail(kWrongUse,
                   "--now takes a time such as 2026-01-01T12:00:00Z, not '" + text + "'");
  }
  *time = *read;
  return kDone;
}

int FailLedger(const Status& status, const std::string& db, Io& io) {
  if (status.code() == StatusCode::kNotFound) {
    return io.Fail(kWrongUse, "there is no ledger " + db + "; muster apply --db " + db +
                                  " -f FILE... begins one");
  }
  return io.Fail(kRefused, status.message());
}

int OpenLedger(const std::string& db, NewLedger new_ledger, Io& io,
               std::unique_ptr<DurableEngine>* opened) {
  DurableOptions options;
  options.create = new_ledger == NewLedger::kCreate;
  Result<std::unique_ptr<DurableEngine>> engine = DurableEngine::Open(db, options);
  if (!engine.ok()) return FailLedger(engine.status(), db, io);
  *opened = std::move(*engine);
  return kDone;
}

int OpenLedger(const LedgerFlags& flags, Io& io, std::unique_ptr<DurableEngine>* opened,
               TimeNs* now) {
  if (flags.db.empty()) return io.Fail(kWrongUse, "name the ledger with --db LEDGER");
  if (const int code = ReadTime(flags.now, io, now); code != kDone) return code;
  return OpenLedger(flags.db, NewLedger::kRefuse, io, opened);
}

int ReadState(const std::string& db, Io& io, Engine* engine) {
  Result<Engine> read = ReadLedger(db);
  if (!read.ok()) return FailLedger(read.status(), db, io);
  *engine = std::move(*read);
  return kDone;
}

int RecallLastCycle(const std::string& db, Io& io, CycleTrace* trace) {
  const Result<std::unique_ptr<ReadOnlyLedger>> ledger = ReadOnlyLedger::Open(db);
  if (!ledger.ok()) return FailLedger(ledger.status(), db, io);
  Result<Replayed> replayed = ReplayLedger(**ledger);
  if (!replayed.ok()) return io.Fail(ExitCodeFor(replayed.status()), replayed.status().message());
  *trace = std::move(replayed->last_cycle);
  return kDone;
}

}  // namespace muster::cli
