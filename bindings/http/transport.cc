// One io_context on one thread, so that nothing here needs a lock. A session reads a head, asks
// what to do with it, reads the body, and sends the answer when that comes; then the next request.
#include "bindings/http/transport.h"

#include <sys/resource.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <csignal>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "bindings/http/problem.h"
#include "bindings/http/target.h"
#include "engine/base/caught.h"
#include "muster/log.h"

namespace muster::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kReadAhead = 4096;                    // bytes of a first read
constexpr std::size_t kMostDrained = std::size_t{1} << 20;  // of a body that is not wanted
constexpr std::chrono::seconds kDrain{2};
constexpr int kBacklog = 4096;

class Session;

struct Shared {
  Begin begin;
  TransportLimits limits;
  std::set<Session*> sessions;
  bool draining = false;
  std::function<void()> on_idle;  ///< the last session has ended, and nothing new is taken
};

Refusal Bad(std::string message) {
  return {
      400, "InvalidArgument", std::move(message), "send HTTP/1.1 as RFC 9112 has it", {"header"}};
}

/// What is wrong with a head that the parser took.
std::optional<Refusal> CheckHead(const Head& head, unsigned version) {
  if (head.Count("host") > 1) return Bad("there are two Host fields");
  if (version >= 11 && head.Count("host") == 0) return Bad("there is no Host field");
  if (head.Count("content-length") > 1) return Bad("there are two Content-Length fields");
  if (head.Count("transfer-encoding") > 0) {
    if (head.Count("transfer-encoding") > 1 || head.Field("transfer-encoding") != "chunked") {
      return Bad("Transfer-Encoding takes chunked alone");
    }
    if (version < 11) return Bad("HTTP/1.0 has no chunks");
  }
  for (const char* once : {"authorization", "content-type", "origin", "last-event-id"}) {
    if (head.Count(once) > 1) return Bad(std::string("field ") + once + " stands twice");
  }
  if (head.target.size() > kMaxTarget) {
    return Refusal{414,
                   "InvalidArgument",
                   "the target has more than " + std::to_string(kMaxTarget) + " bytes",
                   "",
                   {}};
  }
  for (const auto& [name, value] : head.fields) {
    if (!IsUtf8(value)) return Bad("a field is not UTF-8");
  }
  return std::nullopt;
}

