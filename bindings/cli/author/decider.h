// What decides in one of two runs that are compared, as people name it.
#ifndef MUSTER_BINDINGS_CLI_AUTHOR_DECIDER_H_
#define MUSTER_BINDINGS_CLI_AUTHOR_DECIDER_H_

#include <string>

#include "bindings/cli/io.h"
#include "bindings/lab/activate.h"

namespace muster::cli {

/// `word`: native, active, the folder of a package, or NAME@HASH for a generation that the ledger
/// `db` has stored, HASH being at least the beginning of its hash. Prints what is wrong and returns
/// an exit code, kDone when all is well.
int ReadDecider(const std::string& word, const std::string& db, Io& io, lab::Decider* decider);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_AUTHOR_DECIDER_H_
