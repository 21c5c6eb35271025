// Views are followed through variables, fields and calls of local functions: a helper that gets `w`
// is checked like the hook itself. What cannot be followed is left to the run.
#include "bindings/luajit/source_check.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "bindings/luajit/hook_shapes.h"
#include "bindings/luajit/near_name.h"
#include "bindings/luajit/source_flow.h"
#include "bindings/luajit/source_keys.h"
#include "bindings/luajit/source_traps.h"
#include "bindings/luajit/source_views.h"
#include "muster/policy.h"

namespace muster::luajit {
namespace {

constexpr int kPasses = 20;  // enough for chains of helpers that deep

struct HookFacts {
  const HookShape* shape = nullptr;
  std::string_view name;
  const Function* function = nullptr;
  std::string reads;  ///< declared inputs, separated by blanks
};

/// Whether plain Lua would not look for the text itself: "^a", "a$", "%d", "[ab]", "a.*".
bool LooksLikePattern(std::string_view text) {
  if (text.starts_with('^') || (text.size() > 1 && text.ends_with('$'))) return true;
  if (text.find('%') != std::string_view::npos) return true;
  const std::size_t open = text.find('[');
  if (open != std::string_view::npos && text.find(']', open) != std::string_view::npos) return true;
  return text.find(".*") != std::string_view::npos || text.find(".+") != std::string_view::npos ||
         text.find(".-") != std::string_view::npos;
}

std::string Keys(int count) { return std::to_string(count) + (count == 1 ? " key" : " keys"); }

class SourceChecker {
 public:
  SourceChecker(const SourceFacts& facts, State& state, bool strict)
      : facts_(facts), state_(state), strict_(strict) {}

  std::vector<SourceProblem> Run() {
    ReadPackageTable();
    Infer();
    CheckGlobals();
    CheckFields();
    CheckStores();
    CheckCounts();
    CheckCalls();
    if (strict_) CheckTraps();
    for (const HookFacts& hook : hooks_) CheckReturns(hook);
    CheckParams();
    return std::move(problems_);
  }

 private:
  bool Full() const { return problems_.size() >= kMaxProblems; }
  void Report(SourcePlace place, std::string what, std::string cure) {
    problems_.push_back({place, std::move(what), std::move(cure)});
  }
  void Take(std::vector<SourceProblem> found) {
    for (SourceProblem& problem : found) {
      if (!Full()) problems_.push_back(std::move(problem));
    }
  }
  const TableFacts* TableOf(const Value& value) const {
    return value.kind == ValueKind::kTable ? &facts_.tables[static_cast<std::size_t>(value.id)]
                                           : nullptr;
  }
  const Function* FunctionOf(const Value& value) const;
  void ReadPackageTable();
  void ReadHook(const TableEntry& entry);
  void Infer();
  bool Give(int variable, View view);
  void CheckGlobals();
  HookFacts HookOf(const Origin& origin) const;
  void CheckFields();
  void CheckField(const Origin& origin, View view);
  void CheckStores();
  void CheckCounts();
  void CheckCalls();
  void CheckTraps();
  void CheckParameters(const HookFacts& hook);
  void CheckResource(const Origin& origin);
  void CheckSearch(const FieldCall& call);
  void CheckZone(const FieldCall& call);
  void CheckDraw(const FieldCall& call, const Origin& origin);
  void CheckReturns(const HookFacts& hook);
  void CheckParams();

