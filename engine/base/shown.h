// A caller's text inside a message: cut when long, harmless on a terminal.
#ifndef MUSTER_ENGINE_BASE_SHOWN_H_
#define MUSTER_ENGINE_BASE_SHOWN_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/base/harmless.h"

namespace muster {

inline constexpr std::size_t kMaxQuoted = 60;  ///< bytes of a value that a message repeats
/// Bytes of a message that stand together without a blank: namespace/name at their longest fits.
inline constexpr std::size_t kMaxUnbroken = 400;

/// How many bytes from the front are at most `most`, and whole characters.
inline std::size_t WholeBytes(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text.size();
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  return most;
}

/// At most `most` bytes of `text`, whole characters, "..." for the rest; what Harmless blanks is
/// blank.
inline std::string Shown(std::string_view text, std::size_t most = kMaxQuoted) {
  const std::size_t end = WholeBytes(text, most);
  const std::string shown = Harmless(std::string(text.substr(0, end)));
  return end < text.size() ? shown + "..." : shown;
}

/// `message` with every run of more than kMaxUnbroken bytes without a blank cut, and blanks for
/// what does not stand for itself but breaks of lines. Messages pass here on their way out, for
/// names that they repeat without quotes.
inline std::string CutUnbroken(std::string_view message) {
  std::string cut;
  std::size_t run = 0;
  for (const char c : Harmless(std::string(message), "\n\t")) {
    run = c == ' ' || c == '\n' ? 0 : run + 1;
    if (run <= kMaxUnbroken) cut.push_back(c);
    if (run == kMaxUnbroken + 1) cut += "...";
  }
  return cut;
}

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_SHOWN_H_
