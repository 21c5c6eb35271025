// Follows lj_lex.c in what is a space, a name, a number and the end of a string.
#include "bindings/luajit/lexer.h"

#include <algorithm>
#include <array>

#include "engine/base/ascii.h"

namespace muster::luajit {
namespace {

constexpr std::array<std::string_view, 22> kKeywords = {
    "and",      "break",  "do",   "else", "elseif", "end",  "false", "for",
    "function", "goto",   "if",   "in",   "local",  "nil",  "not",   "or",
    "repeat",   "return", "then", "true", "until",  "while"};

bool IsNewLine(char c) { return c == '\n' || c == '\r'; }
bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool IsIdent(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

int CountCharacters(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

/// What other languages write and Lua does not.
std::string_view Foreign(std::string_view text) {
  if (text.starts_with("!=")) return "'!=' is not Lua; write ~=";
  if (text.starts_with('!')) return "'!' is not Lua; write not";
  if (text.starts_with('&')) return "'&' is not Lua; write and";
  if (text.starts_with('|')) return "'|' is not Lua; write or";
  if (text.starts_with('~')) return "'~' is not Lua; write ~= to compare, or not";
  if (text.starts_with('?')) return "'?' is not Lua; write x and a or b";
  return "unexpected character";
}

}  // namespace

std::size_t CodeBegin(std::string_view source) {
  const std::size_t mark = source.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  if (mark >= source.size() || source[mark] != '#') return mark;
  return std::min(source.find_first_of("\r\n", mark), source.size());
}

std::string_view StringContents(std::string_view literal) {
  if (literal.size() < 2) return {};
  if (literal[0] != '[') return literal.substr(1, literal.size() - 2);
  const std::size_t bracket = literal.find('[', 1) + 1;
  return literal.substr(bracket, literal.size() - 2 * bracket);
}

Lexer::Lexer(std::string_view source) : source_(source), at_(CodeBegin(source)) {}

// Tokens come in order, so columns are counted on from the token before.
Token Lexer::Make(TokenKind kind, std::size_t begin) {
  column_ += CountCharacters(source_.substr(counted_, begin - counted_));
  counted_ = begin;
  Token token;
  token.kind = kind;
  token.begin = begin;
  token.end = at_;
  token.text = source_.substr(begin, at_ - begin);
  token.place = {line_, column_};
  return token;
}

// `start`, made where the token begins, extended to here.
Token Lexer::Close(Token start) const {
  start.end = at_;
  start.text = source_.substr(start.begin, at_ - start.begin);
  return start;
}

Token Lexer::Fail(std::string_view what, Token start) {
  start.kind = TokenKind::kError;
  start.text = what;
  return start;
}

// "\r\n" and "\n\r" are one line end.
void Lexer::NewLine() {
  const char first = At(at_++);
  if (IsNewLine(At(at_)) && At(at_) != first) ++at_;
  ++line_;
  counted_ = at_;
  column_ = 1;
}

// At '[': skips a whole "[==[ ... ]==]". False, and nothing is skipped, when this is none; false
// behind the end of the source when it is never closed.
bool Lexer::SkipLongBracket() {
  std::size_t open = at_ + 1;
  while (At(open) == '=') ++open;
  if (At(open) != '[') return false;
  const std::size_t level = open - at_ - 1;
  at_ = open + 1;
  while (at_ < source_.size()) {
    if (IsNewLine(At(at_))) {
      NewLine();
      continue;
    }
    if (At(at_++) != ']') continue;
    std::size_t close = at_;
    while (At(close) == '=') ++close;
    if (close - at_ == level && At(close) == ']') {
      at_ = close + 1;
      return true;
    }
    at_ = close;
  }
  return false;
}

// Spaces and comments. False when a comment never ends.
bool Lexer::SkipSpace() {
  while (at_ < source_.size()) {
    if (IsNewLine(At(at_))) {
      NewLine();
    } else if (IsBlank(At(at_))) {
      ++at_;
    } else if (At(at_) == '-' && At(at_ + 1) == '-') {
      at_ += 2;
      if (At(at_) == '[') {
        if (SkipLongBracket()) continue;
        if (at_ >= source_.size()) return false;
      }
      while (at_ < source_.size() && !IsNewLine(At(at_))) ++at_;
    } else {
      return true;
    }
  }
  return true;
}

// A backslash hides the next character; "\z" hides all space behind it, line ends included.
Token Lexer::ReadString(char quote) {
  const Token start = Make(TokenKind::kString, at_);
  ++at_;
  while (at_ < source_.size() && At(at_) != quote) {
    if (IsNewLine(At(at_))) return Fail("unfinished string", start);
    if (At(at_) != '\\') {
      ++at_;
      continue;
    }
    ++at_;
    if (At(at_) == 'z') {
      ++at_;
      while (IsBlank(At(at_)) || IsNewLine(At(at_))) {
        if (IsNewLine(At(at_))) {
          NewLine();
        } else {
          ++at_;
        }
      }
    } else if (IsNewLine(At(at_))) {
      NewLine();
    } else if (at_ < source_.size()) {
      ++at_;
    }
  }
  if (at_ >= source_.size()) return Fail("unfinished string", start);
  ++at_;
  return Close(start);
}

// Takes every letter and digit that follows, as LuaJIT does before it looks at them.
Token Lexer::ReadNumber() {
  const std::size_t begin = at_;
  const bool hex = At(at_) == '0' && (At(at_ + 1) | 0x20) == 'x';
  const char exponent = hex ? 'p' : 'e';
  char before = '\0';
  while (IsIdent(At(at_)) || At(at_) == '.' ||
         ((At(at_) == '-' || At(at_) == '+') && (before | 0x20) == exponent)) {
    before = At(at_++);
  }
  return Make(TokenKind::kNumber, begin);
}

Token Lexer::Next() {
  if (done_) return last_;
  const auto read = [this]() -> Token {
    if (!SkipSpace()) return Fail("unfinished comment", Make(TokenKind::kError, at_));
    const std::size_t begin = at_;
    if (at_ >= source_.size()) return Make(TokenKind::kEnd, begin);
    const char c = At(at_);
    if (IsDigit(c) || (c == '.' && IsDigit(At(at_ + 1)))) return ReadNumber();
    if (IsIdent(c)) {
      while (IsIdent(At(at_)) && at_ < source_.size()) ++at_;
      Token token = Make(TokenKind::kName, begin);
      if (std::find(kKeywords.begin(), kKeywords.end(), token.text) != kKeywords.end()) {
        token.kind = TokenKind::kKeyword;
      }
      return token;
    }
    if (c == '"' || c == '\'') return ReadString(c);
    if (c == '[' && (At(at_ + 1) == '[' || At(at_ + 1) == '=')) {
      const Token start = Make(TokenKind::kString, begin);
      if (SkipLongBracket()) return Close(start);
      return Fail(at_ > begin ? "unfinished long string" : "unexpected character", start);
    }
    for (const std::string_view symbol : {"...", "..", "==", "~=", "<=", ">=", "::"}) {
      if (source_.substr(at_).starts_with(symbol)) {
        at_ += symbol.size();
        return Make(TokenKind::kSymbol, begin);
      }
    }
    ++at_;
    if (std::string_view("+-*/%^#<>=(){}[];:,.").find(c) != std::string_view::npos) {
      return Make(TokenKind::kSymbol, begin);
    }
    return Fail(Foreign(source_.substr(begin)), Make(TokenKind::kError, begin));
  };
  last_ = read();
  done_ = last_.kind == TokenKind::kEnd || last_.kind == TokenKind::kError;
  return last_;
}

}  // namespace muster::luajit
