// The cell and the functions are upvalues whose names have a byte no policy may use in a name.
// Calling the cell raises, unless there is more fuel behind it; the function that counts returns
// true, so that it can stand before an operand.
#include "bindings/luajit/rewriter.h"

#include <algorithm>

namespace muster::luajit {
namespace {

constexpr std::string_view kOpen =
    "local \x80, \x81 = ... local \x82, \x83, \x84 = \x80.operand, \x80.own, "
    "\x80.counted return function(...) ";
constexpr std::string_view kClose = "\nend";
// The second parenthesis keeps `return a .. b` from becoming a tail call, which has no line.
constexpr std::string_view kJoinBegin = "(\x80.join(";
constexpr std::string_view kJoinEnd = "))";

/// Of several pieces at one place the lower one stands in front: what ends there, the inner before
/// the outer, then what begins, the outer before the inner.
enum Rank { kOperandOver, kJoinOver, kCallOver, kFew, kStatement, kOwn, kJoin, kOperand };

/// What goes in at an offset.
struct Piece {
  std::size_t offset = 0;
  Rank rank = kStatement;
  std::string text;
};

std::string CountKeys(int keys) {
  return keys > 0 ? " \x80.keys=\x80.keys+" + std::to_string(keys) + "; " : "";
}

Piece PieceOf(const Insertion& insertion) {
  const std::size_t at = insertion.offset;
  switch (insertion.kind) {
    case Insertion::Kind::kJoinBegin:
      return {at, kJoin, std::string(kJoinBegin)};
    case Insertion::Kind::kJoinEnd:
      return {at, kJoinOver, std::string(kJoinEnd)};
    case Insertion::Kind::kOperandBegin:
      return {at, kOperand, " \x82("};
    case Insertion::Kind::kCountedBegin:
      return {at, kOperand, " \x84("};
    case Insertion::Kind::kCountedEnd:
    case Insertion::Kind::kOperandEnd:
      return {at, kOperandOver,
              insertion.text.empty() ? ")" : std::string(",\"") + insertion.text + "\")"};
    case Insertion::Kind::kOwnBegin:
      return {at, kOwn, " \x83("};
    case Insertion::Kind::kOwn:
      return {at, kOwn, " \x83(" + insertion.text + ") "};
    case Insertion::Kind::kFewBegin:
      return {at, kFew, " \x80.few("};
    case Insertion::Kind::kArguments:
      return {at, kStatement, " \x80.few(...) "};
    case Insertion::Kind::kListedBegin:
      return {at, kFew, " \x80.listed("};
    case Insertion::Kind::kKeyBegin:
      return {at, kFew, " \x80.key("};
    case Insertion::Kind::kGoneBegin:
      return {at, kFew,
              insertion.cost == 1 ? " \x80.gone("
                                  : " \x80.gone_of(" + std::to_string(insertion.cost) + ","};
    case Insertion::Kind::kKeyEnd:
    case Insertion::Kind::kGoneEnd:
    case Insertion::Kind::kOwnEnd:
    case Insertion::Kind::kFewEnd:
      return {at, kCallOver, ")"};
    case Insertion::Kind::kKeys:
      return {at, kStatement, CountKeys(insertion.keys)};
    case Insertion::Kind::kTick:
      break;
  }
  const std::string cost = std::to_string(insertion.cost);
  return {at, kStatement,
          " if \x80.left<" + cost + " then \x80(" + cost + ") end \x80.left=\x80.left-" + cost +
              "; " + CountKeys(insertion.keys)};
}

Piece PieceOf(const SourceMark& mark, std::size_t number) {
  const std::string call = "\x81(" + std::to_string(number) + ")";
  if (mark.kind == MarkKind::kChain || mark.kind == MarkKind::kRight) {
    return {mark.offset, kStatement, " " + call + " and "};
  }
  return {mark.offset, kStatement, (mark.kind == MarkKind::kNoElse ? " else " : " ") + call + "; "};
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
