// Where fuel is taken: a tick at the begin of whatever may run again, which pays for the straight
// code up to there. A tick is four instructions of a trace, which may be more than the body of a
// loop that only adds: where the source says how often such a loop runs, one tick pays for it all.
#include <algorithm>
#include <charconv>

#include "bindings/luajit/parser.h"

namespace muster::luajit {
namespace {

constexpr int kTokensPerUnit = 64;
constexpr int kBytesPerUnit = 256;

// Fuel for `tokens` tokens of straight code, whose new tables and functions take `bytes`. They take
// no longer than other tokens: it is what an item may hold that they are charged for.
int CostOf(int tokens, int bytes) {
  return std::max(1 + tokens / kTokensPerUnit, (bytes + kBytesPerUnit - 1) / kBytesPerUnit);
}

}  // namespace

std::optional<int> WholeNumber(std::string_view text) {
  constexpr std::size_t kMostDigits = 4;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && text.size() <= kMostDigits ? std::optional(value) : std::nullopt;
}

// Straight code pays by its length, or one tick could stand for a file of expensive operators.
void Parser::LeaveRegion() {
  Insertion& tick = facts_.insertions[regions_.back().tick];
  tick.cost = CostOf(regions_.back().tokens, regions_.back().bytes);
  tick.keys = regions_.back().keys;
  regions_.pop_back();
}

// The tick of a plain body goes in front of its loop and takes what those of all rounds would. Few
// rounds, or a program would pay for many and see too late that the fuel is gone; plain, so that
// there is no way out of them and nothing in them that takes memory, which only ticks see.
void Parser::LeaveLoop(std::size_t begin, std::optional<int> rounds) {
  constexpr int kMostRounds = 16;
  const Region body = regions_.back();
  LeaveRegion();
  if (!body.plain || !rounds || *rounds > kMostRounds) return;
  Insertion& tick = facts_.insertions[body.tick];
  tick.offset = begin;
  tick.cost *= *rounds;
  tick.keys *= *rounds;
}

void Parser::EnterRegion(std::size_t tick) {
  regions_.back().plain = false;
  regions_.push_back({facts_.insertions.size(), 0});
  facts_.insertions.push_back({tick, Insertion::Kind::kTick, 0});
}

// What a goto repeats is at most what stands before it in its region.
void Parser::TickBefore(const Token& jump) {
  regions_.back().plain = false;
  const Region& repeated = regions_.back();
  const int cost = CostOf(repeated.tokens, repeated.bytes);
  facts_.insertions.push_back(
      {jump.begin, Insertion::Kind::kTick, cost, kNoIndex, {}, repeated.keys});
}

// An expression, and what it is worth if it is a plain number.
std::optional<int> Parser::Bound() {
  const Token first = token_;
  const int before = regions_.back().tokens;
  Operand(Parse(), false);
  const bool alone = first.kind == TokenKind::kNumber && regions_.back().tokens == before + 1;
  return alone ? WholeNumber(first.text) : std::nullopt;
}

// A string that is computed with is read as a number, one that is compared is walked through: the
// operand pays for that. What was put together by operators is no string, or has paid.
void Parser::Operand(const Expression& operand, bool named) {
  if (!operand.simple || operand.number) return;
  facts_.insertions.push_back({operand.begin, Insertion::Kind::kOperandBegin});
  facts_.insertions.push_back(
      {operand.end, Insertion::Kind::kOperandEnd, 0, kNoIndex, named ? operand.name : ""});
}

// A view has no length. A table that the function made itself is none.
void Parser::Counted(const Expression& operand) {
  if (!operand.simple || operand.number || operand.value.kind == ValueKind::kString) return;
  int variable = kNoIndex;
  if (!operand.indexed && operand.root != kNoIndex) {
    const Variable& held = facts_.variables[static_cast<std::size_t>(operand.root)];
    if (held.fresh && held.function == function_) variable = operand.root;
  }
  using Kind = Insertion::Kind;
  facts_.insertions.push_back({operand.begin, Kind::kCountedBegin, 0, variable});
  facts_.insertions.push_back({operand.end, Kind::kCountedEnd, 0, variable, operand.name});
  if (operand.value.kind == ValueKind::kOrigin) {
    facts_.counted.push_back({operand.value.id, operand.place, false});
  }
}

// Puts a call around the concatenation from `begin` to here: no tick sees how long its result is.
void Parser::Join(std::size_t begin) {
  regions_.back().plain = false;
  facts_.insertions.push_back({begin, Insertion::Kind::kJoinBegin, 0});
  facts_.insertions.push_back({read_end_, Insertion::Kind::kJoinEnd, 0});
}

}  // namespace muster::luajit
