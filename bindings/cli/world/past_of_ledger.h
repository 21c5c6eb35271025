// The past of a ledger on the command line, for verbs that play it again.
#ifndef MUSTER_BINDINGS_CLI_WORLD_PAST_OF_LEDGER_H_
#define MUSTER_BINDINGS_CLI_WORLD_PAST_OF_LEDGER_H_

#include <functional>
#include <map>
#include <set>
#include <string>

#include "bindings/cli/io.h"
#include "bindings/simulate/backtest.h"
#include "bindings/simulate/past.h"
#include "db/store_types.h"

namespace muster::cli {

struct PastOfLedger {
  simulate::Past past;
  std::string resource;                                       ///< that is counted
  std::map<std::string, StoredPolicy, std::less<>> policies;  ///< by hash

  /// Loads those packages; may be called on any thread.
  simulate::LoadPolicy Loader() const;
};

/// Reads the past of the ledger `db` until that time; kNoTime: all of it. `resource` is what
/// --resource says. Prints what is wrong and returns an exit code, kDone when all is well.
int ReadPastOf(const std::string& db, TimeNs until, const std::string& resource, Io& io,
               PastOfLedger* read);

/// The resource that sizes count: `named`, else the only one of `covered`, else the only one whose
/// name ends in /gpu. As above.
int ChooseResource(const std::set<std::string>& covered, const std::string& named, Io& io,
                   std::string* resource);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_PAST_OF_LEDGER_H_
