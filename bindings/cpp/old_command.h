// OldCommand: what a call of the engine was given, by the events that it left. Ledgers keep the
// command itself since version 3; this is how older ones are repeated.
#ifndef MUSTER_BINDINGS_CPP_OLD_COMMAND_H_
#define MUSTER_BINDINGS_CPP_OLD_COMMAND_H_

#include <span>
#include <string_view>

#include "muster/engine.h"

namespace muster {

/// A command that does what the call did to `engine`, which is in the state before it. kDataLoss
/// when `events` cannot be read or are not those of a call named `name`.
Result<Command> OldCommand(std::string_view name, std::span<const Event> events,
                           const Engine& engine);

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_OLD_COMMAND_H_
