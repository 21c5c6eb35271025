// Router: the front of several services, of which each has a ledger of its own. It has none, and
// says where to go: a job to the ledger that has its LocalQueue.
#ifndef MUSTER_BINDINGS_HTTP_ROUTER_H_
#define MUSTER_BINDINGS_HTTP_ROUTER_H_

#include <functional>
#include <string>

#include "bindings/http/neighbours.h"
#include "bindings/http/transport.h"
#include "bindings/lab/json.h"
#include "muster/status.h"

namespace muster::http {

struct RouterOptions {
  std::string listen;
  std::string tokens;  ///< their file; empty: every caller on this machine is answered
  TlsFiles tls;
  lab::Json version;      ///< what /version says
  Neighbours neighbours;  ///< all services there are
};

/// Answers until SIGINT or SIGTERM. POST /v1/submit and /v1/apply are 307 to the service of all
/// their jobs, 404 where none has a LocalQueue, 409 where they are not of one ledger. Calls about
/// jobs by name are 307 to the first service with LocalQueues in their namespace, which sends them
/// on where it does not have them. `listening` gets the URL once requests are taken.
/// kInvalidArgument, kUnavailable: it did not begin.
Status Route(const RouterOptions& options,
             const std::function<void(const std::string& url)>& listening);

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_ROUTER_H_
