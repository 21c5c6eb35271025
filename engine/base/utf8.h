// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates.
#ifndef MUSTER_ENGINE_BASE_UTF8_H_
#define MUSTER_ENGINE_BASE_UTF8_H_

#include <cstddef>
#include <string_view>

namespace muster {

/// U+FFFD, which stands where no character is.
inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// How many bytes at the beginning of `text` are one character; 0: none, or `text` is empty. O(1).
constexpr std::size_t CharacterBytes(std::string_view text) {
  const auto at = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto goes_on = [&at](std::size_t i) { return (at(i) & 0xc0) == 0x80; };
  const unsigned lead = at(0);
  if (lead < 0x80) return text.empty() ? 0 : 1;
  if (lead < 0xc2 || lead > 0xf4 || !goes_on(1)) return 0;
  if (lead < 0xe0) return 2;
  if ((lead == 0xe0 && at(1) < 0xa0) || (lead == 0xed && at(1) > 0x9f) || !goes_on(2)) return 0;
  if (lead < 0xf0) return 3;
  if ((lead == 0xf0 && at(1) < 0x90) || (lead == 0xf4 && at(1) > 0x8f) || !goes_on(3)) return 0;
  return 4;
}

/// Whether all of `text` is. O(bytes).
constexpr bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = CharacterBytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_UTF8_H_
