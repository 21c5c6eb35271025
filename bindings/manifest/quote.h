// A user's text inside a message: quoted, cut when long, harmless on a terminal.
#ifndef MUSTER_BINDINGS_MANIFEST_QUOTE_H_
#define MUSTER_BINDINGS_MANIFEST_QUOTE_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace muster::manifest {

inline constexpr std::size_t kMaxQuoted = 60;  ///< bytes shown of a user's text

/// `"text"`; line breaks, tabs and other control characters become blanks, long text is cut.
inline std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  std::size_t end = text.size();
  if (end > kMaxQuoted) {
    end = kMaxQuoted;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  }
  for (const char c : text.substr(0, end)) {
    quoted.push_back(static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
  }
  quoted += end < text.size() ? "...\"" : "\"";
  return quoted;
}

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_QUOTE_H_
