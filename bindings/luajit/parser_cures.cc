// What was probably meant, from what stands where Lua has nothing like it: a syntax error's second
// half. Most authors of policies come from other languages.
#include <algorithm>
#include <string>
#include <string_view>

#include "bindings/luajit/parser.h"

namespace muster::luajit {
namespace {

constexpr std::string_view kInFull = ", in full";

bool IsOneOf(const Token& token, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return token.text == word; });
}

bool IsArithmetic(const Token& token) { return IsOneOf(token, {"+", "-", "*", "/", ".."}); }

/// What stands between two tokens: blanks and comments.
std::string_view Between(const Token& first, const Token& second) {
  if (first.text.empty()) return {};
  const char* const begin = first.text.data() + first.text.size();
  return {begin, second.begin - first.end};
}

}  // namespace

// Operators that other languages have, by what stands before the place where Lua stops.
std::string Parser::CureOfOperator() const {
  if (token_.Is("/") && before_.Is("/")) {
    return "write math.floor(a / b) for whole numbers; a comment begins with --";
  }
  if (token_.Is("*") && before_.Is("*")) return "write muster.pow(a, b)";
  if (IsArithmetic(token_) && before_.text == token_.text) {
    return "write x = x " + std::string(token_.text) + " 1" + std::string(kInFull);
  }
  if (token_.Is(">") && before_.Is("<")) return "write ~= for different";
  if (token_.Is("=") && IsOneOf(before_, {"==", "~="})) {
    return "write " + std::string(before_.text) + " to compare";
  }
  if (token_.Is("<") && before_.Is("=")) return "write <= to compare";
  if (token_.Is(">") && before_.Is("=")) {
    return "write >= to compare, or function(x) return x end for a function";
  }
  if (token_.Is("+")) return "a number has no sign + in front; leave it out";
  return "";
}

// Words that begin a statement elsewhere, and are names here.
std::string Parser::CureOfWord() const {
  if (IsOneOf(token_, {"elif", "elsif"}) || IsOneOf(before_, {"elif", "elsif"})) {
    return "write elseif";
  }
  if (IsOneOf(before_, {"var", "let", "const"})) {
    return "write local " + std::string(token_.text) + " = ...";
  }
  if (IsOneOf(before_, {"def", "fn", "func"})) {
    return "write local function " + std::string(token_.text) + "(...) and end";
  }
  if (before_.text == "continue") return "write goto next, and ::next:: before the end of the loop";
  if (IsOneOf(before_, {"switch", "match"})) return "write if, elseif and else";
  return "";
}

std::string Parser::CureFor(std::string_view what) const {
  const bool at_condition = what == "expected 'then'" || what == "expected 'do'";
  if (token_.Is("=") && at_condition) return "write == to compare";
  if (token_.Is("{") && at_condition) return "write then or do, and end for the }";
  const bool statement = what == "expected '='" || what == "expected a statement";
  if (statement && IsArithmetic(token_) && (ahead_.Is("=") || ahead_.text == token_.text)) {
    const bool text = token_.Is("..");
    return "write x = x " + std::string(token_.text) + (text ? " y" : " 1") + std::string(kInFull);
  }
  if (statement && Between(before_, token_).starts_with("--")) {
    return "-- begins a comment; write x = x - 1" + std::string(kInFull);
  }
  const bool begins = what == "expected a name";
  const bool slashes = token_.Is("/") && (ahead_.Is("/") || ahead_.Is("*"));
  if (begins && (slashes || token_.Is("#"))) return "a comment begins with --";
  if (begins && token_.Is(":") && ahead_.Is("=")) return "write = to assign";
  if (begins && token_.Is(":")) return "a variable has no type in Lua; leave it out";
  if (what.starts_with("expected an expression") || begins) {
    if (std::string cure = CureOfOperator(); !cure.empty()) return cure;
    if (before_.Is("{") && token_.kind == TokenKind::kKeyword) {
      return "a block begins with then or do and ends with end, without { and }";
    }
  }
  if (statement || what.starts_with("expected 'end'")) {
    if (std::string cure = CureOfWord(); !cure.empty()) return cure;
  }
  const bool in_table = what.starts_with("expected '}'");
  if (in_table && token_.kind == TokenKind::kName) return "a comma is missing before it";
  if (else_if_line_ > 0 && (what.starts_with("expected 'end'") || in_table)) {
    return "write elseif, in one word, in line " + std::to_string(else_if_line_);
  }
  return "";
}

}  // namespace muster::luajit
