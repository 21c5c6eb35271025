// See source_flow.h.
#include "bindings/luajit/source_flow.h"

#include <cstddef>

namespace muster::luajit {
namespace {

constexpr int kLoosePasses = 20;  // as deep as views are followed

/// The function that a variable holds, also under a second name; nullptr: not known.
const Function* HeldBy(const SourceFacts& facts, int variable) {
  const Variable* held = &facts.variables[static_cast<std::size_t>(variable)];
  if (held->bound == kNoIndex && held->origin != kNoIndex && !held->reassigned) {
    const Origin& source = SourceOf(facts, held->origin);
    if (source.parent != kNoIndex) return nullptr;
    held = &facts.variables[static_cast<std::size_t>(source.variable)];
  }
  if (held->bound == kNoIndex) return nullptr;
  return &facts.functions[static_cast<std::size_t>(held->bound)];
}

}  // namespace

const Origin& SourceOf(const SourceFacts& facts, int id) {
  const Origin* origin = &facts.origins[static_cast<std::size_t>(id)];
  while (origin->parent == kNoIndex) {
    const Variable& variable = facts.variables[static_cast<std::size_t>(origin->variable)];
    if (variable.reassigned || variable.origin == kNoIndex) break;
    origin = &facts.origins[static_cast<std::size_t>(variable.origin)];
  }
  return *origin;
}

const Origin& TopOf(const SourceFacts& facts, const Origin& origin) {
  const Origin* top = &origin;
  while (top->parent != kNoIndex) top = &facts.origins[static_cast<std::size_t>(top->parent)];
  return *top;
}

int RootOf(const SourceFacts& facts, int origin) {
  const Origin* source = &SourceOf(facts, origin);
  while (source->parent != kNoIndex) source = &SourceOf(facts, source->parent);
  return source->variable;
}

std::set<int> LooseParameters(const SourceFacts& facts, const std::vector<View>& views,
                              const std::set<const Function*>& hooks) {
  std::set<int> loose;
  const auto pass_on = [&](int origin, bool stored) {
    const Origin& source = SourceOf(facts, origin);
    const Function* const function =
        source.parent == kNoIndex ? HeldBy(facts, source.variable) : nullptr;
    if (function == nullptr || (stored && hooks.contains(function))) return;
    loose.insert(function->parameters.begin(), function->parameters.end());
  };
  for (const EscapeUse& escape : facts.escapes) pass_on(escape.origin, escape.stored);
  for (const CallUse& call : facts.calls) {
    for (const Value& argument : call.arguments) {
      if (argument.kind == ValueKind::kOrigin) pass_on(argument.id, false);
    }
  }
  const auto is_view = [&](const Value& value) {
    return value.kind == ValueKind::kOrigin &&
           views[static_cast<std::size_t>(value.id)] != View::kUnknown &&
           !loose.contains(RootOf(facts, value.id));
  };
  bool changed = true;
  for (int pass = 0; changed && pass < kLoosePasses; ++pass) {
    changed = false;
    for (const CallUse& call : facts.calls) {
      const Function* const function = HeldBy(facts, call.variable);
      if (function == nullptr) continue;
      const std::vector<int>& parameters = function->parameters;
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (i < call.arguments.size() && is_view(call.arguments[i])) continue;
        changed |= loose.insert(parameters[i]).second;
      }
    }
  }
  return loose;
}

}  // namespace muster::luajit
