// Takes Lua's own position prefix apart, and makes what policies write safe to show.
#include "bindings/luajit/call_error.h"

#include <charconv>

namespace muster::luajit {
namespace {

constexpr std::size_t kMaxMessage = 500;

// Number of bytes of "FILE:N: " at the front of `text`, 0 when it does not begin so.
std::size_t TakePosition(std::string_view text, std::string_view file, int& line) {
  if (!text.starts_with(file) || text.substr(file.size(), 1) != ":") return 0;
  const char* begin = text.data() + file.size() + 1;
  int value = 0;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  if (error != std::errc()) return 0;
  const auto size = static_cast<std::size_t>(end - text.data());
  if (text.substr(size, 2) != ": ") return 0;
  line = value;
  return size + 2;
}

// Bytes of the character at the front of `text`, which is not empty; 0 when it is none. Overlong
// forms and surrogates are none.
std::size_t CharacterSize(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t size = byte(0) < 0xC2 ? 0 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
  if (size == 0 || byte(0) > 0xF4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xF0 && byte(1) < 0x90);
  const bool surrogate = byte(0) == 0xED && byte(1) > 0x9F;
  const bool beyond = byte(0) == 0xF4 && byte(1) > 0x8F;
  return overlong || surrogate || beyond ? 0 : size;
}

bool IsControl(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  return first < 0x20 || first == 0x7F ||
         (first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0);
}

// Lua's own messages, where they leave open what to do.
std::string Explained(std::string text) {
  constexpr std::string_view kGenerated =
      "'returned_call'";  // a name of policies/prelude/runner.lua
  if (const std::size_t at = text.find(kGenerated); at != text.npos) {
    text.replace(at, kGenerated.size(), "the function in return");
  }
  if (text.starts_with("attempt to compare ") && text.find("string") != std::string::npos) {
    return text + "; times are numbers of seconds, and tonumber(s) or 0 makes one of a text";
  }
  if (text.starts_with("attempt to compare ") && text.find("nil") != std::string::npos) {
    return text + "; tonumber(s) is nil where s is no number: write tonumber(s) or 0";
  }
  if (text == "stack overflow") return text + "; a recursion is too deep";
  if (text == "invalid order function for sorting") {
    return text + "; it must say a < b, and never that both come first";
  }
  return text;
}

}  // namespace

std::string Printable(std::string_view raw) {
  std::string text;
  for (std::size_t at = 0; at < raw.size();) {
    if (text.size() >= kMaxMessage) return text + "...";
    const std::size_t size = CharacterSize(raw.substr(at));
    if (size == 0) {
      text += '?';
    } else if (IsControl(raw.substr(at, size))) {
      text += ' ';
    } else {
      text += raw.substr(at, size);
    }
    at += size == 0 ? 1 : size;
  }
  return text;
}

CallError MakeCallError(std::string_view raw, int line) {
  int written = 0, of_prelude = 0;
  raw.remove_prefix(TakePosition(raw, "prelude", of_prelude));
  raw.remove_prefix(TakePosition(raw, kPolicyFile, written));
  CallError error{Explained(Printable(raw)), line > 0 ? line : written};
  if (error.text.find_first_not_of(' ') == std::string::npos) {
    error.text = "the error raised has no message; write error(\"...\")";
  }
  return error;
}

}  // namespace muster::luajit
