// JsonWriter: separators, escapes and number forms.
#include "engine/model/json_writer.h"

#include <algorithm>
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

bool IsPlain(char c) { return c >= 0x20 && c != '"' && c != '\\' && c <= 0x7E; }

/// Appends what stands for the front of `text`, which is not plain; how many bytes that was.
std::size_t AppendSpecial(std::string& out, std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  constexpr std::string_view kShort = "\"\"\\\\\nn\tt\rr";  // the byte, then its letter
  const char c = text[0];
  const std::size_t length = SequenceLength(text);
  if (length == 0) {
    out.append(kReplacement);
    return 1;
  }
  if (length > 1 || c == 0x7F) {
    out.append(text.substr(0, length));
    return length;
  }
  for (std::size_t i = 0; i < kShort.size(); i += 2) {
    if (kShort[i] != c) continue;
    out.append({'\\', kShort[i + 1]});
    return 1;
  }
  out.append("\\u00").append({kHex[c >> 4], kHex[c & 15]});
  return 1;
}

template <typename T>
void AppendNumber(std::string& out, T value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  if (error == std::errc()) out.append(buffer, end);
}

}  // namespace

JsonWriter& JsonWriter::Open(char bracket) {
  Separate();
  text_.push_back(bracket);
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::Close(char bracket) {
  text_.push_back(bracket);
  first_ = false;
  return *this;
}

void JsonWriter::Separate() {
  if (!first_) text_.push_back(',');
  first_ = false;
}

JsonWriter& JsonWriter::Key(std::string_view key) {
  Separate();
  Quote(key);
  text_.push_back(':');
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
  text_.append(value ? "true" : "false");
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
  text_.append("null");
  return *this;
}

void JsonWriter::Quote(std::string_view text) {
  text_.push_back('"');
  while (!text.empty()) {
    const auto special = std::find_if_not(text.begin(), text.end(), IsPlain);
    const auto plain = static_cast<std::size_t>(special - text.begin());
    text_.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (!text.empty()) text.remove_prefix(AppendSpecial(text_, text));
  }
  text_.push_back('"');
}

}  // namespace muster
