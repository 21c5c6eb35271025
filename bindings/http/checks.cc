// See checks.h.
#include "bindings/http/checks.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "engine/base/join.h"
#include "engine/base/shown.h"

namespace muster::http {
namespace {

/// "application/json; charset=utf-8" in lower case without parameters; nullopt: another charset.
std::optional<std::string> MediaType(std::string_view field) {
  std::string lower(field);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  std::erase(lower, ' ');
  const std::size_t semicolon = lower.find(';');
  if (semicolon == std::string::npos) return lower;
  const std::string parameter = lower.substr(semicolon + 1);
  if (parameter != "charset=utf-8" && parameter != "charset=\"utf-8\"") return std::nullopt;
  return lower.substr(0, semicolon);
}

bool IsThisMachine(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const bool port = colon != std::string_view::npos && host.find(']', colon) == host.npos;
  const std::string_view name = port ? host.substr(0, colon) : host;
  const bool numbers = name.find_first_not_of("0123456789.") == std::string_view::npos;
  return name == "localhost" || name == "[::1]" || (numbers && name.starts_with("127."));
}

}  // namespace

Refusal BadQuery(std::string name, std::string message, std::string cure) {
  return {400, "InvalidArgument", std::move(message), std::move(cure), {"query", std::move(name)}};
}

std::optional<Response> CheckWord(const Target& target, const std::string& name,
                                  const std::vector<std::string>& words) {
  const std::string_view word = target.Query(name);
  if (word.empty() || std::find(words.begin(), words.end(), word) != words.end()) {
    return std::nullopt;
  }
  return Refuse(BadQuery(name, name + " '" + Shown(word) + "' is none of " + Join(words), ""));
}

std::optional<Response> CheckType(const Head& head, const std::vector<std::string>& types) {
  const std::optional<std::string> type = MediaType(head.Field("content-type"));
  if (type && std::find(types.begin(), types.end(), *type) != types.end()) return std::nullopt;
  return Refuse(Refusal{415,
                        "InvalidArgument",
                        "Content-Type '" + Shown(head.Field("content-type")) + "' is not read here",
                        "send " + Join(types, " or "),
                        {"header", "Content-Type"}});
}

std::optional<std::size_t> CountOf(std::string_view text, std::size_t most) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most) {
    return std::nullopt;
  }
  return value;
}

std::vector<std::string> Split(std::string_view text, char by) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = text.find(by);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

std::optional<Response> CheckHost(const Head& head) {
  const std::string_view host = head.Field("host");
  if (IsThisMachine(host)) return std::nullopt;
  return Refuse(Refusal{403,
                        "PermissionDenied",
                        "Host '" + Shown(host) + "' is not this machine",
                        "without tokens only 127.0.0.1, [::1] and localhost are served",
                        {"header", "Host"}});
}

std::optional<Response> CheckOrigin(const Head& head) {
  const std::string_view origin = head.Field("origin");
  const std::size_t scheme = origin.find("://");
  if (head.Count("origin") == 0) return std::nullopt;
  if (scheme != std::string_view::npos && origin.substr(scheme + 3) == head.Field("host")) {
    return std::nullopt;
  }
  return Refuse(Refusal{403,
                        "PermissionDenied",
                        "another site's page asks: " + Shown(origin),
                        "use the service's own page",
                        {"header", "Origin"}});
}

Response NotThere(const std::string& what) {
  return Refuse(Refusal{404, "NotFound", "there is no " + what, "", {"path"}});
}

}  // namespace muster::http
