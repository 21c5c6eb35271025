// See source_keys.h.
#include "bindings/luajit/source_keys.h"

#include <algorithm>
#include <map>
#include <string>

namespace muster::luajit {

std::vector<std::string_view> TextsUnder(const SourceFacts& facts, std::string_view key) {
  std::vector<std::string_view> texts;
  const auto table_of = [&](const Value& value) {
    return value.kind == ValueKind::kTable ? &facts.tables[static_cast<std::size_t>(value.id)]
                                           : nullptr;
  };
  const TableFacts* const table = table_of(facts.result);
  for (std::size_t i = 0; table != nullptr && i < table->entries.size(); ++i) {
    const TableEntry& entry = table->entries[i];
    const TableFacts* const list = entry.key == key ? table_of(entry.value) : nullptr;
    for (std::size_t k = 0; list != nullptr && k < list->entries.size(); ++k) {
      const Value& value = list->entries[k].value;
      if (value.kind == ValueKind::kString) texts.push_back(value.text);
    }
  }
  return texts;
}

SourcePlace LocateKey(const SourceFacts& facts, std::string_view path) {
  SourcePlace place = facts.result_place;
  Value value = facts.result;
  while (!path.empty() && value.kind == ValueKind::kTable) {
    const TableFacts& table = facts.tables[static_cast<std::size_t>(value.id)];
    const std::size_t dot = path.find('.');
    const std::string_view key = path.substr(0, dot);
    const auto entry = std::find_if(table.entries.begin(), table.entries.end(),
                                    [key](const TableEntry& e) { return e.key == key; });
    if (entry == table.entries.end()) break;
    place = entry->place;
    value = entry->value;
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return place;
}

std::vector<SourceProblem> DoubledKeys(const SourceFacts& facts) {
  std::vector<SourceProblem> problems;
  for (const TableFacts& table : facts.tables) {
    std::map<std::string_view, SourcePlace> first;
    for (const TableEntry& entry : table.entries) {
      if (entry.key.empty()) continue;
      const auto [known, fresh] = first.emplace(entry.key, entry.place);
      if (fresh) continue;
      problems.push_back({entry.place,
                          "key '" + std::string(entry.key) + "' is written twice, first in line " +
                              std::to_string(known->second.line),
                          "remove one of them"});
    }
  }
  return problems;
}

}  // namespace muster::luajit
