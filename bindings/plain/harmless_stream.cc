// See harmless_stream.h.
#include "bindings/plain/harmless_stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/base/harmless.h"

namespace muster::plain {
namespace {

bool IsAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// How many bytes the character has that begins with `c`.
std::size_t CharacterBytes(char c) {
  const auto first = static_cast<unsigned char>(c);
  return first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
}

void AppendEscape(std::uint32_t unit, std::string* text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  *text += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) text->push_back(kDigits[(unit >> shift) & 0xf]);
}

/// The code point of a whole character beyond ASCII.
std::uint32_t CodePoint(std::string_view bytes) {
  std::uint32_t point = static_cast<unsigned char>(bytes[0]) & (0x7fU >> bytes.size());
  for (const char c : bytes.substr(1)) {
    point = (point << 6) | (static_cast<unsigned char>(c) & 0x3fU);
  }
  return point;
}

}  // namespace

std::string WithEscapes(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const auto other = std::find_if_not(text.begin(), text.end(), IsAscii);
    const auto plain = static_cast<std::size_t>(other - text.begin());
    escaped += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const std::size_t obeyed = ObeyedBytes(text);
    const std::size_t whole = std::min(CharacterBytes(text.front()), text.size());
    if (obeyed == 0) {
      escaped += text.substr(0, whole);
    } else {
      const std::uint32_t point = CodePoint(text.substr(0, obeyed));
      constexpr std::uint32_t kBeyond = 0x10000;
      if (point >= kBeyond) AppendEscape(0xd800 + ((point - kBeyond) >> 10), &escaped);
      AppendEscape(point >= kBeyond ? 0xdc00 + (point & 0x3ff) : point, &escaped);
    }
    text.remove_prefix(whole);
  }
  return escaped;
}

std::streamsize HarmlessStream::Buffer::xsputn(const char* text, std::streamsize size) {
  std::string_view left(text, static_cast<std::size_t>(size));
  while (!begun_.empty() && !left.empty()) {
    begun_.push_back(left.front());
    left.remove_prefix(1);
    if (begun_.size() < CharacterBytes(begun_.front())) continue;
    target_ << WithEscapes(begun_);
    begun_.clear();
  }
  // The last character may go on in what comes next.
  std::size_t end = left.size();
  while (end > 0 && left.size() - end < 3 &&
         (static_cast<unsigned char>(left[end - 1]) & 0xc0) == 0x80) {
    --end;
  }
  const bool cut = end > 0 && CharacterBytes(left[end - 1]) > left.size() - (end - 1);
  if (cut) {
    begun_ = left.substr(end - 1);
    left = left.substr(0, end - 1);
  }
  if (std::all_of(left.begin(), left.end(), IsAscii)) {
    target_.write(left.data(), static_cast<std::streamsize>(left.size()));
  } else {
    target_ << WithEscapes(left);
  }
  return target_ ? size : 0;
}

HarmlessStream::Buffer::int_type HarmlessStream::Buffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char byte = traits_type::to_char_type(c);
  return xsputn(&byte, 1) == 1 ? c : traits_type::eof();
}

int HarmlessStream::Buffer::sync() {
  target_.flush();
  return target_ ? 0 : -1;
}

}  // namespace muster::plain
