// Works on tokens: what is changed keeps the file readable as Lua, whatever stands around it.
#include "bindings/luajit/mutants.h"

#include <array>
#include <cstdlib>
#include <utility>

namespace muster::luajit {
namespace {

using Swap = std::pair<std::string_view, std::string_view>;
constexpr std::array<Swap, 14> kSwaps = {{{"<", "<="},
                                          {"<=", "<"},
                                          {">", ">="},
                                          {">=", ">"},
                                          {"==", "~="},
                                          {"~=", "=="},
                                          {"+", "-"},
                                          {"*", "/"},
                                          {"/", "*"},
                                          {"and", "or"},
                                          {"or", "and"},
                                          {"true", "false"},
                                          {"false", "true"},
                                          {"not", "not not"}}};
constexpr std::array<Swap, 4> kNames = {
    {{"min", "max"}, {"max", "min"}, {"floor", "ceil"}, {"ceil", "floor"}}};

constexpr std::string_view kExcuse = "-- equivalent:";

std::string_view LineOf(std::string_view source, std::size_t offset) {
  const std::size_t before = source.rfind('\n', offset);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return source.substr(begin, source.find('\n', offset) - begin);
}

/// What stands before a `-` when it is a sign and not a subtraction.
bool EndsOperand(const Token& token) {
  return token.kind == TokenKind::kName || token.kind == TokenKind::kNumber ||
         token.kind == TokenKind::kString || token.Is(")") || token.Is("]") || token.Is("}") ||
         token.Is("end");
}

std::string ChangedNumber(std::string_view text) {
  const double value = std::strtod(std::string(text).c_str(), nullptr);
  return "(" + std::string(text) + (value == 1 ? " + 1)" : value == 0 ? " + 1)" : " - 1)");
}

/// What `token` becomes; empty: it stays.
std::string Changed(const Token& token, const Token& previous) {
  if (token.kind == TokenKind::kNumber) return ChangedNumber(token.text);
  if (token.Is("-")) return EndsOperand(previous) ? "+" : " ";
  if (token.kind == TokenKind::kName && previous.Is(".")) {
    for (const Swap& swap : kNames) {
      if (token.text == swap.first) return std::string(swap.second);
    }
  }
  for (const Swap& swap : kSwaps) {
    if (token.Is(swap.first)) return std::string(swap.second);
  }
  return "";
}

/// Follows how deep in functions a token is: what runs at loading is checked by loading.
class Depth {
 public:
  void Read(const Token& token) {
    if (token.Is("function") || token.Is("if") || token.Is("do") || token.Is("repeat")) {
      blocks_.push_back(token.Is("function"));
      functions_ += token.Is("function");
    } else if ((token.Is("end") || token.Is("until")) && !blocks_.empty()) {
      functions_ -= blocks_.back();
      blocks_.pop_back();
    }
  }
  bool inside() const { return functions_ > 0; }

 private:
  std::vector<bool> blocks_;
  int functions_ = 0;
};

}  // namespace

std::vector<Mutant> MakeMutants(std::string_view source) {
  std::vector<Mutant> mutants;
  Lexer lexer(source);
  Depth depth;
  Token previous;
  for (Token token = lexer.Next(); token.kind != TokenKind::kEnd && token.kind != TokenKind::kError;
       token = lexer.Next()) {
    depth.Read(token);
    const std::string changed = depth.inside() ? Changed(token, previous) : "";
    const bool excused = LineOf(source, token.begin).find(kExcuse) != std::string_view::npos;
    if (!changed.empty() && !excused) {
      std::string whole(source.substr(0, token.begin));
      whole += changed;
      whole += source.substr(token.end);
      mutants.push_back({token.place, std::string(token.text), changed, std::move(whole)});
    }
    previous = token;
  }
  return mutants;
}

}  // namespace muster::luajit
