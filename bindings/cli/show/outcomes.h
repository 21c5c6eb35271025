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

/// Adds the workloads that are told to leave now and were not among `before`, Engine::Evicting
/// before the call. Returns how many.
std::size_t AddEvictions(const std::vector<Key>& before, const Engine& engine,
                         std::vector<ObjectOutcome>* outcomes);

/// A line each and, where workloads have to leave, how many: `leaving`; or a JSON list.
void PrintOutcomes(const std::vector<ObjectOutcome>& outcomes, bool json, Io& io,
                   std::size_t leaving = 0);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_OUTCOMES_H_
