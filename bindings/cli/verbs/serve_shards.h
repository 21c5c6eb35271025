// muster serve --shards: every ledger of a database, shared with the other instances that serve
// them.
#ifndef MUSTER_BINDINGS_CLI_VERBS_SERVE_SHARDS_H_
#define MUSTER_BINDINGS_CLI_VERBS_SERVE_SHARDS_H_

#include "bindings/cli/io.h"
#include "bindings/cli/verbs/serve_words.h"
#include "bindings/http/server.h"

namespace muster::cli {

/// Answers at `options.listen` until it is told to stop, and runs a process of this program for
/// each ledger that is its share; with `standby`, one for each other ledger, too, which follows it
/// and is ready to take it. An exit code.
int ServeShards(const ServeWords& words, bool standby, const http::ServeOptions& options, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_VERBS_SERVE_SHARDS_H_
