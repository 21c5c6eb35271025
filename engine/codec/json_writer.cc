// JsonWriter: separators, escapes and number forms.
#include "engine/codec/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

namespace muster {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD in UTF-8

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Length of the well-formed UTF-8 sequence at the front of `text`, 0 when there is none.
std::size_t SequenceLength(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                             : lead >= 0xE0 && lead <= 0xEF ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!IsContinuation(text[i])) return 0;
  }
  // Overlong forms, surrogates and values beyond U+10FFFF show in the second byte.
  const auto second = static_cast<unsigned char>(text[1]);
  const bool bad = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                   (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return bad ? 0 : length;
}

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
  const std::size_t length = SequenceLength(text);
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

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = SequenceLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

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
