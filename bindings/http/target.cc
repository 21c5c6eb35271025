// See target.h.
#include "bindings/http/target.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "engine/base/shown.h"
#include "engine/base/utf8.h"

namespace muster::http {
namespace {

Status Wrong(std::string what) { return Status(StatusCode::kInvalidArgument, std::move(what)); }

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// nullopt: an escape is broken. `plus` is a blank in a query.
std::optional<std::string> Decode(std::string_view text, bool plus) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus) {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      const int high = i + 1 < text.size() ? HexDigit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? HexDigit(text[i + 2]) : -1;
      if (high < 0 || low < 0) return std::nullopt;
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return decoded;
}

bool HasControls(std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) return true;
  }
  return false;
}

/// Decoded, or what is wrong with it.
Result<std::string> Part(std::string_view text, bool plus) {
  std::optional<std::string> decoded = Decode(text, plus);
  if (!decoded) return Wrong("'" + Shown(text) + "' has a % without two hexadecimal digits");
  if (!IsUtf8(*decoded)) return Wrong("'" + Shown(text) + "' is not UTF-8");
  if (HasControls(*decoded)) return Wrong("'" + Shown(text) + "' has a control character");
  return *std::move(decoded);
}

Status ParsePath(std::string_view text, std::vector<std::string>* path) {
  if (text.empty() || text.front() != '/') {
    return Wrong("the target begins with a slash, as in /v1/workloads");
  }
  text.remove_prefix(1);
  while (!text.empty()) {
    const std::size_t end = text.find('/');
    const std::string_view raw = text.substr(0, end);
    Result<std::string> segment = Part(raw, /*plus=*/false);
    if (!segment.ok()) return segment.status();
    if (segment->empty() || *segment == "." || *segment == "..") {
      return Wrong("a path has no empty segment and no '.' or '..'");
    }
    if (segment->find('/') != std::string::npos || segment->find('\\') != std::string::npos) {
      return Wrong("'" + Shown(raw) + "' hides a slash");
    }
    path->push_back(*std::move(segment));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
    if (text.empty()) return Wrong("a path does not end in a slash");
  }
  return Status::Ok();
}

Status ParseQuery(std::string_view text, std::map<std::string, std::string>* query) {
  while (!text.empty()) {
    const std::size_t end = text.find('&');
    const std::string_view pair = text.substr(0, end);
    const std::size_t equals = pair.find('=');
    Result<std::string> name = Part(pair.substr(0, equals), /*plus=*/true);
    if (!name.ok()) return name.status();
    Result<std::string> value =
        Part(equals == std::string_view::npos ? "" : pair.substr(equals + 1), /*plus=*/true);
    if (!value.ok()) return value.status();
    if (name->empty()) return Wrong("a query is NAME=VALUE, with & between two");
    if (!query->emplace(*name, *value).second) {
      return Wrong("parameter '" + Shown(*name) + "' stands twice");
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return Status::Ok();
}

}  // namespace

Result<Target> ParseTarget(std::string_view text) {
  if (const std::size_t hash = text.find('#'); hash != std::string_view::npos) {
    return Wrong("a target has no fragment; leave out what begins with #");
  }
  const std::size_t question = text.find('?');
  Target target;
  if (Status status = ParsePath(text.substr(0, question), &target.path); !status.ok()) {
    return status;
  }
  if (question != std::string_view::npos) {
    Status status = ParseQuery(text.substr(question + 1), &target.query);
    if (!status.ok()) return status;
  }
  return target;
}

}  // namespace muster::http
