// Takes Lua's own position prefix apart.
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

}  // namespace

CallError MakeCallError(std::string_view raw, int line) {
  int written = 0;
  raw.remove_prefix(TakePosition(raw, "prelude", written));
  raw.remove_prefix(TakePosition(raw, kPolicyFile, written));
  CallError error{std::string(raw.substr(0, kMaxMessage)), line > 0 ? line : written};
  for (char& c : error.text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return error;
}

}  // namespace muster::luajit
