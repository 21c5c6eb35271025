// A text that any caller wrote, on one line of a terminal.
#ifndef MUSTER_ENGINE_BASE_HARMLESS_H_
#define MUSTER_ENGINE_BASE_HARMLESS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace muster {

/// How many bytes of UTF-8 at the beginning of `text` (not empty) are one character that does not
/// stand for itself where it is shown: what a terminal would obey, and what is not seen. These are
/// controls (C0, DEL, C1), separators of lines and paragraphs, what changes the direction of
/// writing, joiners, fillers, marks of annotations and tags. 0: it only shows the first.
constexpr std::size_t ObeyedBytes(std::string_view text) {
  const auto at = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = at(0);
  if (first < 0x20 || first == 0x7f) return 1;
  if (first < 0xc2) return 0;
  const bool has_second = (at(1) & 0xc0) == 0x80;
  const unsigned two = (first & 0x1f) << 6 | (at(1) & 0x3f);
  if (first < 0xe0) {
    const bool unseen = two < 0xa0 || two == 0xad || two == 0x34f || two == 0x61c;
    return has_second && unseen ? 2 : 0;
  }
  if (!has_second || (at(2) & 0xc0) != 0x80) return 0;
  if (first >= 0xf0) {  // U+E0000 to U+E0FFF
    return first == 0xf3 && at(1) == 0xa0 && (at(3) & 0xc0) == 0x80 ? 4 : 0;
  }
  const unsigned three = (first & 0xf) << 12 | (at(1) & 0x3f) << 6 | (at(2) & 0x3f);
  const bool unseen =
      (three >= 0x200b && three <= 0x200f) || (three >= 0x2028 && three <= 0x202e) ||
      (three >= 0x2060 && three <= 0x206f) || (three >= 0x180b && three <= 0x180e) ||
      (three >= 0xfff9 && three <= 0xfffb) || three == 0xfeff || three == 0x115f ||
      three == 0x1160 || three == 0x3164 || three == 0xffa0;
  return unseen ? 3 : 0;
}

/// `text` with a blank for each character that does not stand for itself, but for those `kept`.
inline std::string Harmless(std::string text, std::string_view kept = "") {
  const auto obeyed_at = [&](std::size_t i) {
    if (kept.find(text[i]) != std::string_view::npos) return std::size_t{0};
    return ObeyedBytes(std::string_view(text).substr(i));
  };
  std::size_t i = 0;
  while (i < text.size() && obeyed_at(i) == 0) ++i;
  if (i == text.size()) return text;  // nearly always
  std::string shown = text.substr(0, i);
  while (i < text.size()) {
    const std::size_t obeyed = obeyed_at(i);
    shown.push_back(obeyed > 0 ? ' ' : text[i]);
    i += obeyed > 0 ? obeyed : 1;
  }
  return shown;
}

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_HARMLESS_H_
