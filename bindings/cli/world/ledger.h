// Ledgers on the command line: opening one for writing, reading its last cycle, telling the time.
#ifndef MUSTER_BINDINGS_CLI_WORLD_LEDGER_H_
#define MUSTER_BINDINGS_CLI_WORLD_LEDGER_H_

#include <memory>
#include <string>

#include "bindings/cli/flags.h"
#include "bindings/cli/io.h"
#include "muster/durable_engine.h"

namespace muster::cli {

/// Options of every verb that writes into a ledger.
struct LedgerFlags {
  std::string db;
  std::string now;

  /// --db and --now.
  void Declare(Flags& flags);
};

// The functions below print what went wrong and return an exit code, kDone when all is well.

/// The time that `text` (RFC 3339, empty: the wall clock) means. A ledger takes an earlier one than
/// its last as its last.
int ReadTime(const std::string& text, Io& io, TimeNs* time);

enum class NewLedger { kCreate, kRefuse };

/// Opens the ledger `db` for writing.
int OpenLedger(const std::string& db, NewLedger new_ledger, Io& io,
               std::unique_ptr<DurableEngine>* opened);
/// Both of the above for a verb that cannot do without a ledger.
int OpenLedger(const LedgerFlags& flags, Io& io, std::unique_ptr<DurableEngine>* opened,
               TimeNs* now);

/// The state of the ledger `db`, also beside its writer.
int ReadState(const std::string& db, Io& io, Engine* engine);

/// The decisions of the last cycle in the ledger `db`, made once more.
int RecallLastCycle(const std::string& db, Io& io, CycleTrace* trace);

/// What a Status about opening or reading a ledger means to the caller.
int FailLedger(const Status& status, const std::string& db, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_LEDGER_H_
