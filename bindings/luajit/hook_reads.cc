// Fields that are named in a file, and whose: one too many only makes fewer jobs equal, or a row
// fuller. Where a view goes out of sight nothing is known.
#include "bindings/luajit/hook_reads.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>

#include "bindings/luajit/source_flow.h"

namespace muster::luajit {
namespace {

// Whether the value is one that a function was given, whole: a view, for all we know.
bool IsGiven(const SourceFacts& facts, int origin) {
  for (;;) {
    const Origin& value = facts.origins[static_cast<std::size_t>(origin)];
    if (value.parent != kNoIndex) return false;
    const int next = facts.variables[static_cast<std::size_t>(value.variable)].origin;
    if (next == kNoIndex) {
      return std::any_of(facts.functions.begin(), facts.functions.end(), [&](const Function& f) {
        return std::find(f.parameters.begin(), f.parameters.end(), value.variable) !=
               f.parameters.end();
      });
    }
    origin = next;
  }
}

// `expected_run` is made in Lua of what the row has under two other names.
void AddWhatIsReadFor(std::set<std::string>* fields) {
  if (fields->contains("expected_run")) fields->insert({"label", "max_run"});
}

// The functions that stand in the table of the package as other hooks than `name`. Where the file
// returns a table that it has just made, nothing else can call them.
std::set<int> FunctionsOfOthers(const SourceFacts& facts, std::string_view name) {
  std::set<int> others;
  if (facts.result.kind != ValueKind::kTable) return others;
  const auto note = [&others](const Value& value) {
    if (value.kind == ValueKind::kFunction) others.insert(value.id);
  };
  for (const TableEntry& entry : facts.tables[static_cast<std::size_t>(facts.result.id)].entries) {
    if (entry.key.empty() || entry.key == name) continue;
    note(entry.value);
    if (entry.value.kind != ValueKind::kTable) continue;
    for (const TableEntry& part : facts.tables[static_cast<std::size_t>(entry.value.id)].entries) {
      if (part.key.empty()) note(part.value);
    }
  }
  return others;
}

// Whether function `value` takes nothing of its second argument. A parameter that is mentioned
// nowhere, in a function without `...`, is out of its reach.
bool IgnoresSecond(const SourceFacts& facts, const Value& value) {
  int id = kNoIndex;
  if (value.kind == ValueKind::kFunction) id = value.id;
  if (value.kind == ValueKind::kOrigin) {
    const Origin& origin = facts.origins[static_cast<std::size_t>(value.id)];
    if (origin.variable != kNoIndex) {
      const Variable& variable = facts.variables[static_cast<std::size_t>(origin.variable)];
      if (!variable.reassigned) id = variable.bound;
    }
  }
  if (id == kNoIndex) return false;
  const Function& function = facts.functions[static_cast<std::size_t>(id)];
  if (function.open || function.parameters.size() < 2) return !function.open;
  return std::none_of(facts.origins.begin(), facts.origins.end(), [&](const Origin& origin) {
    return origin.variable == function.parameters[1];
  });
}

}  // namespace

std::optional<std::vector<std::string>> FieldsNamed(const SourceFacts& facts) {
  const bool lost = std::any_of(facts.escapes.begin(), facts.escapes.end(),
                                [&](const EscapeUse& use) { return IsGiven(facts, use.origin); });
  if (lost || facts.loose_index) return std::nullopt;
  std::set<std::string> fields;
  for (const Origin& origin : facts.origins) {
    if (origin.parent != kNoIndex) fields.emplace(origin.name);
  }
  for (const std::string_view name : facts.loose_fields) fields.emplace(name);
  AddWhatIsReadFor(&fields);
  return std::vector<std::string>(fields.begin(), fields.end());
}

bool Escapes(const SourceFacts& facts, std::string_view name) {
  return std::any_of(facts.escapes.begin(), facts.escapes.end(), [&](const EscapeUse& use) {
    for (int next = use.origin; next != kNoIndex;) {
      const Origin& origin = facts.origins[static_cast<std::size_t>(next)];
      if (origin.parent != kNoIndex) return origin.name == name;
      next = facts.variables[static_cast<std::size_t>(origin.variable)].origin;
    }
    return false;
  });
}

std::optional<std::vector<std::string>> FieldsNamedIn(const SourceFacts& facts,
                                                      std::string_view name,
                                                      std::span<const DeclaredAccount> accounts) {
  if (!FieldsNamed(facts)) return std::nullopt;
  const std::set<int> others = FunctionsOfOthers(facts, name);
  std::set<std::string> fields(facts.loose_fields.begin(), facts.loose_fields.end());
  for (const Origin& origin : facts.origins) {
    if (origin.parent == kNoIndex) continue;
    const int variable = TopOf(facts, origin).variable;
    const bool of_other =
        variable != kNoIndex &&
        others.contains(facts.variables[static_cast<std::size_t>(variable)].function);
    if (!of_other) fields.emplace(origin.name);
  }
  if (Escapes(facts, "account")) {
    for (const DeclaredAccount& account : accounts) fields.insert(account.name);
  }
  AddWhatIsReadFor(&fields);
  return std::vector<std::string>(fields.begin(), fields.end());
}

bool ReadsSubject(const SourceFacts& facts, std::string_view name) {
  if (facts.result.kind != ValueKind::kTable) return true;
  for (const TableEntry& entry : facts.tables[static_cast<std::size_t>(facts.result.id)].entries) {
    if (!entry.key.empty() && entry.key != name) continue;
    const bool wrapped = entry.value.kind == ValueKind::kTable;
    if (!wrapped && !IgnoresSecond(facts, entry.value)) return true;
    if (!wrapped) continue;
    const TableFacts& hook = facts.tables[static_cast<std::size_t>(entry.value.id)];
    for (const TableEntry& part : hook.entries) {
      if (part.key.empty() && !IgnoresSecond(facts, part.value)) return true;
    }
  }
  return false;
}

bool ReadsCycle(const SourceFacts& facts) {
  std::ptrdiff_t draws = 0;
  const auto note = [&](std::string_view name) {
    draws += name == "rng";
    return name == "cycle";
  };
  bool cycle = false;
  for (const Origin& origin : facts.origins) cycle |= note(origin.name);
  for (const std::string_view name : facts.loose_fields) cycle |= note(name);
  const auto timed =
      std::count_if(facts.field_calls.begin(), facts.field_calls.end(), [](const FieldCall& call) {
        return call.name == "rng" && !call.method && call.arguments.size() == 2 &&
               call.arguments[1].kind == ValueKind::kString && call.arguments[1].text != "cycle";
      });
  return cycle || timed < draws;
}

std::optional<std::vector<std::string>> FieldsTold(const SourceFacts& facts) {
  constexpr std::string_view kTold[] = {"name",      "namespace", "local_queue", "created",
                                        "queued_at", "waited",    "attempts",    "preemptions",
                                        "max_run",   "label"};
  std::optional<std::vector<std::string>> named = FieldsNamed(facts);
  if (named) {
    std::erase_if(*named, [&](const std::string& name) {
      return std::find(std::begin(kTold), std::end(kTold), name) == std::end(kTold);
    });
  }
  return named;
}

}  // namespace muster::luajit
