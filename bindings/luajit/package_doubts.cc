// See package_doubts.h. A field counts as read when any function that the hook may reach names it:
// a doubt too few is better than one that is wrong.
#include "bindings/luajit/package_doubts.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "bindings/luajit/call_error.h"
#include "bindings/luajit/hook_reads.h"
#include "bindings/luajit/hook_shapes.h"
#include "bindings/luajit/parser.h"
#include "bindings/luajit/sandbox_options.h"
#include "bindings/luajit/state.h"
#include "engine/model/expected_run.h"

namespace muster::luajit {
namespace {

using Names = std::set<std::string, std::less<>>;

class Doubter {
 public:
  Doubter(const PackageSource& source, std::string_view text)
      : source_(source), facts_(ParseSource(text)) {}

  std::vector<PackageProblem> Run() {
    CheckFolder();
    auto state = State::Create(SandboxOptions());
    const auto named = FieldsNamed(facts_);
    if (named && state.ok()) {
      state_ = std::move(*state);
      named_.insert(named->begin(), named->end());
      for (const TableEntry& entry : EntriesOf(facts_.result)) {
        if (MeantShape(entry.key) != nullptr) CheckReads(entry);
        if (entry.key == "accounts") CheckAccounts(entry.value);
        if (entry.key == "labels") CheckLabels(entry.value);
        if (entry.key == "zones") CheckZones(entry.value);
      }
    }
    std::stable_sort(doubts_.begin(), doubts_.end(), [](const auto& a, const auto& b) {
      return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
    return std::move(doubts_);
  }

 private:
  void Add(SourcePlace place, std::string what, std::string cure) {
    doubts_.push_back({source_.folder + "/" + std::string(kPolicyFile), place.line, place.column,
                       std::move(what), std::move(cure)});
  }
  std::vector<TableEntry> EntriesOf(const Value& value) const {
    if (value.kind != ValueKind::kTable) return {};
    return facts_.tables[static_cast<std::size_t>(value.id)].entries;
  }
  void CheckFolder();
  void CheckReads(const TableEntry& hook);
  bool Reads(const HookShape& shape, std::string_view input, const Names& fields);
  void CheckAccounts(const Value& accounts);
  void CheckLabels(const Value& labels);
  void CheckZones(const Value& zones);
  bool IsKey(std::string_view label) const;

  const PackageSource& source_;
  const SourceFacts facts_;
  std::unique_ptr<State> state_;
  Names named_;  ///< fields of anything
  std::vector<PackageProblem> doubts_;
};

// A PolicyBinding in manifests finds the folder of its package by name.
void Doubter::CheckFolder() {
  std::error_code error;
  const auto path = std::filesystem::weakly_canonical(source_.folder, error);
  const std::string folder = path.filename().string();
  for (const TableEntry& entry : EntriesOf(facts_.result)) {
    if (entry.key != "name" || entry.value.kind != ValueKind::kString) continue;
    const std::string name(entry.value.text);
    if (error || folder.empty() || folder == name) continue;
    Add(entry.place, "the package is called '" + name + "' and its folder '" + folder + "'",
        "rename one of them: PolicyBindings say the name, and find the folder by it");
  }
}

void Doubter::CheckReads(const TableEntry& hook) {
  const HookShape& shape = *MeantShape(hook.key);
  const auto found = FieldsNamedIn(facts_, hook.key, {});
  if (!found) return;
  const Names fields(found->begin(), found->end());
  for (const TableEntry& part : EntriesOf(hook.value)) {
    if (part.key != "reads") continue;
    for (const TableEntry& input : EntriesOf(part.value)) {
      if (input.value.kind != ValueKind::kString || Reads(shape, input.value.text, fields)) {
        continue;
      }
      const std::string name(input.value.text);
      Add(input.place,
          std::string(shape.name) + " declares '" + name + "' and reads nothing that it stands for",
          "remove it from reads: whenever it changes the hook is asked again");
    }
  }
}

// A number that is drawn for a period of time needs the time.
bool Doubter::Reads(const HookShape& shape, std::string_view input, const Names& fields) {
  if (input == "now" && fields.contains("rng")) return true;
  std::vector<std::string_view> scopes;
  for (const View view : shape.views) {
    scopes.push_back(ScopeOf(view));
    if (view == View::kContext) scopes.push_back(ScopeOf(View::kNode));
  }
  return std::any_of(fields.begin(), fields.end(), [&](const std::string& field) {
    return std::any_of(scopes.begin(), scopes.end(), [&](std::string_view scope) {
      return state_->Lookup(scope, field, "", shape.name).has_value() &&
             !state_->Lookup(scope, field, input, shape.name).has_value();
    });
  });
}

void Doubter::CheckAccounts(const Value& accounts) {
  if (Escapes(facts_, "account")) return;
  for (const TableEntry& account : EntriesOf(accounts)) {
    if (account.key.empty() || named_.contains(account.key)) continue;
    const std::string name(account.key);
    Add(account.place, "account '" + name + "' is kept and no hook reads it",
        "read w.account." + name + ", or remove it");
  }
}

// A label may also be part of a key, or tell what an account counts.
bool Doubter::IsKey(std::string_view label) const {
  const std::string key = "label:" + std::string(label);
  return std::any_of(facts_.tables.begin(), facts_.tables.end(), [&](const TableFacts& table) {
    return std::any_of(table.entries.begin(), table.entries.end(), [&](const TableEntry& entry) {
      const bool text = entry.value.kind == ValueKind::kString;
      return entry.key == label || (text && entry.value.text.find(key) != std::string_view::npos);
    });
  });
}

void Doubter::CheckLabels(const Value& labels) {
  if (Escapes(facts_, "label") || Escapes(facts_, "placed")) return;
  for (const TableEntry& entry : EntriesOf(labels)) {
    if (entry.value.kind != ValueKind::kString) continue;
    const std::string name(entry.value.text);
    const bool in_run = name == kExpectedRunLabel && named_.contains("expected_run");
    if (in_run || named_.contains(name) || IsKey(name)) continue;
    Add(entry.place, "label '" + name + "' is declared and no hook reads it",
        "read w.label[\"" + name + "\"], or remove it");
  }
}

void Doubter::CheckZones(const Value& zones) {
  Names asked;
  std::ptrdiff_t calls = 0;
  for (const FieldCall& call : facts_.field_calls) {
    if (call.name != "local_time" || call.arguments.empty()) continue;
    if (call.arguments[0].kind != ValueKind::kString) return;
    asked.emplace(call.arguments[0].text);
    ++calls;
  }
  const auto names = std::count_if(facts_.origins.begin(), facts_.origins.end(),
                                   [](const Origin& o) { return o.name == "local_time"; });
  if (names > calls) return;
  for (const TableEntry& entry : EntriesOf(zones)) {
    if (entry.value.kind != ValueKind::kString || asked.contains(entry.value.text)) continue;
    const std::string name(entry.value.text);
    Add(entry.place, "time zone '" + name + "' is declared and no hook asks for it",
        "write c.local_time(\"" + name + "\"), or remove it");
  }
}

}  // namespace

std::vector<PackageProblem> DoubtsAbout(const PackageSource& source) {
  for (const PackageFile& file : source.files) {
    if (file.path == kPolicyFile) return Doubter(source, file.bytes).Run();
  }
  return {};
}

}  // namespace muster::luajit
