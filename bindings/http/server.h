// Serve: an admission service over HTTP, from a ledger that is open. `muster serve` is this.
#ifndef MUSTER_BINDINGS_HTTP_SERVER_H_
#define MUSTER_BINDINGS_HTTP_SERVER_H_

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "bindings/http/neighbours.h"
#include "bindings/http/rates.h"
#include "bindings/http/transport.h"
#include "bindings/http/views.h"
#include "bindings/lab/json.h"
#include "muster/durable_engine.h"
#include "muster/policy_reloader.h"

namespace muster::http {

struct ServeOptions {
  std::string listen = "127.0.0.1:8484";
  std::string db;                      ///< the ledger's file
  std::string tokens;                  ///< their file; empty: none
  RateLimits rates;                    ///< of each token
  TlsFiles tls;                        ///< empty: without
  std::chrono::milliseconds tick{10};  ///< the least time between two cycles
  std::vector<ReloadOptions> watched;  ///< policy packages that are taken when they are saved
  std::function<std::vector<ReloadOptions>()> packages;  ///< see EngineRoomOptions
  lab::Json version;                                     ///< what /version says
  Neighbours neighbours;
};

/// Serves until SIGINT or SIGTERM, then answers or refuses what is under way and settles the
/// ledger, all within two seconds. `listening` gets the URL once requests are taken. Without tokens
/// every caller may do everything, so only this machine's own addresses are taken.
/// kInvalidArgument, kUnavailable: it did not begin. Otherwise why the engine has closed, if it
/// has.
Status Serve(DurableEngine& engine, const ServeOptions& options, const Views& views,
             const std::function<void(const std::string& url)>& listening);

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_SERVER_H_
