// One row per complaint that a person can provoke; what is not in the table passes through as it
// is.
#include "bindings/manifest/yaml_syntax.h"

#include <yaml-cpp/exceptions.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "bindings/manifest/quote.h"

namespace muster::manifest {
namespace {

struct Explanation {
  std::string_view message;  ///< how yaml-cpp's text begins
  std::string_view what;
  std::string_view cure;
};

const std::array kExplanations = {
    Explanation{YAML::ErrorMsg::END_OF_MAP, "the indentation of this line fits no line above it",
                "indent it like the fields beside it"},
    Explanation{YAML::ErrorMsg::END_OF_SEQ, "the indentation of this line fits no line above it",
                "indent it like the items beside it"},
    Explanation{
        YAML::ErrorMsg::MAP_VALUE, "a ':' may not stand here",
        "quote the text if the ':' belongs to it; check the line above and the indentation"},
    Explanation{YAML::ErrorMsg::MAP_KEY, "a field may not begin here", "begin it on its own line"},
    Explanation{YAML::ErrorMsg::BLOCK_ENTRY, "a list item may not begin here",
                "begin it on its own line"},
    Explanation{YAML::ErrorMsg::FLOW_END, "this bracket closes nothing", "remove it"},
    Explanation{
        YAML::ErrorMsg::UNKNOWN_ANCHOR, "this alias has no anchor",
        "write its &anchor before it in the same document, or quote a text that begins with "
        "'*'"},
    Explanation{YAML::ErrorMsg::INVALID_ESCAPE, "there is no such escape in a quoted text",
                "double the backslash, or use single quotes"},
    Explanation{YAML::ErrorMsg::INVALID_HEX, "the escape needs hexadecimal digits",
                "write for example \\u00e9"},
    Explanation{YAML::ErrorMsg::INVALID_UNICODE, "the escape names no character",
                "write for example \\u00e9"},
    Explanation{YAML::ErrorMsg::EOF_IN_SCALAR, "the quoted text that begins here is never closed",
                "write the closing quote"},
    Explanation{YAML::ErrorMsg::DOC_IN_SCALAR, "a document ends inside a quoted text",
                "write the closing quote"},
    Explanation{YAML::ErrorMsg::CHAR_IN_BLOCK, "only an indentation may follow '|' or '>'",
                "begin the text on the next line"},
};

/// Begin of the list or mapping in brackets that was never closed.
SyntaxMistake LeftOpen(std::string_view thing, char bracket, Position at,
                       const YamlNode* innermost) {
  if (innermost != nullptr) at = innermost->at;
  return {at, "the " + std::string(thing) + " that begins here is not closed before the next field",
          std::string("write the missing ',' or '") + bracket + "'"};
}

/// Column of a tab among the blanks that begin the line of `offset`; nullopt when there is none.
std::optional<int> TabInIndentation(std::string_view text, std::size_t offset) {
  const std::size_t newline = text.rfind('\n', offset == 0 ? 0 : offset - 1);
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  const std::string_view line = text.substr(start);
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos || tab > line.find_first_not_of(" \t")) return std::nullopt;
  return static_cast<int>(tab) + 1;
}

}  // namespace

SyntaxMistake ExplainSyntax(std::string_view message, Position at, std::string_view text,
                            int offset, const YamlNode* innermost) {
  const std::size_t byte = static_cast<std::size_t>(std::max(offset, 0));
  if (const std::optional<int> tab = TabInIndentation(text, byte)) {
    return {{at.line, *tab}, "a tab indents this line", "indent with spaces"};
  }
  if (message == YAML::ErrorMsg::END_OF_SEQ_FLOW) return LeftOpen("list", ']', at, innermost);
  if (message == YAML::ErrorMsg::END_OF_MAP_FLOW) return LeftOpen("mapping", '}', at, innermost);
  if (message == YAML::ErrorMsg::UNKNOWN_TOKEN && byte < text.size()) {
    return {at, "a text may not begin with " + Quoted(text.substr(byte, 1)), "quote the text"};
  }
  for (const Explanation& row : kExplanations) {
    if (message.starts_with(row.message)) {
      return {at, std::string(row.what), std::string(row.cure)};
    }
  }
  return {at, "this is not YAML: " + std::string(message), "compare with a manifest that works"};
}

}  // namespace muster::manifest
