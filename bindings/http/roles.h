// Roles: what a caller may do, and what it sees.
//
// What a call is about decides, not the path alone: a submitter's jobs stand in its namespaces, an
// owner's bindings bind its queues. Reading is filtered in the same way.
#ifndef MUSTER_BINDINGS_HTTP_ROLES_H_
#define MUSTER_BINDINGS_HTTP_ROLES_H_

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/http/problem.h"
#include "bindings/http/tokens.h"
#include "bindings/http/views.h"
#include "muster/engine.h"

namespace muster::http {

/// Whose request it is.
struct Caller {
  std::string name;
  Role role = Role::kViewer;
  std::vector<std::string> of;
  std::string hash = {};  ///< of the token; empty: there are none

  /// It sees everything.
  bool SeesAll() const;
  /// What the ledger has of whose call it was: the token's name; empty where there are none.
  std::string Signature() const { return hash.empty() ? std::string() : name; }
};

/// What a path does.
enum class Act { kPublic, kRead, kApply, kSubmit, kCommand, kReport, kStop, kTokens };

/// Why a caller of this role can never do that; nullopt: it depends on what about.
std::optional<Refusal> Forbids(const Caller& caller, Act act);

/// Why the caller may not have this command carried out; nullopt: it may.
std::optional<Refusal> Forbids(const Caller& caller, const Engine& engine, const Command& command);

/// Why the caller may not submit or apply these; nullopt: it may. O(objects x its queues).
std::optional<Refusal> Forbids(const Caller& caller, const Engine& engine,
                               std::span<const Object> objects);

/// What a caller sees of an engine as it is now.
class Sight {
 public:
  /// O(queues) where the caller does not see everything.
  Sight(const Caller& caller, const Engine& engine);

  /// Whether it sees objects of this kind ("accounts") at all.
  bool SeesKind(std::string_view kind) const;
  bool Sees(std::string_view kind, const Subject& subject) const;
  /// ClusterQueues that the caller is of, also through a cohort above.
  const std::set<std::string>& own_queues() const { return own_queues_; }

 private:
  bool all_;
  std::set<std::string> own_queues_;   ///< with everything in them
  std::set<std::string> seen_queues_;  ///< that its namespaces lead to
  std::set<std::string> cohorts_;
  std::set<std::string> namespaces_;
  std::set<Key> local_queues_;
};

/// Whether the workload is there and seen.
bool WorkloadIsSeen(const Sight& sight, const Engine& engine, const Key& key);

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_ROLES_H_
