// See ledger.h.
#include "bindings/cli/world/ledger.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "bindings/cli/world/play.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/open_store.h"
#include "bindings/cpp/replay.h"
#include "muster/muster.h"

namespace muster::cli {

void LedgerFlags::Declare(Flags& flags) {
  DeclareWithoutForce(flags);
  flags.Switch("--force", &force, kForceDoc);
}

void LedgerFlags::DeclareWithoutForce(Flags& flags) {
  flags.Text(
      "--db", "LEDGER", &db,
      "The ledger: a file that remembers everything, or postgresql://USER@HOST/DATABASE, one "
      "writer at a time.");
  flags.Text("--now", "TIME", &now,
             "What time it is, in RFC 3339. Default: the wall clock, cut to the second. Time never "
             "goes back: the ledger's last time counts when it is later.");
  DeclareWait(flags, &wait);
}

void DeclareWait(Flags& flags, std::string* wait) {
  flags.Text("--wait", "SECONDS", wait,
             "How long a ledger that another process writes is waited for. Default: 5; 0: not.");
}

void LedgerOrWords::Declare(Flags& flags, std::vector<std::string> metavars) {
  metavars_ = std::move(metavars);
  flags.Rest(&words_);
  flags.Text("--db", "LEDGER", &db_,
             "The ledger: a file, or a postgresql:// URL; it may be the first word instead.");
}

int LedgerOrWords::Sort(Io& io) {
  const auto is_there = [](const std::string& word) {
    std::error_code error;
    return IsDatabase(word) || std::filesystem::exists(word, error);
  };
  if (db_.empty() && !words_.empty() && !metavars_.empty() && !is_there(words_[0])) {
    if (words_.size() == 2 && is_there(words_[1])) {
      return io.Fail(kWrongUse, "'" + words_[0] + "' is no ledger; write LEDGER " + metavars_[0] +
                                    ", or " + metavars_[0] + " --db LEDGER");
    }
    if (words_.size() == 1 && words_[0].find(' ') != std::string::npos) {
      return io.Fail(kWrongUse, "name the ledger with --db LEDGER");
    }
  }
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
    return io.Fail(kWrongUse, "--now takes a time such as 2026-01-01T12:00:00Z, " +
                                  std::string(manifest::kTimeRange) + ", not '" + text + "'");
  }
  *time = *read;
  return kDone;
}

int ReadMoment(const std::string& text, Io& io, TimeNs* time) {
  if (text.empty()) return kDone;
  const std::string moment = text.size() == 10 ? text + "T00:00:00Z" : text;
  const std::optional<TimeNs> read = TimeOf(moment);
  if (!read) {
    return io.Fail(kWrongUse, "'" + text + "' is no time; " +
                                  manifest::TimeCure(moment,
                                                     "write 2026-03-01T08:00:00Z or "
                                                     "2026-03-01"));
  }
  *time = *read;
  return kDone;
}

int ReadWait(const std::string& text, Io& io, std::chrono::seconds* wait) {
  if (text == kForever) {
    *wait = std::chrono::hours(24 * 366 * 10);
    return kDone;
  }
  constexpr std::size_t kDigits = 5;
  const bool is_number = !text.empty() && text.size() <= kDigits &&
                         text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number) {
    return io.Fail(kWrongUse, "--wait takes whole seconds from 0 to 99999, not '" + text + "'");
  }
  *wait = std::chrono::seconds(std::stoi(text));
  return kDone;
}

namespace {

/// Whether `db` is a file in which nothing was ever written.
bool IsEmptyFile(const std::string& db) {
  std::error_code error;
  return std::filesystem::file_size(db, error) == 0 && !error;
}

int FailDatabase(const Status& status, const std::string& shown, Io& io) {
  if (status.code() == StatusCode::kInvalidArgument) return io.Fail(kWrongUse, status.message());
  if (status.code() != StatusCode::kNotFound) return io.Fail(kRefused, status.message());
  return io.Fail(kWrongUse, "there is no ledger " + shown +
                                "; muster apply with this --db and -f FILE... begins one");
}

int CheckTime(const Engine& engine, TimeNs now, Io& io, const std::string& flag = "--force") {
  const Status status = engine.CheckTime(now);
  return status.ok() ? static_cast<int>(kDone)
                     : io.Fail(kNo, status.message() + "; if it is right, add " + flag);
}

}  // namespace

bool IsThere(const std::string& db) {
  if (IsDatabase(db)) return OpenHistory(db).status().code() != StatusCode::kNotFound;
  std::error_code error;
  return std::filesystem::exists(db, error);
}

std::string UserName() {
  const char* user = std::getenv("USER");  // NOLINT(concurrency-mt-unsafe): it is never set
  return user == nullptr ? "" : user;
}

int FailLedger(const Status& status, const std::string& db, Io& io) {
  if (IsDatabase(db)) return FailDatabase(status, ShownPlace(db), io);
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(db, error).parent_path();
  if (!IsThere(folder.string())) return io.Fail(kWrongUse, "there is no folder " + folder.string());
  const bool is_missing = status.code() == StatusCode::kNotFound;
  const bool is_empty =
      (is_missing || status.code() == StatusCode::kFailedPrecondition) && IsEmptyFile(db);
  if (is_missing || is_empty) {
    return io.Fail(kWrongUse, (is_empty ? db + " is empty: there is no ledger in it yet"
                                        : "there is no ledger " + db) +
                                  "; muster apply --db " + db + " -f FILE... begins one");
  }
  return io.Fail(kRefused, status.message());
}

