// What a call did to each object: a line each, or a JSON list.
#ifndef MUSTER_BINDINGS_CLI_SHOW_OUTCOMES_H_
#define MUSTER_BINDINGS_CLI_SHOW_OUTCOMES_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/cli/json.h"
#include "muster/engine.h"

namespace muster::cli {

struct ObjectOutcome {
  std::string kind;
  std::string name;                                  ///< with its namespace, where it has one
  std::string result;                                ///< "created", "finished", "unchanged"
  std::optional<PolicyFailure> submit_failure = {};  ///< so it was queued as submitted
};

/// What Engine::Apply said about `objects`.
std::vector<ObjectOutcome> ApplyOutcomes(std::span<const Object> objects,
                                         std::span<const Applied> applied,
                                         std::span<const PolicyFailure> failures);

/// Adds the workloads that are told to leave: those whose eviction is under way `after` a call and
/// was not `before` it. Returns how many.
std::size_t AddEvictions(const std::vector<Key>& before, const std::vector<Key>& after,
                         std::vector<ObjectOutcome>* outcomes);

/// A line each and, where workloads have to leave, how many: `leaving`; or a JSON list.
void PrintOutcomes(const std::vector<ObjectOutcome>& outcomes, bool json, Io& io,
                   std::size_t leaving = 0);

inline constexpr const char* kQuietDoc =
    "Print only how many objects of each kind were created, changed and left alone, and errors.";

/// What Engine::Apply did, for verbs that read manifests.
struct AppliedReport {
  std::vector<ObjectOutcome> outcomes;
  std::size_t leaving = 0;  ///< of them workloads that are told to leave
};

/// As PrintOutcomes and, where there is more than one object, how many of each kind were created,
/// changed and left alone. `quiet`: nothing but that, and how many warnings were not printed.
void PrintApplied(const AppliedReport& report, bool json, bool quiet, Io& io);

/// The outcomes as `-o json` lists them.
Json OutcomesJson(std::span<const ObjectOutcome> outcomes);
/// {"ClusterQueue": {"created": 2, "changed": 0, "unchanged": 1}, ...}
Json TotalsJson(std::span<const ObjectOutcome> outcomes);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_OUTCOMES_H_
