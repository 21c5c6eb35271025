// See source_traps.h.
#include "bindings/luajit/source_traps.h"

#include <charconv>
#include <cstddef>
#include <string>
#include <utility>

#include "bindings/luajit/source_flow.h"

namespace muster::luajit {
namespace {

/// What to ask of a field instead of whether it is there.
std::string CureOf(FieldKind kind, std::string_view name) {
  if (kind == FieldKind::kText) return "compare it with \"\"";
  if (kind == FieldKind::kBoolean) return "ask it itself, as in not v." + std::string(name);
  if (kind == FieldKind::kView) return "name a field of it";
  return "compare it with a value, as in > 0";
}

/// Whether the text is written as a number: "5", "-0.5".
bool IsNumber(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

class TrapFinder {
 public:
  TrapFinder(const SourceFacts& facts, std::span<const View> origins, const std::set<int>& loose)
      : facts_(facts), origins_(origins), loose_(loose) {}

  std::vector<SourceProblem> Run() {
    CheckTruths();
    for (const Comparison& comparison : facts_.comparisons) {
      if (!comparison.equal) continue;
      CheckEqual(comparison.left, comparison.right, comparison.place);
      CheckEqual(comparison.right, comparison.left, comparison.place);
    }
    for (const OperandUse& operand : facts_.operands) CheckOperand(operand);
    for (const FieldCall& call : facts_.field_calls) CheckCalled(call);
    return std::move(problems_);
  }

 private:
  void Report(SourcePlace place, std::string what, std::string cure) {
    problems_.push_back({place, std::move(what), std::move(cure)});
  }
  View ViewOf(int origin) const {
    return origin == kNoIndex ? View::kUnknown : origins_[static_cast<std::size_t>(origin)];
  }
  FieldKind KindOfRead(const Origin& origin) const;
  std::string NameOf(const Origin& origin) const;
  void CheckTruths();
  void CheckEqual(const Value& field, const Value& with, SourcePlace place);
  void CheckOperand(const OperandUse& operand);
  void CheckCalled(const FieldCall& call);

  const SourceFacts& facts_;
  std::span<const View> origins_;
  const std::set<int>& loose_;
  std::vector<SourceProblem> problems_;
};

// What a field surely holds. A helper that also gets tables of the package may ask what they have.
FieldKind TrapFinder::KindOfRead(const Origin& origin) const {
  if (origin.parent == kNoIndex || loose_.contains(RootOf(facts_, origin.parent))) {
    return FieldKind::kUnknown;
  }
  return KindOf(ViewOf(origin.parent), origin.name);
}

// "label 'team'", "'gpus'"
std::string TrapFinder::NameOf(const Origin& origin) const {
  const bool label = ViewOf(origin.parent) == View::kLabel;
  return (label ? "label '" : "'") + std::string(origin.name) + "'";
}

// A field is never nil, and a text never equal to a number.
void TrapFinder::CheckEqual(const Value& field, const Value& with, SourcePlace place) {
  if (field.kind != ValueKind::kOrigin) return;
  const Origin& origin = SourceOf(facts_, field.id);
  const FieldKind kind = KindOfRead(origin);
  if (kind == FieldKind::kUnknown) return;
  const std::string name = NameOf(origin);
  if (with.kind == ValueKind::kNil) {
    Report(place, name + " is never nil", CureOf(kind, origin.name));
  } else if (with.kind == ValueKind::kNumber && kind == FieldKind::kText) {
    Report(place, name + " is a text, and never equal to a number",
           "write the number as a text, or tonumber(s)");
  } else if (with.kind == ValueKind::kString && kind == FieldKind::kNumber) {
    Report(place, name + " is a number, and never equal to a text", "compare it with a number");
  }
}

// Fields of views are never nil, so what asks whether they are there always goes the same way.
void TrapFinder::CheckTruths() {
  for (const EscapeUse& truth : facts_.truths) {
    const Origin& origin = SourceOf(facts_, truth.origin);
    const FieldKind kind = KindOfRead(origin);
    if (kind == FieldKind::kUnknown || kind == FieldKind::kBoolean) continue;
    const bool label = ViewOf(origin.parent) == View::kLabel;
    const std::string name = NameOf(origin);
    Report(truth.place,
           label ? name + " is a text, \"\" where a job lacks it, and always true"
                 : name + " is always true, whatever it holds",
           CureOf(kind, origin.name));
  }
}

// Lua computes with a text that looks like a number, and fails where it does not.
void TrapFinder::CheckOperand(const OperandUse& operand) {
  if (operand.value.kind == ValueKind::kString) {
    const std::string text(operand.value.text);
    const bool number = IsNumber(text);
    Report(operand.place, "the text \"" + text.substr(0, 64) + "\" is no number",
           number ? "write " + text : "compute with numbers; .. joins texts");
    return;
  }
  if (operand.value.kind != ValueKind::kOrigin) return;
  const Origin& origin = SourceOf(facts_, operand.value.id);
  const FieldKind kind = KindOfRead(origin);
  const std::string name(origin.name);
  if (kind == FieldKind::kText) {
    Report(operand.place, NameOf(origin) + " is a text, and no number",
           "write tonumber(s) or 0; .. joins texts");
  } else if (kind == FieldKind::kBoolean) {
    Report(operand.place, "'" + name + "' is true or false, and no number",
           "write (v." + name + " and 1 or 0)");
  } else if (kind == FieldKind::kView) {
    Report(operand.place, "'" + name + "' holds several values, and is no number",
           "name one of them, as in " + name + (name == "label" ? ".tier" : ".cpu"));
  }
}

// Of views only a few fields of c are functions.
void TrapFinder::CheckCalled(const FieldCall& call) {
  if (call.origin == kNoIndex) return;
  const Origin& origin = facts_.origins[static_cast<std::size_t>(call.origin)];
  if (origin.parent == kNoIndex || loose_.contains(RootOf(facts_, origin.parent))) return;
  const bool of_context = ViewOf(origin.parent) == View::kContext;
  if (of_context && call.name == "hold" && call.arguments.size() > 1 &&
      call.arguments[1].kind == ValueKind::kNumber) {
    Report(origin.place, "c.hold takes until when, and that is a time in seconds since 1970",
           "write c.now and so many seconds, as in c.now + 600");
  }
  const bool value = of_context ? origin.name == "now" || origin.name == "cycle"
                                : KindOfRead(origin) != FieldKind::kUnknown;
  // The methods of texts are called on a field.
  if (!value) return;
  Report(origin.place, "'" + std::string(origin.name) + "' is a value, and no function",
         call.method ? "write . instead of :, without ( )" : "leave out the ( )");
}

}  // namespace

std::vector<SourceProblem> FindTraps(const SourceFacts& facts, std::span<const View> origins,
                                     const std::set<int>& loose) {
  return TrapFinder(facts, origins, loose).Run();
}

}  // namespace muster::luajit
