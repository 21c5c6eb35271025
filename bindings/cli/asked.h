// muster --server URL --token TOKEN VERB ...: a verb that asks a service instead of a ledger.
#ifndef MUSTER_BINDINGS_CLI_ASKED_H_
#define MUSTER_BINDINGS_CLI_ASKED_H_

#include <optional>
#include <string>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/flags.h"
#include "bindings/cli/io.h"

namespace muster::cli {

/// What a command line says of a service; empty: nothing.
struct ServiceWords {
  std::string server;
  std::string token;
};

/// Takes `--server URL` and `--token TOKEN` out of `args`, wherever they stand; what is wrong with
/// them, or nullopt.
std::optional<std::string> TakeServiceWords(std::vector<std::string>* args, ServiceWords* words);

/// Runs the verb, whose options are parsed: on a service where the command line names one, or
/// where `io` does and the verb can do there what it was told; else here.
int RunOrAsk(Command& command, const Flags& flags, const ServiceWords& words, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_ASKED_H_
