// One io_context on one thread, so that nothing here needs a lock; sessions end there, too.
#include "bindings/http/transport.h"

#include <sys/resource.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "bindings/http/session.h"
#include "bindings/http/surely.h"
#include "engine/base/shown.h"

namespace muster::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr int kBacklog = 4096;

/// "[::1]:8484" in its two parts; nullopt: it has no port.
std::optional<tcp::endpoint> EndpointOf(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  std::string host = address.substr(0, colon);
  const std::string port = address.substr(colon + 1);
  constexpr std::size_t kDigits = 5;
  if (port.empty() || port.size() > kDigits ||
      port.find_first_not_of("0123456789") != std::string::npos || std::stoi(port) > 65535) {
    return std::nullopt;
  }
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string::npos) {
    return std::nullopt;
  }
  if (host == "localhost") host = "127.0.0.1";
  error_code error;
  const asio::ip::address ip = asio::ip::make_address(host, error);
  if (error) return std::nullopt;
  return tcp::endpoint(ip, static_cast<std::uint16_t>(std::stoi(port)));
}

Status BadTls(const std::string& file, const error_code& error) {
  return Status(StatusCode::kInvalidArgument, file + ": " + error.message());
}

/// TLS 1.2 and later, with the choices of OpenSSL as Debian has it.
Status LoadTls(const TlsFiles& files, asio::ssl::context* tls) {
  error_code error;
  if (SSL_CTX_set_min_proto_version(tls->native_handle(), TLS1_2_VERSION) != 1) {
    return Status(StatusCode::kInternal, "OpenSSL has no TLS 1.2");
  }
  tls->use_certificate_chain_file(files.certificate, error);
  if (error) return BadTls(files.certificate, error);
  tls->use_private_key_file(files.key, asio::ssl::context::pem, error);
  if (error) return BadTls(files.key, error);
  return Status::Ok();
}

}  // namespace

Status CheckAddress(const std::string& address, bool this_machine_only) {
  const std::optional<tcp::endpoint> endpoint = EndpointOf(address);
  if (!endpoint) {
    return Status(
        StatusCode::kInvalidArgument,
        "'" + Shown(address) + "' is no address; write one such as 127.0.0.1:8484 or [::1]:8484");
  }
  if (!this_machine_only || endpoint->address().is_loopback()) return Status::Ok();
  return Status(StatusCode::kInvalidArgument,
                "'" + Shown(address) +
                    "' is no address of this machine alone, and without tokens every caller may do "
                    "everything; listen on 127.0.0.1:8484, or give --tokens FILE");
}

struct Transport::State {
  State() : acceptor(io), retry(io), grace(io), signals(io) { shared.io = &io; }
  ~State() { shared.on_idle = nullptr; }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void Accept() {
    Surely([this] {
      acceptor.async_accept(
          [this](error_code error, tcp::socket socket) { Accepted(error, std::move(socket)); });
    });
  }

  void Accepted(error_code error, tcp::socket socket) {
    if (shared.draining) return;
    if (error) {  // no descriptor is left, most likely
      retry.expires_after(std::chrono::milliseconds(100));
      return Surely([this] {
        retry.async_wait([this](error_code ended) {
          if (!ended) Accept();
        });
      });
    }
    try {
      if (shared.sessions.size() < shared.limits.connections) {
        BeginSession(std::move(socket), shared);
      }
    } catch (...) {  // others are still to be taken
      LogCaught("a connection");
    }
    Accept();
  }

  void Drain() {
    if (std::exchange(shared.draining, true)) return;
    error_code ignored;
    acceptor.close(ignored);
    retry.cancel();
    signals.cancel(ignored);
    signals.clear(ignored);  // a second signal ends the process
    if (on_stop) on_stop();
    const std::set<Session*> sessions = shared.sessions;
    for (Session* const session : sessions) session->CloseIfIdle();
    grace.expires_after(shared.limits.stop);
    grace.async_wait([this](error_code error) {
      if (!error) io.stop();
    });
    if (shared.sessions.empty()) shared.on_idle();
  }

  // Sessions end before what they use: the handlers of io own them.
  asio::ssl::context tls{asio::ssl::context::tls_server};
  SessionsShared shared;
  asio::io_context io{1};
  tcp::acceptor acceptor;
  asio::steady_timer retry;
  asio::steady_timer grace;
  asio::signal_set signals;
  std::function<void()> on_stop;
  std::string url;
};

Result<std::unique_ptr<Transport>> Transport::Listen(const std::string& address, http::Begin begin,
                                                     const TlsFiles& tls,
                                                     const TransportLimits& limits) {
  const std::optional<tcp::endpoint> endpoint = EndpointOf(address);
  if (!endpoint) return CheckAddress(address, /*this_machine_only=*/false);
  auto state = std::make_unique<State>();
  state->shared.begin = std::move(begin);
  state->shared.limits = limits;
  State& s = *state;
  if (!tls.certificate.empty()) {
    if (Status status = LoadTls(tls, &s.tls); !status.ok()) return status;
    s.shared.tls = &s.tls;
  }
  s.shared.on_idle = [&s] { s.grace.cancel(); };
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
    files.rlim_cur = files.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &files);
  }
  error_code error;
  s.acceptor.open(endpoint->protocol(), error);
  if (!error) s.acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) s.acceptor.bind(*endpoint, error);
  if (!error) s.acceptor.listen(kBacklog, error);
  if (error) {
    return Status(StatusCode::kUnavailable, "cannot listen on " + address + ": " + error.message());
  }
  // From here on a signal waits for Run.
  error_code ignored;
  s.signals.add(SIGINT, ignored);
  s.signals.add(SIGTERM, ignored);
  const tcp::endpoint bound = s.acceptor.local_endpoint(error);
  const std::string host = bound.address().to_string();
  s.url = (s.shared.tls != nullptr ? "https://" : "http://") +
          (bound.address().is_v6() ? "[" + host + "]" : host) + ":" + std::to_string(bound.port());
  return std::unique_ptr<Transport>(new Transport(std::move(state)));
}

Transport::Transport(std::unique_ptr<State> state) : state_(std::move(state)) {}

Transport::~Transport() = default;

const std::string& Transport::url() const { return state_->url; }

void Transport::Run(std::function<void()> on_stop) {
  State& s = *state_;
  s.on_stop = std::move(on_stop);
  s.signals.async_wait([&s](error_code error, int) {
    if (!error) s.Drain();
  });
  s.Accept();
  for (;;) {
    try {
      s.io.run();
      return;
    } catch (...) {  // of one session, which ends with it
      LogCaught("a request");
    }
  }
}

void Transport::Stop() {
  asio::post(state_->io, [&s = *state_] { s.Drain(); });
}

void Transport::Post(std::function<void()> work) { asio::post(state_->io, std::move(work)); }

void Transport::After(std::chrono::nanoseconds delay, std::function<void()> work) {
  if (delay <= std::chrono::nanoseconds::zero()) return Post(std::move(work));
  const auto timer = std::make_shared<asio::steady_timer>(state_->io, delay);
  timer->async_wait([timer, work = std::move(work)](error_code error) {
    if (!error) work();
  });
}

}  // namespace muster::http
