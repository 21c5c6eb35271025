// A connection for each request: a verb of a command line asks once or twice.
#include "bindings/remote/client.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <type_traits>

namespace muster::remote {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr int kSentOn = 307;

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~' || c == ',';
}

/// Percent-encoded, but for letters, digits and "-._~,".
std::string Escaped(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string escaped;
  for (const char c : text) {
    if (IsPlain(c)) {
      escaped += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    escaped += '%';
    escaped += kDigits[byte / 16];
    escaped += kDigits[byte % 16];
  }
  return escaped;
}

using Plain = beast::tcp_stream;
using Tls = beast::ssl_stream<beast::tcp_stream>;

/// One request on its way: each step begins the next one, and the first that fails ends it.
template <typename Stream>
class Exchange {
 public:
  /// `more` is what the stream takes beside the context of io.
  template <typename... More>
  Exchange(const std::string& host, const std::string& port,
           bhttp::request<bhttp::string_body> request, More&... more)
      : host_(host), resolver_(io_), stream_(io_, more...), request_(std::move(request)) {
    parser_.body_limit(kMostBytes);
    Lowest().expires_after(kMostTime);
    resolver_.async_resolve(host, port, [this](error_code error, const auto& found) {
      if (Failed("cannot find", error)) return;
      Connect(found);
    });
  }

  /// What went wrong; empty: the answer is there.
  std::string Run() {
    io_.run();
    return failure_;
  }
  bhttp::response<bhttp::string_body> Take() { return parser_.release(); }

 private:
  bool Failed(const char* doing, error_code error) {
    if (error) failure_ = std::string(doing) + ": " + error.message();
    return error.failed();
  }

  beast::tcp_stream& Lowest() { return beast::get_lowest_layer(stream_); }

  void Connect(const tcp::resolver::results_type& found) {
    Lowest().async_connect(found, [this](error_code error, const tcp::endpoint&) {
      if (Failed("cannot reach", error)) return;
      if constexpr (std::is_same_v<Stream, Tls>) {
        SSL_set_tlsext_host_name(stream_.native_handle(), host_.c_str());
        stream_.set_verify_callback(asio::ssl::host_name_verification(host_));
        stream_.async_handshake(asio::ssl::stream_base::client, [this](error_code failed) {
          if (!Failed("no trust in", failed)) Write();
        });
      } else {
        Write();
      }
    });
  }

  void Write() {
    bhttp::async_write(stream_, request_, [this](error_code failed, std::size_t) { Read(failed); });
  }

  /// A service that refuses a body may have answered before it was sent.
  void Read(error_code sent) {
    bhttp::async_read(stream_, buffer_, parser_, [this, sent](error_code error, std::size_t) {
      if (Failed("no answer from", error) && sent) {
        failure_ = "cannot send to: " + sent.message();
      }
      error_code ignored;
      Lowest().socket().shutdown(tcp::socket::shutdown_both, ignored);
    });
  }

  const std::string host_;
  asio::io_context io_{1};
  tcp::resolver resolver_;
  Stream stream_;
  beast::flat_buffer buffer_;
  bhttp::request<bhttp::string_body> request_;
  bhttp::response_parser<bhttp::string_body> parser_;
  std::string failure_;
};

Status BadUrl(const std::string& url) {
  return Status(StatusCode::kInvalidArgument, "'" + url +
                                                  "' is no address of a service; write one such as "
                                                  "http://127.0.0.1:8484");
}

/// Runs it. What goes wrong names the service.
template <typename Stream>
Result<Reply> ReplyOf(Exchange<Stream>& exchange, const std::string& url) {
  if (const std::string failure = exchange.Run(); !failure.empty()) {
    const std::size_t colon = failure.find(": ");
    return Status(StatusCode::kUnavailable,
                  failure.substr(0, colon) + " " + url + failure.substr(colon));
  }
  bhttp::response<bhttp::string_body> taken = exchange.Take();
  Reply reply;
  reply.status = static_cast<int>(taken.result_int());
  reply.location = std::string(taken[bhttp::field::location]);
  reply.body = std::move(taken.body());
  return reply;
}

}  // namespace

