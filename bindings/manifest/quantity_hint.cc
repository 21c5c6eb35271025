// Number and unit are repaired apart: blanks and commas in the number, case and extra letters in
// the unit. Only what parses is proposed.
#include "bindings/manifest/quantity_hint.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "muster/quantity.h"

namespace muster::manifest {
namespace {

// Lower-case spelling -> unit. "m" alone stays milli: guessing mega would be off by a billion.
constexpr std::array<std::pair<std::string_view, std::string_view>, 40> kUnits = {{
    {"", ""},      {"m", "m"},    {"k", "k"},     {"g", "G"},    {"t", "T"},          {"p", "P"},
    {"e", "E"},    {"ki", "Ki"},  {"mi", "Mi"},   {"gi", "Gi"},  {"ti", "Ti"},        {"pi", "Pi"},
    {"ei", "Ei"},  {"kb", "k"},   {"mb", "M"},    {"gb", "G"},   {"tb", "T"},         {"pb", "P"},
    {"kib", "Ki"}, {"mib", "Mi"}, {"gib", "Gi"},  {"tib", "Ti"}, {"pib", "Pi"},       {"b", ""},
    {"byte", ""},  {"bytes", ""}, {"core", ""},   {"cores", ""}, {"cpu", ""},         {"cpus", ""},
    {"gpu", ""},   {"gpus", ""},  {"milli", "m"}, {"mcpu", "m"}, {"millicores", "m"}, {"kilo", "k"},
    {"mega", "M"}, {"giga", "G"}, {"tera", "T"},  {"meg", "M"},
}};

}  // namespace

std::string ProposeQuantity(std::string_view text) {
  std::string number;
  std::string unit;
  for (const char c : text) {
    const bool of_number = (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+';
    if (c == ' ' || c == '_') continue;
    if (unit.empty() && of_number) {
      number.push_back(c);
    } else if (unit.empty() && c == ',') {
      number.push_back('.');
    } else {
      unit.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    }
  }
  const auto row = std::find_if(kUnits.begin(), kUnits.end(),
                                [&](const auto& entry) { return entry.first == unit; });
  if (row == kUnits.end()) return {};
  std::string proposal = number + std::string(row->second);
  return Quantity::Parse(proposal) ? proposal : std::string();
}

}  // namespace muster::manifest
