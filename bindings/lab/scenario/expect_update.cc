// Works on text, not on a parsed document, so that comments and layout around it survive. A block
// value is the lines below the key that are indented deeper; a flow value ends with its last
// bracket.
#include "bindings/lab/scenario/expect_update.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "bindings/lab/yaml_text.h"

namespace muster::lab {
namespace {

constexpr std::string_view kKey = "expect";

/// Offset of a line (from 1); the text's size when there are fewer.
std::size_t LineStart(std::string_view text, int line) {
  std::size_t at = 0;
  for (int i = 1; i < line && at < text.size(); ++i)
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  return at;
}

std::size_t LineEnd(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

std::size_t SkipBlanks(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] == ' ') ++at;
  return at;
}

/// One past the closing bracket of the flow collection that opens at `at`.
std::size_t FlowEnd(std::string_view text, std::size_t at) {
  int depth = 0;
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == '\\' && quote == '"')
        ++at;
      else if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#' && (text[at - 1] == ' ' || text[at - 1] == '\n')) {
      at = LineEnd(text, at);
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return at + 1;
    }
  }
  return text.size();
}

/// The lines after the one at `key_line` that are indented deeper than `key_column` (from 0), up to
/// the last one that holds more than a comment.
struct Block {
  std::size_t begin;
  std::size_t end;
  std::size_t indent;
};

Block BlockBelow(std::string_view text, std::size_t key_at, std::size_t key_column) {
  const std::size_t begin = std::min(LineEnd(text, key_at) + 1, text.size());
  Block block{begin, begin, key_column + 2};
  bool first = true;
  for (std::size_t at = begin; at < text.size();) {
    const std::size_t content = SkipBlanks(text, at);
    const std::size_t next = std::min(LineEnd(text, at) + 1, text.size());
    const bool empty = content >= text.size() || text[content] == '\n' || text[content] == '#';
    if (!empty) {
      if (content - at <= key_column) break;
      if (first) block.indent = content - at;
      first = false;
      block.end = next;
    }
    at = next;
  }
  return block;
}

}  // namespace

Json NewExpectation(const Json& expected, const Json& got) {
  Json value = Json::object();
  for (const auto& [part, content] : got.items()) {
    const bool always =
        std::find(kExpectable.begin(), kExpectable.end(), part) != kExpectable.end();
    if (expected.empty() ? !always : !expected.contains(part)) continue;
    value[part] = content;
  }
  if (value.contains("workloads")) {
    Json named = Json::object();
    for (const auto& [workload, view] : value["workloads"].items()) {
      if (expected["workloads"].contains(workload)) named[workload] = view;
    }
    value["workloads"] = std::move(named);
  }
  if (value.contains("pending")) {
    for (Json& workload : value["pending"]) workload.erase("message");
  }
  return value;
}

std::string ReplaceExpectation(std::string_view text, int line, int column, const Json& value) {
  const std::size_t start = LineStart(text, line);
  const std::size_t key = start + static_cast<std::size_t>(std::max(column, 1)) - 1;
  if (key >= text.size() || text.substr(key, kKey.size()) != kKey) return std::string(text);
  const std::size_t colon = SkipBlanks(text, key + kKey.size());
  if (colon >= text.size() || text[colon] != ':') return std::string(text);

  const std::size_t at = SkipBlanks(text, colon + 1);
  std::size_t begin = colon + 1;
  std::size_t end = at;
  std::string replacement = " " + FlowYaml(value);
  if (at >= text.size() || text[at] == '\n' || text[at] == '#') {
    const Block block = BlockBelow(text, key, key - start);
    begin = block.begin;
    end = block.end;
    replacement = BlockYaml(value, block.indent);
  } else if (text[at] == '{' || text[at] == '[') {
    end = FlowEnd(text, at);
    const bool alone = SkipBlanks(text, start) == key;
    if (alone && key - start + kKey.size() + replacement.size() > 100) {
      replacement = '\n' + BlockYaml(value, key - start + 2);
      replacement.pop_back();
    }
  }
  return std::string(text.substr(0, begin)) + replacement + std::string(text.substr(end));
}

std::string UpdateExpectations(std::string_view text, const std::vector<Check>& checks) {
  std::vector<const Check*> failed;
  for (const Check& check : checks) {
    if (!check.mismatches.empty()) failed.push_back(&check);
  }
  // From the last one up, so that the places of the others stay true.
  std::sort(failed.begin(), failed.end(), [](const Check* a, const Check* b) {
    return std::pair(a->place.line, a->place.column) > std::pair(b->place.line, b->place.column);
  });
  std::string updated(text);
  for (const Check* check : failed) {
    updated = ReplaceExpectation(updated, check->place.line, check->place.column,
                                 NewExpectation(check->expected, check->got));
  }
  return updated;
}

}  // namespace muster::lab
