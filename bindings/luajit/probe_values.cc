// Fields are told by their paths: those of several views that have the same name get the values of
// all, which costs a probe or two and misses nothing.
#include "bindings/luajit/probe_values.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace muster::luajit {
namespace {

constexpr std::size_t kMostOfOne = 24;  // values of one field
constexpr std::size_t kMostWords = 32;
constexpr std::size_t kLongestWord = 63;  // no longer than a label
constexpr std::string_view kParamsPath = "params.";

class Finder {
 public:
  Finder(const SourceFacts& facts, const PackageTable& table) : facts_(facts), table_(table) {}

  ProbeValues Run() {
    for (const Comparison& comparison : facts_.comparisons) {
      Compare(comparison.left, comparison.right);
      Compare(comparison.right, comparison.left);
    }
    values_.words = table_.elements;
    std::set<int> ours;
    NoteTables(facts_.result, ours);
    for (std::size_t i = 0; i < facts_.tables.size(); ++i) {
      if (ours.contains(static_cast<int>(i))) continue;
      for (const TableEntry& entry : facts_.tables[i].entries) {
        values_.words.emplace_back(entry.key);
      }
    }
    for (const FieldCall& call : facts_.field_calls) {
      for (const Value& argument : call.arguments) {
        if (argument.kind == ValueKind::kString) AddPlain(argument.text);
      }
    }
    values_.reads_numerals =
        std::any_of(facts_.globals.begin(), facts_.globals.end(),
                    [](const GlobalUse& use) { return use.name == "tonumber"; });
    for (auto& [path, numbers] : values_.numbers) Tidy(numbers, kMostOfOne);
    for (auto& [path, texts] : values_.texts) Tidy(texts, kMostOfOne);
    std::erase_if(values_.words, [](const std::string& word) {
      return word.empty() || word.size() > kLongestWord;
    });
    Tidy(values_.words, kMostWords);
    return std::move(values_);
  }

 private:
  template <typename T>
  static void Tidy(std::vector<T>& list, std::size_t most) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    if (list.size() > most) list.resize(most);
  }

  // The tables of the package itself: their keys are the API's.
  void NoteTables(const Value& value, std::set<int>& seen) const {
    if (value.kind != ValueKind::kTable || !seen.insert(value.id).second) return;
    for (const TableEntry& entry : facts_.tables[static_cast<std::size_t>(value.id)].entries) {
      NoteTables(entry.value, seen);
    }
  }

  // The part of a pattern for glob that is plain.
  void AddPlain(std::string_view text) {
    std::string word(text);
    std::erase_if(word, [](char c) { return c == '*' || c == '?'; });
    values_.words.push_back(std::move(word));
  }

  // "label.tier" of w.label.tier, also by way of variables; empty when it is no field.
  std::string PathOf(int id) const {
    std::string path;
    for (int steps = 0; steps < 32; ++steps) {
      const Origin& origin = facts_.origins[static_cast<std::size_t>(id)];
      if (origin.parent != kNoIndex) {
        path.insert(0, std::string(origin.name) + (path.empty() ? "" : "."));
        id = origin.parent;
        continue;
      }
      const Variable& held = facts_.variables[static_cast<std::size_t>(origin.variable)];
      if (held.origin == kNoIndex || held.reassigned) break;
      id = held.origin;
    }
    return path;
  }

  static bool Traced(const Value& value) {
    return value.kind == ValueKind::kOrigin || value.kind == ValueKind::kScaled;
  }
  static double ScaleOf(const Value& value) {
    return value.kind == ValueKind::kScaled ? value.number : 1;
  }

  void Compare(const Value& field, const Value& with) {
    if (!Traced(field)) return;
    const std::string path = PathOf(field.id);
    if (path.empty() || path.starts_with(kParamsPath)) return;
    if (with.kind == ValueKind::kString) values_.texts[path].emplace_back(with.text);
    if (with.kind == ValueKind::kNumber) AddNumber(path, with.number / ScaleOf(field));
    if (!Traced(with)) return;
    const std::string other = PathOf(with.id);
    if (!other.starts_with(kParamsPath)) return;
    const std::string name = other.substr(kParamsPath.size());
    if (const auto text = table_.texts.find(name); text != table_.texts.end()) {
      values_.texts[path].push_back(text->second);
    }
    if (const auto number = table_.numbers.find(name); number != table_.numbers.end()) {
      AddNumber(path, number->second * ScaleOf(with) / ScaleOf(field));
    }
  }

  void AddNumber(const std::string& path, double at) {
    if (!std::isfinite(at)) return;
    for (const double value : {at - 1, at, at + 1}) values_.numbers[path].push_back(value);
  }

  const SourceFacts& facts_;
  const PackageTable& table_;
  ProbeValues values_;
};

}  // namespace

ProbeValues FindProbeValues(const SourceFacts& facts, const PackageTable& table) {
  return Finder(facts, table).Run();
}

}  // namespace muster::luajit
