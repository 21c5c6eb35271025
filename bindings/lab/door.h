// What the program refuses of a command that an engine would take. An engine repeats histories in
// which such commands were taken, so it cannot refuse them itself.
#ifndef MUSTER_BINDINGS_LAB_DOOR_H_
#define MUSTER_BINDINGS_LAB_DOOR_H_

#include "muster/command.h"
#include "muster/engine.h"

namespace muster::lab {

/// kInvalidArgument for a reason or a hash that is none. kNotFound for what would change nothing
/// and answer as if it had: a configuration that is not there, a package that is not active.
/// Throws lab::Refused when the engine is closed.
Status CheckAtDoor(const Engine& engine, const Command& command);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_DOOR_H_
