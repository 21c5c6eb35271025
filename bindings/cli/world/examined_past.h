// The past of a ledger or of a log on the command line, asked when its jobs would start.
#ifndef MUSTER_BINDINGS_CLI_WORLD_EXAMINED_PAST_H_
#define MUSTER_BINDINGS_CLI_WORLD_EXAMINED_PAST_H_

#include <cstddef>
#include <memory>
#include <string>

#include "bindings/cli/io.h"
#include "bindings/eta/examine.h"
#include "db/store.h"

namespace muster::cli {

// The functions below print what is wrong and return an exit code, kDone when all is well.

/// What --questions says: a whole number, 0 too.
int ReadQuestions(const std::string& text, Io& io, std::size_t* questions);

/// ExaminedPast of the ledger called `db`.
int ExaminePast(const StoredHistory& ledger, const std::string& db, std::size_t questions,
                const eta::EstimateOptions& estimate, Io& io,
                std::unique_ptr<eta::Examiner>* examiner);

/// Reads `ledger`, which must outlive the examiner, and asks about `questions` of its jobs that had
/// to wait, evenly chosen; about all where they are fewer.
Result<std::unique_ptr<eta::Examiner>> ExaminedPast(const StoredHistory& ledger,
                                                    std::size_t questions,
                                                    const eta::EstimateOptions& estimate);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_EXAMINED_PAST_H_
