// A request and a response of HTTP as plain data: what the transport and the service hand to each
// other.
#ifndef MUSTER_BINDINGS_HTTP_MESSAGE_H_
#define MUSTER_BINDINGS_HTTP_MESSAGE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/http/shared_text.h"

namespace muster::http {

/// What is known of a request before its body is read.
struct Head {
  std::string method;
  std::string target;  ///< as it was sent: "/v1/workloads?limit=5"
  std::string peer;    ///< "127.0.0.1"
  /// Names in lower case, in the order sent.
  std::vector<std::pair<std::string, std::string>> fields;
  std::optional<std::uint64_t> body_bytes;  ///< unset: no body, or one in chunks
  bool chunked = false;

  /// The value of the first field of that name (lower case); empty where there is none.
  std::string_view Field(std::string_view name) const {
    for (const auto& [field, value] : fields) {
      if (field == name) return value;
    }
    return {};
  }
  /// How many fields have that name.
  std::size_t Count(std::string_view name) const {
    std::size_t count = 0;
    for (const auto& field : fields) count += field.first == name ? 1 : 0;
    return count;
  }
};

/// Where a body goes on that has no length: what is sent leaves in the order sent. Used on the io
/// thread alone.
class Outlet {
 public:
  Outlet() = default;
  virtual ~Outlet() = default;
  Outlet(const Outlet&) = delete;
  Outlet& operator=(const Outlet&) = delete;

  /// The texts leave together where nothing is on its way.
  virtual void Send(SharedTexts texts) = 0;
  /// Bytes that were sent and have not left yet.
  virtual std::size_t Behind() const = 0;
  /// Nothing more comes.
  virtual void End() = 0;
  /// Nothing more comes, and what was sent may be lost. Takes no memory.
  virtual void Cut() noexcept = 0;
};

/// What has something to say as long as a connection lasts.
class Speaker {
 public:
  Speaker() = default;
  virtual ~Speaker() = default;
  Speaker(const Speaker&) = delete;
  Speaker& operator=(const Speaker&) = delete;

  /// The head of the response leaves; `outlet` is there until Gone.
  virtual void Begin(Outlet& outlet) = 0;
  /// All that was sent has left, and some of it not before Send had returned.
  virtual void Drained() = 0;
  /// The connection has ended.
  virtual void Gone() = 0;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> fields = {};  ///< beside those of every response
  bool nothing_yet = false;                    ///< one that waits for news goes on waiting
  std::shared_ptr<Speaker> speaker = nullptr;  ///< what follows `body`, without a length
  std::shared_ptr<void> held = nullptr;        ///< let go of when it has left, or never will
};

/// Sends the response. To be called once, on the io thread.
using Reply = std::function<void(Response)>;

/// A request that may go on: its body is read, then `go` is called on the io thread.
struct Accepted {
  std::size_t most_bytes = 0;  ///< of the body; a longer one is 413
  std::function<void(std::string body, Reply reply)> go;
};

/// What a service says to the head of a request. A Response refuses it, and its body is not read.
using Verdict = std::variant<Response, Accepted>;
using Begin = std::function<Verdict(const Head&)>;

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_MESSAGE_H_
