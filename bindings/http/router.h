// Router: the front of several services, of which each has a ledger of its own. It has none, and
// says where to go: a job to the ledger that has its LocalQueue.
#ifndef MUSTER_BINDINGS_HTTP_ROUTER_H_
#define MUSTER_BINDINGS_HTTP_ROUTER_H_

#include <functional>
#include <optional>
#include <string>

#include "bindings/http/transport.h"
#include "bindings/lab/json.h"
#include "muster/status.h"
#include "muster/types.h"

namespace muster::http {

struct RouterOptions {
  std::string listen;
  std::string tokens;  ///< their file; empty: every caller on this machine is answered
  TlsFiles tls;
  lab::Json version;  ///< what /version says
  /// The URL of the service that has a LocalQueue; nullopt: none has it. The io thread, and others.
  std::function<std::optional<std::string>(const Key& queue)> url_of;
  /// What GET /v1/shards answers. It may wait for a database.
  std::function<Result<lab::Json>()> shards;
};

/// Answers until SIGINT or SIGTERM. POST /v1/submit and /v1/apply are 307 to the service of all
/// their jobs, 404 where none has a LocalQueue, 409 where they are not of one ledger. `listening`
/// gets the URL once requests are taken. kInvalidArgument, kUnavailable: it did not begin.
Status Route(const RouterOptions& options,
             const std::function<void(const std::string& url)>& listening);

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_ROUTER_H_
