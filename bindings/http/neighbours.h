// Neighbours: the services of other ledgers, to which jobs of their LocalQueues are sent on.
#ifndef MUSTER_BINDINGS_HTTP_NEIGHBOURS_H_
#define MUSTER_BINDINGS_HTTP_NEIGHBOURS_H_

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "bindings/http/message.h"
#include "bindings/manifest/manifest.h"
#include "muster/engine.h"

namespace muster::http {

/// Both are called on the engine's thread, and wait for nothing. Empty: there are none.
struct Neighbours {
  /// The URL of the service that has this LocalQueue, where another one has it.
  std::function<std::optional<std::string>(const Key& queue)> url_of;
  /// The LocalQueues of this one, whenever they may have changed.
  std::function<void(std::set<Key> queues)> tell;

  /// 307 to the service that has the LocalQueues of all jobs that were read, at `target` there; 409
  /// where only some of them are there. nullopt: all are to be queued here, or none is known
  /// to have them. O(jobs).
  std::optional<Response> SendOn(const manifest::Manifests& read, const std::string& target) const;
  /// Tells the LocalQueues of `engine`. O(LocalQueues).
  void TellQueues(const Engine& engine) const;
};

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_NEIGHBOURS_H_
