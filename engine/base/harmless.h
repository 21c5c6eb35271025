// A text that any caller wrote, on one line of a terminal.
#ifndef MUSTER_ENGINE_BASE_HARMLESS_H_
#define MUSTER_ENGINE_BASE_HARMLESS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace muster {

/// How many bytes of UTF-8 at the beginning of `text` (not empty) are one character that a terminal
/// would obey: C0, DEL, C1, separators of lines and paragraphs, and what changes the direction of
/// writing. 0: it only shows the first.
constexpr std::size_t ObeyedBytes(std::string_view text) {
  const auto at = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  if (at(0) < 0x20 || at(0) == 0x7f) return 1;
  if (at(0) == 0xc2 && at(1) >= 0x80 && at(1) < 0xa0) return 2;  // U+0080 to U+009F
  if (at(0) == 0xd8 && at(1) == 0x9c) return 2;                  // U+061C
  if (at(0) != 0xe2) return 0;
  const bool marks = at(1) == 0x80 && (at(2) == 0x8e || at(2) == 0x8f);   // U+200E, U+200F
  const bool breaks = at(1) == 0x80 && at(2) >= 0xa8 && at(2) <= 0xae;    // U+2028 to U+202E
  const bool isolates = at(1) == 0x81 && at(2) >= 0xa6 && at(2) <= 0xa9;  // U+2066 to U+2069
  return marks || breaks || isolates ? 3 : 0;
}

/// `text` with a blank for each character that a terminal would obey.
inline std::string Harmless(std::string text) {
  std::size_t i = 0;
  while (i < text.size() && ObeyedBytes(std::string_view(text).substr(i)) == 0) ++i;
  if (i == text.size()) return text;  // nearly always
  std::string shown = text.substr(0, i);
  while (i < text.size()) {
    const std::size_t obeyed = ObeyedBytes(std::string_view(text).substr(i));
    shown.push_back(obeyed > 0 ? ' ' : text[i]);
    i += obeyed > 0 ? obeyed : 1;
  }
  return shown;
}

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_HARMLESS_H_
