// Lines for a terminal of so many columns.
#ifndef MUSTER_BINDINGS_CLI_SHOW_LINES_H_
#define MUSTER_BINDINGS_CLI_SHOW_LINES_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace muster::cli {

/// `text` in exactly `width` columns, cut with a mark where it is longer. Names are ASCII; a
/// message may not be, and is cut between characters.
std::string Fitted(const std::string& text, std::size_t width);

/// Without blanks at its end.
std::string WithoutEnd(std::string text);

/// At most `most` lines, the last of which counts those that are left out; `what` is one of them.
void CutLines(std::vector<std::string>* lines, std::size_t most, std::string_view what);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_LINES_H_
