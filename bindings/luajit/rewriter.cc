// The cell and the function are upvalues whose names have a byte no policy may use in a name.
// Calling the cell raises; the function returns true, so that it can stand before an operand.
#include "bindings/luajit/rewriter.h"

#include <algorithm>

namespace muster::luajit {
namespace {

constexpr std::string_view kOpen = "local \x80, \x81 = ... return function(...) ";
constexpr std::string_view kClose = "\nend";
// The second parenthesis keeps `return a .. b` from becoming a tail call, which has no line.
constexpr std::string_view kJoinBegin = "(\x80.join(";
constexpr std::string_view kJoinEnd = "))";

/// What goes in at an offset; of several at one place the lower rank stands in front.
struct Piece {
  std::size_t offset = 0;
  int rank = 1;
  std::string text;
};

Piece PieceOf(const Insertion& insertion) {
  switch (insertion.kind) {
    case Insertion::Kind::kJoinBegin:
      return {insertion.offset, 2, std::string(kJoinBegin)};
    case Insertion::Kind::kJoinEnd:
      return {insertion.offset, 0, std::string(kJoinEnd)};
    case Insertion::Kind::kTick:
      break;
  }
  const std::string cost = std::to_string(insertion.cost);
  return {insertion.offset, 1,
          " if \x80.left<" + cost + " then \x80() end \x80.left=\x80.left-" + cost + "; "};
}

Piece PieceOf(const SourceMark& mark, std::size_t number) {
  const std::string call = "\x81(" + std::to_string(number) + ")";
  if (mark.kind == MarkKind::kChain || mark.kind == MarkKind::kRight) {
    return {mark.offset, 1, " " + call + " and "};
  }
  return {mark.offset, 1, (mark.kind == MarkKind::kNoElse ? " else " : " ") + call + "; "};
}

}  // namespace

std::string RewriteSource(std::string_view source, const std::vector<Insertion>& insertions,
                          std::span<const SourceMark> marks) {
  constexpr std::size_t kUsualSize = 48;
  std::vector<Piece> pieces;
  pieces.reserve(insertions.size() + marks.size());
  for (const Insertion& insertion : insertions) pieces.push_back(PieceOf(insertion));
  for (std::size_t i = 0; i < marks.size(); ++i) pieces.push_back(PieceOf(marks[i], i));
  std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.rank < b.rank;
  });
  std::string result(kOpen);
  result.reserve(kOpen.size() + source.size() + pieces.size() * kUsualSize + kClose.size());
  std::size_t at = CodeBegin(source);
  for (const Piece& piece : pieces) {
    result += source.substr(at, piece.offset - at);
    result += piece.text;
    at = piece.offset;
  }
  result += source.substr(at);
  result += kClose;
  return result;
}

}  // namespace muster::luajit
