// Session: one connection, whose requests come one after the other. Only transport.cc sees it.
// It lives and ends on the thread of its io_context: a Reply keeps its session, and whichever
// thread lets go of the last one, the session ends there.
#ifndef MUSTER_BINDINGS_HTTP_SESSION_H_
#define MUSTER_BINDINGS_HTTP_SESSION_H_

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <functional>
#include <set>
#include <thread>

#include "bindings/http/message.h"
#include "bindings/http/transport.h"

namespace muster::http {

class Session {
 public:
  Session() = default;
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Ends what waits between two requests.
  virtual void CloseIfIdle() = 0;
};

/// What all sessions of a transport know.
struct SessionsShared {
  boost::asio::io_context* io = nullptr;
  std::thread::id thread = std::this_thread::get_id();  ///< that runs and destroys `io`
  Begin begin;
  TransportLimits limits;
  boost::asio::ssl::context* tls = nullptr;  ///< null: in the clear
  std::set<Session*> sessions;
  bool draining = false;
  std::function<void()> on_idle;  ///< the last session has ended, and nothing new is taken
};

/// Serves the connection until it ends.
void BeginSession(boost::asio::ip::tcp::socket socket, SessionsShared& shared);

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_SESSION_H_
