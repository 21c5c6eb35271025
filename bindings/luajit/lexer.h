// Tokens of a policy file, cut exactly where LuaJIT cuts them: a tick must never land in a string.
#ifndef MUSTER_BINDINGS_LUAJIT_LEXER_H_
#define MUSTER_BINDINGS_LUAJIT_LEXER_H_

#include <cstddef>
#include <string_view>

namespace muster::luajit {

/// Where something stands; line and column count from 1, columns in characters.
struct SourcePlace {
  int line = 0;
  int column = 0;
};

enum class TokenKind { kEnd, kName, kKeyword, kNumber, kString, kSymbol, kError };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;  ///< as written; of kError: what is wrong
  std::size_t begin = 0;  ///< offset of its first byte
  std::size_t end = 0;    ///< offset behind its last byte
  SourcePlace place;

  bool Is(std::string_view word) const {
    return (kind == TokenKind::kKeyword || kind == TokenKind::kSymbol) && text == word;
  }
};

/// Reads tokens one after the other; after kError or kEnd it repeats that token. O(1) memory.
class Lexer {
 public:
  explicit Lexer(std::string_view source);
  Token Next();

 private:
  char At(std::size_t i) const { return i < source_.size() ? source_[i] : '\0'; }
  Token Make(TokenKind kind, std::size_t begin);
  Token Close(Token start) const;
  static Token Fail(std::string_view what, Token start);
  void NewLine();
  bool SkipLongBracket();
  bool SkipSpace();
  Token ReadString(char quote);
  Token ReadNumber();

  std::string_view source_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t counted_ = 0;  ///< offset up to which column_ is counted
  int column_ = 1;
  Token last_;
  bool done_ = false;
};

/// Offset of the first byte of Lua code: LuaJIT skips a byte order mark and a first line with '#'.
std::size_t CodeBegin(std::string_view source);

/// The text of a kString token, escapes left as they are: good for names, which have none.
std::string_view StringContents(std::string_view literal);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_LEXER_H_
