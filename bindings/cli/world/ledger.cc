// See ledger.h.
#include "bindings/cli/world/ledger.h"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "bindings/cli/world/play.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/replay.h"
#include "db/read_only_ledger.h"
#include "muster/muster.h"

namespace muster::cli {

void LedgerFlags::Declare(Flags& flags, const std::string& force_doc) {
  flags.Text("--db", "LEDGER", &db,
             "The ledger: a file that remembers everything, one writer at a "
             "time.");
  flags.Text("--now", "TIME", &now,
             "What time it is, in RFC 3339. Default: the wall clock, cut to the second. Time never "
             "goes back: the ledger's last time counts when it is later.");
  flags.Switch("--force", &force, force_doc + kForceDoc);
}

void LedgerOrWords::Declare(Flags& flags, std::vector<std::string> metavars) {
  metavars_ = std::move(metavars);
  flags.Rest(&words_);
  flags.Text("--db", "LEDGER", &db_, "The ledger's file; it may be the first word instead.");
}

int LedgerOrWords::Sort(Io& io) {
  std::vector<std::string> wanted = metavars_;
  if (db_.empty()) wanted.insert(wanted.begin(), "LEDGER");
  if (words_.size() > wanted.size()) {
    return io.Fail(kWrongUse, "'" + words_[wanted.size()] + "' is one word too many");
  }
  if (words_.size() < wanted.size()) {
    const std::string& missing = wanted[words_.size()];
    return io.Fail(kWrongUse, missing == "LEDGER" ? "name the ledger with --db LEDGER"
                                                  : missing + " is missing");
  }
  if (db_.empty()) {
    db_ = words_.front();
    words_.erase(words_.begin());
  }
  return kDone;
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

namespace {

int CheckTime(const Engine& engine, TimeNs now, Io& io) {
  const Status status = engine.CheckTime(now);
  return status.ok() ? static_cast<int>(kDone)
                     : io.Fail(kNo, status.message() + "; if it is right, add --force");
}

}  // namespace

int OpenLedger(const std::string& db, NewLedger new_ledger, TimeNs now, bool force, Io& io,
               std::unique_ptr<DurableEngine>* opened) {
  std::error_code error;
  if (!force && new_ledger == NewLedger::kCreate && !std::filesystem::exists(db, error)) {
    Engine none;  // so that a refusal leaves no file
    const Status limited = none.LimitTimeJumps(kLongestTimeJump, WallClock());
    if (!limited.ok()) return io.Fail(ExitCodeFor(limited), limited.message());
    if (const int code = CheckTime(none, now, io); code != kDone) return code;
  }
  DurableOptions options;
  options.allow_time_jump = force;
  options.create = new_ledger == NewLedger::kCreate;
  Result<std::unique_ptr<DurableEngine>> engine = DurableEngine::Open(db, options);
  if (!engine.ok()) return FailLedger(engine.status(), db, io);
  *opened = std::move(*engine);
  return CheckTime((*opened)->engine(), now, io);
}

int OpenLedger(const LedgerFlags& flags, Io& io, std::unique_ptr<DurableEngine>* opened,
               TimeNs* now) {
  if (flags.db.empty()) return io.Fail(kWrongUse, "name the ledger with --db LEDGER");
  if (const int code = ReadTime(flags.now, io, now); code != kDone) return code;
  return OpenLedger(flags.db, NewLedger::kRefuse, *now, flags.force, io, opened);
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