Refusal TooLong(std::size_t most) {
  return {413,
          "ResourceExhausted",
          "the body has more than " + std::to_string(most) + " bytes",
          "send it in several requests",
          {"body"}};
}

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, Shared& shared) : stream_(std::move(socket)), shared_(shared) {
    shared_.sessions.insert(this);
    error_code error;
    stream_.socket().set_option(tcp::no_delay(true), error);
    const tcp::endpoint peer = stream_.socket().remote_endpoint(error);
    if (!error) peer_ = peer.address().to_string();
  }

  ~Session() {
    shared_.sessions.erase(this);
    if (shared_.sessions.empty() && shared_.draining && shared_.on_idle) shared_.on_idle();
  }

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Waits for the first byte of a request.
  void Begin() {
    if (buffer_.size() > 0) return ReadHead();
    if (shared_.draining) return Close();
    idle_ = true;
    stream_.expires_after(shared_.limits.idle);
    stream_.async_read_some(buffer_.prepare(kReadAhead),
                            [self = shared_from_this()](error_code error, std::size_t bytes) {
                              self->idle_ = false;
                              if (error) return self->Close();
                              self->buffer_.commit(bytes);
                              self->ReadHead();
                            });
  }

  /// Ends what waits between two requests.
  void CloseIfIdle() {
    if (idle_) Close();
  }

  void Close() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
    stream_.close();
  }

 private:
  void ReadHead() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(shared_.limits.head_bytes));
    parser_->body_limit(std::numeric_limits<std::uint64_t>::max());
    keep_ = false;
    no_body_ = false;
    stream_.expires_after(shared_.limits.head);
    bhttp::async_read_header(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->OnHead(error); });
  }

  void OnHead(error_code error) {
    if (error == bhttp::error::header_limit) {
      return Send(Refuse(
          Refusal{431,
                  "ResourceExhausted",
                  "the head has more than " + std::to_string(shared_.limits.head_bytes) + " bytes",
                  "",
                  {}}));
    }
    if (error && error.category() == make_error_code(bhttp::error::bad_method).category() &&
        error != bhttp::error::end_of_stream && error != bhttp::error::partial_message) {
      return Send(Refuse(Bad("this is no HTTP request: " + error.message())));
    }
    if (error) return Close();
    const bhttp::request<bhttp::string_body>& request = parser_->get();
    const Head head = HeadOf(request);
    no_body_ = head.method == "HEAD";
    if (const auto wrong = CheckHead(head, request.version())) return Send(Refuse(*wrong));
    keep_ = request.keep_alive();
    Verdict verdict = shared_.draining ? Verdict(Stopping()) : shared_.begin(head);
    if (Response* const refused = std::get_if<Response>(&verdict)) {
      keep_ = keep_ && parser_->is_done();
      return Send(std::move(*refused));
    }
    accepted_ = std::get<Accepted>(std::move(verdict));
    if (head.body_bytes.value_or(0) > accepted_.most_bytes) {
      keep_ = false;
      return Send(Refuse(TooLong(accepted_.most_bytes)));
    }
    if (head.Count("expect") == 0 || parser_->is_done()) return ReadBody();
    if (head.Field("expect") != "100-continue") {
      keep_ = false;
      return Send(Refuse(Refusal{
          417, "InvalidArgument", "only 100-continue may be expected", "", {"header", "expect"}}));
    }
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    asio::async_write(stream_, asio::buffer(kContinue),
                      [self = shared_from_this()](error_code failed, std::size_t) {
                        if (failed) return self->Close();
                        self->ReadBody();
                      });
  }

  Head HeadOf(const bhttp::request<bhttp::string_body>& request) const {
    Head head;
    head.method = std::string(request.method_string());
    head.target = std::string(request.target());
    head.peer = peer_;
    for (const auto& field : request) {
      std::string name(field.name_string());
      for (char& c : name) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      }
      head.fields.emplace_back(std::move(name), std::string(field.value()));
    }
    head.chunked = parser_->chunked();
    if (const auto length = parser_->content_length()) head.body_bytes = *length;
    return head;
  }

  void ReadBody() {
    parser_->body_limit(accepted_.most_bytes);
    stream_.expires_after(shared_.limits.body);
    bhttp::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->OnBody(error); });
  }

  void OnBody(error_code error) {
    if (error) keep_ = false;
    if (error == bhttp::error::body_limit) return Send(Refuse(TooLong(accepted_.most_bytes)));
    if (error && error.category() == make_error_code(bhttp::error::bad_method).category() &&
        error != bhttp::error::end_of_stream && error != bhttp::error::partial_message) {
      return Send(Refuse(Bad("the body is no HTTP: " + error.message())));
    }
    if (error) return Close();
    stream_.expires_never();  // the answer takes its time
    std::string body = std::move(parser_->get().body());
    const auto go = std::move(accepted_.go);
    accepted_ = {};
    go(std::move(body),
       [self = shared_from_this()](Response response) { self->Send(std::move(response)); });
  }

  void Send(Response response) {
    response_.emplace();
    response_->version(11);
    response_->result(static_cast<unsigned>(response.status));
    response_->set(bhttp::field::content_type, response.type);
    response_->set(bhttp::field::cache_control, "no-store");
    response_->set("X-Content-Type-Options", "nosniff");
    for (const auto& [name, value] : response.fields) response_->set(name, value);
    keep_ = keep_ && !shared_.draining;
    response_->keep_alive(keep_);
    response_->content_length(response.body.size());
    if (!no_body_) response_->body() = std::move(response.body);
    stream_.expires_after(shared_.limits.write);
    serializer_.emplace(*response_);
    const auto sent = [self = shared_from_this()](error_code error, std::size_t) {
      self->serializer_.reset();
      self->response_.reset();
      if (error) return self->Close();
      if (self->keep_) return self->Begin();
      self->Drain();
    };
    // The length that is told of the answer to a HEAD is of a body that does not follow.
    if (no_body_) return bhttp::async_write_header(stream_, *serializer_, sent);
    bhttp::async_write(stream_, *serializer_, sent);
  }

  /// What still comes is read for a while: closing before would take the answer from the peer.
  void Drain() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    buffer_.clear();
    stream_.expires_after(kDrain);
    DrainMore(0);
  }

  void DrainMore(std::size_t drained) {
    stream_.async_read_some(buffer_.prepare(kReadAhead), [self = shared_from_this(), drained](
                                                             error_code error, std::size_t bytes) {
      if (error || drained + bytes > kMostDrained) return self->Close();
      self->DrainMore(drained + bytes);
    });
  }

  beast::tcp_stream stream_;
  Shared& shared_;
  std::string peer_;
  beast::flat_buffer buffer_;
  std::optional<bhttp::request_parser<bhttp::string_body>> parser_;
  std::optional<bhttp::response<bhttp::string_body>> response_;
  std::optional<bhttp::response_serializer<bhttp::string_body>> serializer_;
  Accepted accepted_;
  bool keep_ = false;
  bool no_body_ = false;
  bool idle_ = false;
};

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

}  // namespace

bool IsLoopback(const std::string& address) {
  const std::optional<tcp::endpoint> endpoint = EndpointOf(address);
  return endpoint && endpoint->address().is_loopback();
}

struct Transport::State {
  State() : acceptor(io), retry(io), grace(io), signals(io) {}
  ~State() { shared.on_idle = nullptr; }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void Accept() {
    acceptor.async_accept([this](error_code error, tcp::socket socket) {
      if (shared.draining) return;
      if (error) {  // no descriptor is left, most likely
        retry.expires_after(std::chrono::milliseconds(100));
        return retry.async_wait([this](error_code ended) {
          if (!ended) Accept();
        });
      }
      if (shared.sessions.size() < shared.limits.connections) {
        std::make_shared<Session>(std::move(socket), shared)->Begin();
      }
      Accept();
    });
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
  Shared shared;
  asio::io_context io{1};
  tcp::acceptor acceptor;
  asio::steady_timer retry;
  asio::steady_timer grace;
  asio::signal_set signals;
  std::function<void()> on_stop;
  std::string url;
};

Result<std::unique_ptr<Transport>> Transport::Listen(const std::string& address, http::Begin begin,
                                                     const TransportLimits& limits) {
  const std::optional<tcp::endpoint> endpoint = EndpointOf(address);
  if (!endpoint) {
    return Status(
        StatusCode::kInvalidArgument,
        "'" + address + "' is no address; write one such as 127.0.0.1:8484 or [::1]:8484");
  }
  auto state = std::make_unique<State>();
  state->shared.begin = std::move(begin);
  state->shared.limits = limits;
  State& s = *state;
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
  s.url = "http://" + (bound.address().is_v6() ? "[" + host + "]" : host) + ":" +
          std::to_string(bound.port());
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
      Log(LogLevel::kError, "a request failed: " + Caught().message());
    }
  }
}

void Transport::Stop() {
  asio::post(state_->io, [&s = *state_] { s.Drain(); });
}

void Transport::Post(std::function<void()> work) { asio::post(state_->io, std::move(work)); }

}  // namespace muster::http
