// Client: asks a service over HTTP, one request at a time.
#ifndef MUSTER_BINDINGS_REMOTE_CLIENT_H_
#define MUSTER_BINDINGS_REMOTE_CLIENT_H_

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "muster/status.h"

namespace muster::remote {

struct Request {
  std::string method = "GET";
  std::string target;     ///< "/v1/workloads?limit=5"
  std::string type = {};  ///< of the body
  std::string body = {};
};

struct Reply {
  int status = 0;
  std::string body;
  std::string location = {};  ///< where it was sent on to
};

/// A target from its parts, which may be any text: segments of the path, and parameters, of which
/// those without a value are left out.
std::string Target(const std::vector<std::string>& path,
                   const std::vector<std::pair<std::string, std::string>>& parameters = {});

class Client {
 public:
  /// `url` as "http://HOST:PORT" or "https://...", whose certificate must be trusted by the system
  /// or by $SSL_CERT_FILE; without a port it is 80 or 443. An empty token is not sent.
  /// kInvalidArgument, and what to write instead.
  static Result<Client> To(const std::string& url, std::string token);

  /// Connects, asks and reads the whole answer, in at most `kMostTime`. kUnavailable: there was
  /// none, and a call that changes something may have happened all the same. Where the service
  /// sends it on with 307, the other one is asked and shown the token, too, at most `kMostHops`
  /// times, but never without TLS where this one has it.
  Result<Reply> Ask(const Request& request) const;

  const std::string& url() const { return url_; }
  /// One that asks the service at `url`, shows it the same token, and is sent on by none.
  Result<Client> Only(const std::string& url) const;

 private:
  Client() = default;
  Result<Reply> AskHere(const Request& request) const;

  std::string url_;
  std::string host_;  ///< without brackets
  std::string port_;
  bool tls_ = false;
  std::string token_;
  bool follows_ = true;
};

inline constexpr std::chrono::seconds kMostTime{60};
inline constexpr int kMostHops = 32;
inline constexpr std::size_t kMostBytes = std::size_t{512} << 20;  ///< of an answer

}  // namespace muster::remote

#endif  // MUSTER_BINDINGS_REMOTE_CLIENT_H_
