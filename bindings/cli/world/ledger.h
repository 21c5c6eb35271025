// Ledgers on the command line: opening one for writing, reading its last cycle, telling the time.
#ifndef MUSTER_BINDINGS_CLI_WORLD_LEDGER_H_
#define MUSTER_BINDINGS_CLI_WORLD_LEDGER_H_

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/cli/flags.h"
#include "bindings/cli/io.h"
#include "db/store.h"
#include "muster/durable_engine.h"

namespace muster::cli {

/// The user's name, as the environment says; empty when it does not.
std::string UserName();

inline constexpr const char* kDefaultWait = "5";  ///< of --wait
/// What no --wait says: ten years.
inline constexpr std::string_view kForever = "for as long as it takes";

/// --wait of every verb that writes.
void DeclareWait(Flags& flags, std::string* wait);

/// Options of every verb that writes into a ledger.
struct LedgerFlags {
  std::string db;
  std::string now;
  bool force = false;
  std::string wait = kDefaultWait;

  /// --db, --now, --wait and --force.
  void Declare(Flags& flags);
  /// The first three: `force` has another name, because --force is for something else.
  void DeclareWithoutForce(Flags& flags);
};

/// The ledger of a verb whose words may name it too: `muster ledger query L SQL` is
/// `muster ledger query SQL --db L`.
class LedgerOrWords {
 public:
  /// --db, and the words themselves; `metavars` are those beside the ledger.
  void Declare(Flags& flags, std::vector<std::string> metavars);
  /// Prints what is wrong and returns an exit code, kDone when there are as many words as there
  /// should be.
  int Sort(Io& io);

  const std::string& db() const { return db_; }
  const std::string& word(std::size_t index) const { return words_[index]; }

 private:
  std::string db_;
  std::vector<std::string> metavars_;
  std::vector<std::string> words_;
};

/// What --force is for in every verb that writes.
inline constexpr const char* kForceDoc =
    "Also when --now is over a year after the ledger's last time, or in a new one after the wall "
    "clock: the ledger's time cannot go back.";

// The functions below print what went wrong and return an exit code, kDone when all is well.

/// The time that `text` (RFC 3339, empty: the wall clock) means. A ledger takes an earlier one than
/// its last as its last.
int ReadTime(const std::string& text, Io& io, TimeNs* time);

/// The same for a span of time, where 2026-03-01 is the beginning of that day; empty: *time stays.
int ReadMoment(const std::string& text, Io& io, TimeNs* time);

/// What --wait says; prints what is wrong.
int ReadWait(const std::string& text, Io& io, std::chrono::seconds* wait);

enum class NewLedger { kCreate, kRefuse };

/// Whether there is such a ledger, or a file in its place. A database that cannot be asked counts.
bool IsThere(const std::string& db);

/// As in DurableOptions.
struct InDatabase {
  std::string heads = {};
  StandbyTurns* turns = nullptr;
};

/// Opens the ledger `db` to write at the time `now`, which may lie far after its last only with
/// `force`, which is `flag` on the command line: see kLongestTimeJump. While another process holds
/// it, `wait` (whole seconds) may pass.
int OpenLedger(const std::string& db, NewLedger new_ledger, TimeNs now, bool force,
               const std::string& wait, Io& io, std::unique_ptr<DurableEngine>* opened,
               const std::string& flag = "--force", const InDatabase& in_database = {});
/// Both of the above for a verb that cannot do without a ledger.
int OpenLedger(const LedgerFlags& flags, Io& io, std::unique_ptr<DurableEngine>* opened,
               TimeNs* now);

/// What is there of `flags` that needs no ledger: that one is named, and the time.
int ReadLedgerFlags(const LedgerFlags& flags, Io& io, TimeNs* now);

/// Refuses a database where `verb` is for files, and says what to do instead: "for one in a
/// database " and `cure`.
int NeedFile(const std::string& db, const std::string& verb, const std::string& cure, Io& io);

/// Opens the ledger `db` for reading, also beside its writer: all that is read is of this moment.
int OpenMoment(const std::string& db, Io& io, std::unique_ptr<HistoryReader>* moment);
/// The state that the ledger `db` has now, or had at `moment`.
int ReadState(const std::string& db, Io& io, Engine* engine);
int ReadState(const HistoryReader& moment, const std::string& db, Io& io, Engine* engine);

/// Two engines with that state, of one moment, to try at the time `now` what OpenLedger with
/// `force` would write.
int ReadStateTwice(const std::string& db, TimeNs now, bool force, Io& io,
                   std::pair<Engine, Engine>* engines);

/// The decisions of the last cycle before `moment`, made once more.
int RecallLastCycle(const HistoryReader& moment, Io& io, CycleTrace* trace);

/// What a Status about opening or reading a ledger means to the caller.
int FailLedger(const Status& status, const std::string& db, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_LEDGER_H_
