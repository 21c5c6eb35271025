// Workloads as people name them on a command line.
#ifndef MUSTER_BINDINGS_CLI_WORLD_WORKLOAD_NAMES_H_
#define MUSTER_BINDINGS_CLI_WORLD_WORKLOAD_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/io.h"
#include "muster/engine.h"

namespace muster::cli {

/// `words`, where "-" stands for the words of standard input, which names no `what` when there are
/// none. Prints what is wrong and returns an exit code, kDone when all is well.
int ReadWords(const std::vector<std::string>& words, std::string_view verb, std::string_view what,
              Io& io, std::vector<std::string>* all);

/// "NAMESPACE/NAME" each, or NAME in namespace `ns`; "-" stands for the words of standard input.
/// Prints what is wrong and returns an exit code, kDone when all is well.
int ParseKeys(const std::vector<std::string>& words, const std::string& ns, std::string_view verb,
              Io& io, std::vector<Key>* keys);

/// What `key` means: the workload of that name, else `job-NAME`, which a Job NAME has become. `key`
/// itself when there is neither.
Key ResolveWorkload(const Engine& engine, const Key& key);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_WORKLOAD_NAMES_H_