  const SourceFacts& facts_;
  State& state_;
  bool strict_;
  std::vector<SourceProblem> problems_;
  std::vector<HookFacts> hooks_;
  const TableFacts* params_ = nullptr;
  std::set<std::string_view> labels_;
  bool labels_known_ = true;
  std::vector<View> variables_;
  std::vector<View> origins_;
  std::set<int> loose_;  ///< parameters that may be more than views
  std::set<std::string_view> used_params_;
  bool params_traced_ = true;
};

const Function* SourceChecker::FunctionOf(const Value& value) const {
  int id = kNoIndex;
  if (value.kind == ValueKind::kFunction) id = value.id;
  if (value.kind == ValueKind::kOrigin) {
    const Origin& origin = facts_.origins[static_cast<std::size_t>(value.id)];
    if (origin.variable != kNoIndex) {
      const Variable& variable = facts_.variables[static_cast<std::size_t>(origin.variable)];
      if (!variable.reassigned) id = variable.bound;
    }
  }
  return id == kNoIndex ? nullptr : &facts_.functions[static_cast<std::size_t>(id)];
}

void SourceChecker::ReadPackageTable() {
  const TableFacts* table = TableOf(facts_.result);
  if (table == nullptr) return;
  for (const TableEntry& entry : table->entries) {
    if (MeantShape(entry.key) != nullptr) {
      ReadHook(entry);
    } else if (entry.key == "params") {
      params_ = TableOf(entry.value);
    } else if (entry.key == "labels") {
      const TableFacts* labels = TableOf(entry.value);
      labels_known_ = labels != nullptr;
      for (std::size_t i = 0; labels != nullptr && i < labels->entries.size(); ++i) {
        const Value& value = labels->entries[i].value;
        labels_known_ = labels_known_ && value.kind == ValueKind::kString;
        labels_.insert(value.text);
      }
    }
  }
}

void SourceChecker::ReadHook(const TableEntry& entry) {
  HookFacts hook;
  hook.shape = MeantShape(entry.key);
  hook.name = hook.shape->name;
  hook.function = FunctionOf(entry.value);
  if (const TableFacts* table = TableOf(entry.value)) {
    for (const TableEntry& part : table->entries) {
      if (part.key.empty()) hook.function = FunctionOf(part.value);
      const TableFacts* reads = part.key == "reads" ? TableOf(part.value) : nullptr;
      for (std::size_t i = 0; reads != nullptr && i < reads->entries.size(); ++i) {
        hook.reads += std::string(reads->entries[i].value.text) + " ";
      }
    }
  }
  hooks_.push_back(std::move(hook));
}

// ---- where views go ----------------------------------------------------------------------------

bool SourceChecker::Give(int variable, View view) {
  View& known = variables_[static_cast<std::size_t>(variable)];
  if (view == View::kUnknown || known == view || known == View::kMixed) return false;
  known = known == View::kUnknown ? view : View::kMixed;
  return true;
}

// A parent is always before its fields, so one pass in order settles all origins.
void SourceChecker::Infer() {
  variables_.assign(facts_.variables.size(), View::kUnknown);
  origins_.assign(facts_.origins.size(), View::kUnknown);
  for (const HookFacts& hook : hooks_) {
    if (hook.function == nullptr) continue;
    const auto& parameters = hook.function->parameters;
    for (std::size_t i = 0; i < std::min(parameters.size(), hook.shape->views.size()); ++i) {
      Give(parameters[i], hook.shape->views[i]);
    }
  }
  bool changed = true;
  for (int pass = 0; changed && pass < kPasses; ++pass) {
    changed = false;
    for (std::size_t i = 0; i < origins_.size(); ++i) {
      const Origin& origin = facts_.origins[i];
      origins_[i] = origin.parent == kNoIndex
                        ? variables_[static_cast<std::size_t>(origin.variable)]
                        : FieldOf(origins_[static_cast<std::size_t>(origin.parent)], origin.name);
    }
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const Variable& variable = facts_.variables[i];
      if (variable.reassigned) {
        variables_[i] = View::kMixed;
      } else if (variable.origin != kNoIndex) {
        changed |= Give(static_cast<int>(i), origins_[static_cast<std::size_t>(variable.origin)]);
      }
    }
    for (const CallUse& call : facts_.calls) {
      const Variable& callee = facts_.variables[static_cast<std::size_t>(call.variable)];
      if (callee.bound == kNoIndex || callee.reassigned) continue;
      const auto& parameters = facts_.functions[static_cast<std::size_t>(callee.bound)].parameters;
      for (std::size_t i = 0; i < std::min(parameters.size(), call.arguments.size()); ++i) {
        if (call.arguments[i].kind != ValueKind::kOrigin) continue;
        changed |= Give(parameters[i], origins_[static_cast<std::size_t>(call.arguments[i].id)]);
      }
    }
  }
  std::set<const Function*> hooks;
  for (const HookFacts& hook : hooks_) hooks.insert(hook.function);
  loose_ = LooseParameters(facts_, origins_, hooks);
}

// ---- checks ------------------------------------------------------------------------------------

void SourceChecker::CheckGlobals() {
  for (const GlobalUse& use : facts_.globals) {
    if (use.assigned || Full()) continue;
    const auto problem = state_.Lookup("_G", use.name);
    if (problem && use.field.empty()) Report(use.place, problem->what, problem->cure);
    if (use.field.empty()) continue;
    if (!problem || problem->what.starts_with("blocked")) {
      const auto missing = state_.Lookup(use.name, use.field);
      if (missing) Report(use.field_place, missing->what, missing->cure);
    } else {
      Report(use.place, problem->what, problem->cure);
    }
  }
}

void SourceChecker::CheckField(const Origin& origin, View view) {
  if (view == View::kParams) {
    used_params_.insert(origin.name);
    if (params_ == nullptr) return;
    std::string cure = "declare it in params = { ... }";
    for (const TableEntry& entry : params_->entries) {
      if (entry.key == origin.name) return;
      if (!IsNear(entry.key, origin.name)) continue;
      cure = "did you mean '" + std::string(entry.key) + "'?";
      used_params_.insert(entry.key);
    }
    Report(origin.place, "no parameter '" + std::string(origin.name) + "'", std::move(cure));
    return;
  }
  if (view == View::kLabel) {
    if (!labels_known_ || labels_.contains(origin.name)) return;
    Report(origin.place, "label '" + std::string(origin.name) + "' is not declared",
           "add it to labels = {\"" + std::string(origin.name) + "\"}");
    return;
  }
  if ((view == View::kAmounts || view == View::kFlavors) && strict_) CheckResource(origin);
  const std::string_view scope = ScopeOf(view);
  if (scope.empty()) return;
  const HookFacts hook = HookOf(origin);
  const auto problem = state_.Lookup(scope, origin.name, hook.reads, hook.name);
  if (problem) Report(origin.place, problem->what, problem->cure);
}

// The hook whose parameter is read; in a helper, which several may call, what any of them declares
// counts as declared.
HookFacts SourceChecker::HookOf(const Origin& origin) const {
  const int variable = TopOf(facts_, origin).variable;
  HookFacts any = hooks_.front();
  for (const HookFacts& hook : hooks_) {
    if (hook.function != nullptr) {
      const auto& parameters = hook.function->parameters;
      if (std::find(parameters.begin(), parameters.end(), variable) != parameters.end()) {
        return hook;
      }
    }
    if (&hook != &hooks_.front()) any.reads += hook.reads;
  }
  return any;
}

void SourceChecker::CheckFields() {
  for (const Origin& origin : facts_.origins) {
    if (origin.parent == kNoIndex || Full()) continue;
    CheckField(origin, origins_[static_cast<std::size_t>(origin.parent)]);
  }
}

void SourceChecker::CheckStores() {
  for (const EscapeUse& escape : facts_.escapes) {
    const View view = origins_[static_cast<std::size_t>(escape.origin)];
    if (view == View::kParams) params_traced_ = false;
    if (!escape.stored || view == View::kUnknown || view == View::kMixed) continue;
    Report(escape.place, "a view cannot be kept: its fields change with the next item",
           "store the fields you need, such as w.name");
  }
}

// A view is an empty table to Lua.
void SourceChecker::CheckCounts() {
  for (const EscapeUse& counted : facts_.counted) {
    const View view = origins_[static_cast<std::size_t>(counted.origin)];
    if (view == View::kUnknown || view == View::kMixed || Full()) continue;
    Report(counted.place, "a view cannot be counted or walked through",
           "name the fields you need, or write for i = 1, c.resources.count");
  }
}

// Amounts are by resource, but for those of accounts.
void SourceChecker::CheckResource(const Origin& origin) {
  const Origin& amounts = SourceOf(facts_, origin.parent);
  if (amounts.parent == kNoIndex || IsResource(origin.name)) return;
  if (amounts.name == "account" || loose_.contains(RootOf(facts_, origin.parent))) return;
  Report(origin.place, "there is no resource '" + std::string(origin.name) + "'",
         "resources are cpu, memory, ... or have a domain, as in [\"nvidia.com/gpu\"]");
}

// What Lua takes without a word and is never meant.
void SourceChecker::CheckTraps() {
  for (const HookFacts& hook : hooks_) CheckParameters(hook);
  Take(FindTraps(facts_, origins_, loose_));
  Take(DoubledKeys(facts_));
}

// Usual names at each other's place: the function would read one view for another. One alone may
// be short for something else, such as c for a cohort.
void SourceChecker::CheckParameters(const HookFacts& hook) {
  if (hook.function == nullptr || Full()) return;
  std::string wanted, given;
  for (const char name : hook.shape->names) {
    wanted += (wanted.empty() ? "" : ", ") + std::string(1, name);
  }
  int moved = 0;
  for (std::size_t i = 0; i < hook.function->parameters.size(); ++i) {
    const int parameter = hook.function->parameters[i];
    const std::string_view name = facts_.variables[static_cast<std::size_t>(parameter)].name;
    given += (given.empty() ? "" : ", ") + std::string(name);
    const std::size_t usual = name.size() == 1 ? hook.shape->names.find(name) : i;
    moved += usual != std::string_view::npos && usual != i ? 1 : 0;
  }
  if (moved < 2) return;
  Report(hook.function->place,
         std::string(hook.name) + " is called with (" + wanted + "), and its function takes (" +
             given + ")",
         "write function(" + wanted + "), or other names");
}

// string.find is plain. A text that is written there and would be a pattern elsewhere is one that
// is never found.
void SourceChecker::CheckSearch(const FieldCall& call) {
  const std::size_t at = call.method ? 0 : 1;
  if (call.arguments.size() <= at || call.arguments[at].kind != ValueKind::kString) return;
  if (call.arguments.size() > at + 2 || !LooksLikePattern(call.arguments[at].text)) return;
  Report(call.place,
         "string.find takes no pattern, and '" + std::string(call.arguments[at].text) +
             "' looks like one",
         "use muster.glob, or write true as the fourth argument to find just that");
}

void SourceChecker::CheckCalls() {
  for (const FieldCall& call : facts_.field_calls) {
    if (Full()) return;
    if (call.name == "find") CheckSearch(call);
    if (call.origin == kNoIndex) continue;
    const Origin& origin = facts_.origins[static_cast<std::size_t>(call.origin)];
    if (origin.parent == kNoIndex ||
        origins_[static_cast<std::size_t>(origin.parent)] != View::kContext) {
      continue;
    }
    if (call.name == "local_time" && !call.arguments.empty()) CheckZone(call);
    if (call.name == "rng" && call.arguments.size() > 1) CheckDraw(call, origin);
  }
}

void SourceChecker::CheckZone(const FieldCall& call) {
  const Value& zone = call.arguments[0];
  if (zone.kind != ValueKind::kString) return;
  const std::vector<std::string_view> declared = TextsUnder(facts_, "zones");
  if (std::find(declared.begin(), declared.end(), zone.text) != declared.end()) return;
  const std::string name(zone.text);
  Report(call.place, "time zone '" + name + "' is not declared",
         "add it to zones = {\"" + name + "\"}");
}

// A period of time needs the time; which one it is, is for the run to say.
void SourceChecker::CheckDraw(const FieldCall& call, const Origin& origin) {
  if (call.arguments[1].kind != ValueKind::kString || call.arguments[1].text == "cycle") return;
  const HookFacts hook = HookOf(origin);
  const auto problem = state_.Lookup("context", "now", hook.reads, hook.name);
  if (!problem) return;
  Report(origin.place,
         "'rng' per '" + std::string(call.arguments[1].text) +
             "' changes with the time, which is not declared",
         problem->cure);
}

void SourceChecker::CheckReturns(const HookFacts& hook) {
  if (hook.function == nullptr || hook.shape->fewest == 0) return;
  const Return* first = nullptr;
  const std::string name(hook.name);
  std::string cure = hook.shape->most == 1 ? "return one number" : "return 1 to 3 numbers";
  if (name == "victim") cure += ", or with per three: the cost, what it spends and what is left";
  for (const Return& place : hook.function->returns) {
    if (place.values == kNoIndex) continue;
    const bool with_budget = name == "victim" && place.values == 3;  // if it has per
    if (!with_budget && (place.values < hook.shape->fewest || place.values > hook.shape->most)) {
      Report(place.place, name + " returns " + Keys(place.values), cure);
    } else if (first == nullptr) {
      first = &place;
    } else if (place.values != first->values) {
      Report(place.place,
             name + " returns " + Keys(place.values) + " here and " +
                 std::to_string(first->values) + " in line " + std::to_string(first->place.line),
             "return the same number of keys everywhere");
    }
  }
  if (hook.function->returns.empty()) {
    Report(hook.function->place, name + " returns nothing", cure);
  }
}

void SourceChecker::CheckParams() {
  const TableFacts* table = TableOf(facts_.result);
  if (params_ == nullptr || !params_traced_ || hooks_.empty()) return;
  for (const TableEntry& entry : table->entries) {
    if (entry.key.empty()) return;
  }
  for (const TableEntry& entry : params_->entries) {
    if (entry.key.empty() || used_params_.contains(entry.key)) continue;
    Report(entry.place, "parameter '" + std::string(entry.key) + "' is never used",
           "read c.params." + std::string(entry.key) + " or remove it");
  }
}

}  // namespace

std::vector<SourceProblem> CheckSource(const SourceFacts& facts, State& state, bool strict) {
  return SourceChecker(facts, state, strict).Run();
}

}  // namespace muster::luajit