int OpenLedger(const std::string& db, NewLedger new_ledger, TimeNs now, bool force,
               const std::string& wait, Io& io, std::unique_ptr<DurableEngine>* opened,
               const std::string& flag, const InDatabase& in_database) {
  std::chrono::seconds seconds{0};
  if (const int code = ReadWait(wait, io, &seconds); code != kDone) return code;
  const bool begins = new_ledger == NewLedger::kCreate && !IsThere(db);
  if (begins && now < WallClock() - kLongestTimeJump) {
    io.Warn("the ledger begins at " + manifest::FormatTime(now) +
            ", over a year before the wall clock: every call without --now needs --force once");
  }
  if (!force && begins) {
    Engine none;  // so that a refusal leaves no file
    const Status limited = none.LimitTimeJumps(kLongestTimeJump, WallClock());
    if (!limited.ok()) return io.Fail(ExitCodeFor(limited), limited.message());
    if (const int code = CheckTime(none, now, io); code != kDone) return code;
  }
  DurableOptions options;
  options.allow_time_jump = force;
  options.create = new_ledger == NewLedger::kCreate;
  options.lock_wait = seconds;
  options.heads = in_database.heads;
  options.turns = in_database.turns;
  Result<std::unique_ptr<DurableEngine>> engine = DurableEngine::Open(db, options);
  if (!engine.ok()) {
    const std::string& why = engine.status().message();
    const bool is_held = why.find(" is held by ") != std::string::npos;
    const std::string waited = seconds.count() == 0 ? "" : "waited " + wait + " s for it, ";
    if (is_held) return io.Fail(kRefused, why + "; " + waited + "try again");
    return FailLedger(engine.status(), db, io);
  }
  *opened = std::move(*engine);
  // A name that cannot be kept is left out: it decides nothing.
  (void)(*opened)->SetCaller(UserName());
  return CheckTime((*opened)->engine(), now, io, flag);
}

int ReadLedgerFlags(const LedgerFlags& flags, Io& io, TimeNs* now) {
  if (flags.db.empty()) return io.Fail(kWrongUse, "name the ledger with --db LEDGER");
  return ReadTime(flags.now, io, now);
}

int OpenLedger(const LedgerFlags& flags, Io& io, std::unique_ptr<DurableEngine>* opened,
               TimeNs* now) {
  if (const int code = ReadLedgerFlags(flags, io, now); code != kDone) return code;
  return OpenLedger(flags.db, NewLedger::kRefuse, *now, flags.force, flags.wait, io, opened);
}

int NeedFile(const std::string& db, const std::string& verb, const std::string& cure, Io& io) {
  if (!IsDatabase(db)) return kDone;
  return io.Fail(kWrongUse, verb + " is for a ledger in a file; for one in a database " + cure);
}

int OpenMoment(const std::string& db, Io& io, std::unique_ptr<HistoryReader>* moment) {
  Result<std::unique_ptr<HistoryReader>> ledger = OpenHistory(db);
  if (!ledger.ok()) return FailLedger(ledger.status(), db, io);
  const Status held = (*ledger)->HoldMoment();
  if (!held.ok()) return FailLedger(held, db, io);
  *moment = std::move(*ledger);
  return kDone;
}

int ReadState(const std::string& db, Io& io, Engine* engine) {
  std::unique_ptr<HistoryReader> moment;
  const int code = OpenMoment(db, io, &moment);
  return code == kDone ? ReadState(*moment, db, io, engine) : code;
}

int ReadState(const HistoryReader& moment, const std::string& db, Io& io, Engine* engine) {
  Result<Engine> read = ReadLedger(moment);
  if (!read.ok()) return FailLedger(read.status(), db, io);
  *engine = std::move(*read);
  return kDone;
}

int ReadStateTwice(const std::string& db, TimeNs now, bool force, Io& io,
                   std::pair<Engine, Engine>* engines) {
  Result<std::pair<Engine, Engine>> read = ReadLedgerTwice(db);
  if (!read.ok()) return FailLedger(read.status(), db, io);
  *engines = *std::move(read);
  if (force) return kDone;
  for (Engine* const engine : {&engines->first, &engines->second}) {
    const Status limited = engine->LimitTimeJumps(kLongestTimeJump, WallClock());
    if (!limited.ok()) return io.Fail(ExitCodeFor(limited), limited.message());
    if (const int code = CheckTime(*engine, now, io); code != kDone) return code;
  }
  return kDone;
}

int RecallLastCycle(const HistoryReader& moment, Io& io, CycleTrace* trace) {
  Result<Replayed> replayed = ReplayLedger(moment);
  if (!replayed.ok()) return io.Fail(ExitCodeFor(replayed.status()), replayed.status().message());
  *trace = std::move(replayed->last_cycle);
  return kDone;
}

}  // namespace muster::cli
