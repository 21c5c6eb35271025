// What a call did to each object: a line each, or a JSON list.
#ifndef MUSTER_BINDINGS_CLI_SHOW_OUTCOMES_H_
#define MUSTER_BINDINGS_CLI_SHOW_OUTCOMES_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/io.h"
#include "muster/engine.h"

namespace muster::cli {

struct ObjectOutcome {
  std::string kind;
  std::string name;    ///< with its namespace, where it has one
  std::string result;  ///< "created", "finished", "unchanged"
};

/// What Engine::Apply said about `objects`.
std::vector<ObjectOutcome> ApplyOutcomes(std::span<const Object> objects,
                                         std::span<const Applied> applied);

void PrintOutcomes(const std::vector<ObjectOutcome>& outcomes, bool json, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_OUTCOMES_H_
