#include "db/caller.h"

#include <algorithm>
#include <utility>

#include "engine/base/utf8.h"

namespace muster {
namespace {

constexpr char kCallerFollows = '\xff';
constexpr char kCallerEnds = '\0';

bool IsControl(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

/// The bytes before the command.
std::size_t EnvelopeOf(std::string_view input) {
  if (input.empty() || input.front() != kCallerFollows) return 0;
  const std::size_t end = input.find(kCallerEnds);
  return end == std::string_view::npos ? 0 : end + 1;
}

}  // namespace

Status CheckCaller(std::string_view caller) {
  if (caller.size() <= kMaxCaller && std::none_of(caller.begin(), caller.end(), IsControl) &&
      IsUtf8(caller)) {
    return Status::Ok();
  }
  return {StatusCode::kInvalidArgument,
          "a caller's name is UTF-8 without control characters, of "
          "at most " +
              std::to_string(kMaxCaller) + " bytes"};
}

std::string WithCaller(std::string_view caller, std::string command) {
  if (caller.empty()) return command;
  std::string input;
  input.reserve(caller.size() + 2 + command.size());
  input += kCallerFollows;
  input += caller;
  input += kCallerEnds;
  return input += command;
}

std::string_view CallerOf(std::string_view input) {
  const std::size_t envelope = EnvelopeOf(input);
  return envelope == 0 ? std::string_view() : input.substr(1, envelope - 2);
}

std::string_view CommandIn(std::string_view input) { return input.substr(EnvelopeOf(input)); }

}  // namespace muster
