// JsonWriter: separators, escapes and number forms.
#include "engine/codec/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "engine/base/utf8.h"

namespace muster {
namespace {

/// By byte: whether it stands for itself.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain = {};
  for (std::size_t c = 0x20; c <= 0x7E; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

bool IsPlain(char c) { return kPlain[static_cast<unsigned char>(c)]; }

/// Appends what stands for the front of `text`, which is not plain; how many bytes that was.
std::size_t AppendSpecial(ByteBuffer& out, std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  constexpr std::string_view kShort = "\"\"\\\\\nn\tt\rr";  // the byte, then its letter
  const char c = text[0];
  const std::size_t length = CharacterBytes(text);
  if (length == 0) {
    out.Append(kReplacement);
    return 1;
  }
  if (length > 1 || c == 0x7F) {
    out.Append(text.substr(0, length));
    return length;
  }
  for (std::size_t i = 0; i < kShort.size(); i += 2) {
    if (kShort[i] != c) continue;
    out.Append("\\");
    out.Append(kShort.substr(i + 1, 1));
    return 1;
  }
  const char code[] = {'\\', 'u', '0', '0', kHex[c >> 4], kHex[c & 15]};
  out.Append({code, sizeof code});
  return 1;
}

template <typename T>
void AppendNumber(ByteBuffer& out, T value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  if (error == std::errc()) out.Append({buffer, end});
}

}  // namespace

JsonWriter& JsonWriter::Open(char bracket) {
  Separate();
  text_.Put(bracket);
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::Close(char bracket) {
  text_.Put(bracket);
  first_ = false;
  return *this;
}

void JsonWriter::Separate() {
  if (!first_) text_.Put(',');
  first_ = false;
}

JsonWriter& JsonWriter::Key(std::string_view key) {
  Separate();
  Quote(key);
  text_.Put(':');
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::String(std::string_view text) {
  Separate();
  Quote(text);
  return *this;
}

JsonWriter& JsonWriter::Int(std::int64_t value) {
  Separate();
  AppendNumber(text_, value);
  return *this;
}

JsonWriter& JsonWriter::Bool(bool value) {
  Separate();
  text_.Append(value ? "true" : "false");
  return *this;
}

JsonWriter& JsonWriter::Double(double value) {
  if (!std::isfinite(value)) return Null();
  Separate();
  AppendNumber(text_, value);
  return *this;
}

JsonWriter& JsonWriter::Null() {
  Separate();
  text_.Append("null");
  return *this;
}

JsonWriter& JsonWriter::Written(std::string_view value) {
  Separate();
  text_.Append(value);
  return *this;
}

void JsonWriter::Quote(std::string_view text) {
  text_.Put('"');
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && IsPlain(text[plain])) ++plain;
    text_.Append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (!text.empty()) text.remove_prefix(AppendSpecial(text_, text));
  }
  text_.Put('"');
}

}  // namespace muster
