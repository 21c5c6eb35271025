// See heads.h.
#include "bindings/http/heads.h"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/status.hpp>
#include <string_view>
#include <utility>

#include "bindings/http/target.h"
#include "engine/base/shown.h"
#include "engine/base/utf8.h"

namespace muster::http {
namespace {

constexpr std::string_view kEvery =
    "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n";

}  // namespace

Refusal BadHttp(std::string message) {
  return {
      400, "InvalidArgument", std::move(message), "send HTTP/1.1 as RFC 9112 has it", {"header"}};
}

std::optional<Refusal> CheckHead(const Head& head, unsigned version) {
  if (head.Count("host") > 1) return BadHttp("there are two Host fields");
  if (version >= 11 && head.Count("host") == 0) return BadHttp("there is no Host field");
  if (head.Count("content-length") > 1) return BadHttp("there are two Content-Length fields");
  if (head.Count("transfer-encoding") > 0) {
    if (head.Count("transfer-encoding") > 1 || head.Field("transfer-encoding") != "chunked") {
      return BadHttp("Transfer-Encoding takes chunked alone");
    }
    if (version < 11) return BadHttp("HTTP/1.0 has no chunks");
  }
  for (const char* once : {"authorization", "content-type", "origin", "last-event-id"}) {
    if (head.Count(once) > 1) return BadHttp(std::string("field ") + once + " stands twice");
  }
  const std::string_view encoding = head.Field("content-encoding");
  const bool several = head.Count("content-encoding") > 1;
  const boost::beast::string_view coding(encoding.data(), encoding.size());
  if (several || (!coding.empty() && !boost::beast::iequals(coding, "identity"))) {
    return Refusal{415,
                   "InvalidArgument",
                   several ? "several Content-Encoding fields are not read here"
                           : "Content-Encoding '" + Shown(encoding) + "' is not read here",
                   "send the body as it is",
                   {"header", "Content-Encoding"}};
  }
  if (head.target.size() > kMaxTarget) {
    return Refusal{414,
                   "InvalidArgument",
                   "the target has more than " + std::to_string(kMaxTarget) + " bytes",
                   "",
                   {}};
  }
  for (const auto& [name, value] : head.fields) {
    if (!IsUtf8(value)) return BadHttp("a field is not UTF-8");
  }
  return std::nullopt;
}

Refusal BodyTooLong(std::size_t most) {
  return {413,
          "ResourceExhausted",
          "the body has more than " + std::to_string(most) + " bytes",
          "send it in several requests",
          {"body"}};
}

std::string HeadText(const Response& response, bool keep) {
  const auto status = boost::beast::http::int_to_status(static_cast<unsigned>(response.status));
  const auto reason = boost::beast::http::obsolete_reason(status);
  std::string text = "HTTP/1.1 ";
  text += std::to_string(response.status);
  text += ' ';
  text.append(reason.data(), reason.size());
  text += "\r\nContent-Type: ";
  text += response.type;
  text += kEvery;
  for (const auto& [name, value] : response.fields) {
    text += name;
    text += ": ";
    text += value;
    text += "\r\n";
  }
  if (!keep) text += "Connection: close\r\n";
  text += "Content-Length: ";
  text += std::to_string(response.body.size());
  text += "\r\n\r\n";
  return text;
}

std::string StreamHeadText(const std::string& type, bool chunked) {
  std::string text = "HTTP/1.1 200 OK\r\nContent-Type: " + type;
  text += kEvery;
  text += "Connection: close\r\n";
  if (chunked) text += "Transfer-Encoding: chunked\r\n";
  return text + "\r\n";
}

std::string ChunkHead(std::size_t bytes) {
  std::string text;
  for (; bytes > 0; bytes /= 16) text.insert(text.begin(), "0123456789abcdef"[bytes % 16]);
  return text + "\r\n";
}

}  // namespace muster::http
