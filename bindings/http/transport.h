// Transport: HTTP/1.1 over TCP or TLS, on one thread. Everything of Boost stays in its sources.
//
// Each connection has one request under way at a time. Reads and writes have time limits, heads and
// bodies size limits, and there are limits on connections. What is not HTTP as RFC 9112 has it is
// refused: two lengths, a length beside chunks, another coding than chunks, two hosts or none.
#ifndef MUSTER_BINDINGS_HTTP_TRANSPORT_H_
#define MUSTER_BINDINGS_HTTP_TRANSPORT_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "bindings/http/message.h"
#include "muster/status.h"

namespace muster::http {

struct TransportLimits {
  std::size_t connections = 12'000;
  std::size_t head_bytes = std::size_t{16} << 10;
  std::chrono::seconds idle{75};   ///< between two requests
  std::chrono::seconds head{10};   ///< from the first byte of a request to the end of its head
  std::chrono::seconds body{30};   ///< to the end of its body
  std::chrono::seconds write{30};  ///< of a response
  std::chrono::milliseconds stop{1500};  ///< from Stop until what is still open is closed
};

/// Files in PEM: the certificate with those that vouch for it, and its key. Empty: no TLS.
struct TlsFiles {
  std::string certificate;
  std::string key;
};

class Transport {
 public:
  /// Binds `address`, as "127.0.0.1:8484", "[::1]:0", "localhost:8484". kInvalidArgument when it
  /// is none or the files are no certificate and its key, kUnavailable when it cannot be bound.
  static Result<std::unique_ptr<Transport>> Listen(const std::string& address, Begin begin,
                                                   const TlsFiles& tls = {},
                                                   const TransportLimits& limits = {});
  ~Transport();
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  /// "http://127.0.0.1:8484", with the port that was bound; "https://..." with TLS.
  const std::string& url() const;
  /// On the thread that called Listen. Serves until Stop, or SIGINT or SIGTERM, which call
  /// `on_stop` first. Then what is under way is answered, nothing new is taken, and after
  /// TransportLimits::stop it returns in any case.
  void Run(std::function<void()> on_stop);
  /// From any thread.
  void Stop();
  /// Runs `work` on the thread of Run; from any thread.
  void Post(std::function<void()> work);
  /// The same, not before `delay` is over, and on that thread only.
  void After(std::chrono::nanoseconds delay, std::function<void()> work);

 private:
  struct State;
  explicit Transport(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// kInvalidArgument when Listen would not take `address`, or others than this machine reach it and
/// are not to.
Status CheckAddress(const std::string& address, bool this_machine_only);

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_TRANSPORT_H_
