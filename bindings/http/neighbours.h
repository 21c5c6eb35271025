// Neighbours: the services of other ledgers, to which jobs of their LocalQueues are sent on.
#ifndef MUSTER_BINDINGS_HTTP_NEIGHBOURS_H_
#define MUSTER_BINDINGS_HTTP_NEIGHBOURS_H_

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bindings/http/message.h"
#include "bindings/http/target.h"
#include "bindings/lab/json.h"
#include "bindings/manifest/manifest.h"
#include "db/store_types.h"
#include "muster/command.h"
#include "muster/engine.h"

namespace muster::http {

/// The service of another ledger.
struct Neighbour {
  std::string ledger;
  std::string url;
};

/// The parameter of a call that was sent on: names of the ledgers that do not have its job, with
/// commas between them.
inline constexpr const char* kTried = "tried";

/// Whether a call names one job, so that it is sent on where the job is not here.
bool NamesOneJob(const Target& target);
/// The namespaces of the jobs that these commands are about; none where one of them is about
/// anything else. O(jobs).
std::set<std::string> NamespacesOf(const std::vector<Command>& commands);
/// Whether the engine has any of the jobs that the commands name. O(jobs log workloads).
bool HasAny(const Engine& engine, const std::vector<Command>& commands);

/// Applies manifests or, where there is one, makes a package the active generation, with this
/// caller; why that is refused, or nothing. An error: ask later.
using Taker =
    std::function<Result<std::string>(const std::string& caller, const std::string& manifests,
                                      const std::optional<StoredPolicy>& policy)>;

/// They are called on any thread, and wait for nothing but `shards`. Empty: there are none.
struct Neighbours {
  std::string ledger = {};  ///< of this service; empty: it has none
  /// The URL of the service that has this LocalQueue, where another one has it.
  std::function<std::optional<std::string>(const Key& queue)> url_of;
  /// The LocalQueues of this one, whenever they may have changed.
  std::function<void(std::set<Key> queues)> tell = {};
  /// The other services that have LocalQueues in this namespace, by the names of their ledgers.
  std::function<std::vector<Neighbour>(const std::string& ns)> in_namespace = {};
  /// All ledgers of the database, as GET /v1/shards tells them. It may wait for the database.
  std::function<Result<lab::Json>()> shards = {};
  /// Is given what takes objects of all ledgers for this one, and an empty one before that ends.
  std::function<void(Taker take)> take_by = {};

  /// 307 to the service that has the LocalQueues of all jobs that were read, at `target` there; 409
  /// where only some of them are there. nullopt: all are to be queued here, or none is known
  /// to have them. O(jobs).
  std::optional<Response> SendOn(const manifest::Manifests& read, const std::string& target) const;
  /// 307 to the first service that has LocalQueues in all of these namespaces and was not tried,
  /// for a call about jobs that are not here. Each ledger is tried once, so a call that is sent on
  /// comes to an end. nullopt: there is none, and the call is answered here. O(services log
  /// services).
  std::optional<Response> SendOnByName(const std::set<std::string>& namespaces,
                                       const std::string& target) const;
  /// Tells the LocalQueues of `engine`. O(LocalQueues).
  void TellQueues(const Engine& engine) const;
};

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_NEIGHBOURS_H_