std::string Target(const std::vector<std::string>& path,
                   const std::vector<std::pair<std::string, std::string>>& parameters) {
  std::string target;
  for (const std::string& segment : path) target += "/" + Escaped(segment);
  char separator = '?';
  for (const auto& [name, value] : parameters) {
    if (value.empty()) continue;
    target += separator + name + "=" + Escaped(value);
    separator = '&';
  }
  return target;
}

Result<Client> Client::To(const std::string& url, std::string token) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string::npos) return BadUrl(url);
  Client client;
  client.tls_ = url.starts_with("https://");
  if (!client.tls_ && !url.starts_with("http://")) return BadUrl(url);
  std::string rest = url.substr(scheme + 3);
  if (rest.ends_with('/')) rest.pop_back();
  client.url_ = url.substr(0, scheme + 3) + rest;
  client.token_ = std::move(token);
  const std::size_t bracket = rest.rfind(']');
  const std::size_t colon = rest.rfind(':');
  const bool has_port =
      colon != std::string::npos && (bracket == std::string::npos || colon > bracket);
  client.host_ = has_port ? rest.substr(0, colon) : rest;
  client.port_ = has_port ? rest.substr(colon + 1) : client.tls_ ? "443" : "80";
  if (client.host_.starts_with('[') && client.host_.ends_with(']')) {
    client.host_ = client.host_.substr(1, client.host_.size() - 2);
  } else if (client.host_.find(':') != std::string::npos) {
    return BadUrl(url);
  }
  constexpr std::size_t kDigits = 5;
  if (client.host_.empty() || client.port_.empty() || client.port_.size() > kDigits ||
      client.port_.find_first_not_of("0123456789") != std::string::npos ||
      rest.find_first_of("/?#@ ") != std::string::npos) {
    return BadUrl(url);
  }
  for (const char c : client.token_) {
    if (c > ' ' && c < '\x7f') continue;
    return Status(StatusCode::kInvalidArgument,
                  "the token has a character that none has; muster token create prints one");
  }
  return client;
}

Result<Client> Client::Only(const std::string& url) const {
  Result<Client> client = To(url, token_);
  if (client.ok()) client->follows_ = false;
  return client;
}

Result<Reply> Client::Ask(const Request& request) const {
  Result<Reply> reply = AskHere(request);
  for (int hop = 0; follows_ && hop < kMostHops && reply.ok() && reply->status == kSentOn; ++hop) {
    const std::string& location = reply->location;
    const std::size_t scheme = location.find("://");
    const std::size_t path = scheme == std::string::npos ? scheme : location.find('/', scheme + 3);
    if (path == std::string::npos) break;  // it is told as it is
    const Result<Client> there = To(location.substr(0, path), token_);
    if (!there.ok()) return there.status();
    if (tls_ && !there->tls_) {
      return Status(StatusCode::kUnavailable,
                    url_ + " sends on to " + there->url_ + ", which speaks no TLS");
    }
    Request again = request;
    again.target = location.substr(path);
    reply = there->AskHere(again);
  }
  return reply;
}

Result<Reply> Client::AskHere(const Request& request) const {
  bhttp::request<bhttp::string_body> sent;
  sent.version(11);
  sent.method_string(request.method);
  sent.target(request.target);
  sent.set(bhttp::field::host, url_.substr(url_.find("://") + 3));
  sent.set(bhttp::field::user_agent, "muster");
  sent.set(bhttp::field::connection, "close");
  if (!token_.empty()) sent.set(bhttp::field::authorization, "Bearer " + token_);
  if (!request.type.empty()) {
    sent.set(bhttp::field::content_type, request.type);
    sent.body() = request.body;
    sent.prepare_payload();
  }
  if (!tls_) {
    Exchange<Plain> exchange(host_, port_, std::move(sent));
    return ReplyOf(exchange, url_);
  }
  asio::ssl::context context(asio::ssl::context::tls_client);
  error_code error;
  context.set_default_verify_paths(error);  // and $SSL_CERT_FILE, where it is set
  if (error)
    return Status(StatusCode::kUnavailable, "no certificates to trust: " + error.message());
  context.set_verify_mode(asio::ssl::verify_peer);
  Exchange<Tls> exchange(host_, port_, std::move(sent), context);
  return ReplyOf(exchange, url_);
}

}  // namespace muster::remote
