// Edit distance row by row; a name is near when a third of the word or less has to change.
#include "bindings/manifest/closest.h"

#include <algorithm>
#include <utility>

#include "bindings/manifest/limits.h"
#include "bindings/manifest/quote.h"

namespace muster::manifest {
namespace {

constexpr std::size_t kShortestPrefix = 3;  ///< letters that make a beginning recognisable
constexpr std::size_t kLongestWord = 253;   ///< of a name in Kubernetes; a longer one is near none

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool BeginsWith(std::string_view name, std::string_view word) {
  return word.size() >= kShortestPrefix && name.size() > word.size() &&
         std::equal(word.begin(), word.end(), name.begin(),
                    [](char a, char b) { return Lower(a) == Lower(b); });
}

}  // namespace

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = Lower(a[i - 1]) == Lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && Lower(a[i - 1]) == Lower(b[j - 2]) &&
                           Lower(a[i - 2]) == Lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
    row.resize(b.size() + 1);
  }
  return last[b.size()];
}

std::string_view Closest(std::string_view word, std::span<const std::string_view> names) {
  std::string_view best;
  if (word.size() > kLongestWord) return best;
  std::size_t fewest = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const std::string_view name : names) {
    const bool begins = BeginsWith(name, word);
    const std::size_t longer = std::max(name.size(), word.size());
    // Each letter more takes an edit, so most names need not be compared.
    if (!begins && longer - std::min(name.size(), word.size()) >= fewest) continue;
    const std::size_t edits = begins ? 1 : EditDistance(word, name);
    if (edits < fewest) {
      fewest = edits;
      best = name;
    }
  }
  return best;
}

std::vector<std::string_view> ByCloseness(std::string_view word,
                                          std::span<const std::string_view> names) {
  std::vector<std::pair<std::size_t, std::string_view>> sorted;
  sorted.reserve(names.size());
  for (const std::string_view name : names) {
    sorted.emplace_back(EditDistance(word.substr(0, kLongestWord), name), name);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string_view> closest;
  closest.reserve(sorted.size());
  for (const auto& [edits, name] : sorted) closest.push_back(name);
  return closest;
}

std::string Enumerate(std::span<const std::string_view> names) {
  const std::size_t shown = std::min(names.size(), kMaxListed);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == shown && shown == names.size();
    if (i > 0) text += last ? " or " : ", ";
    text += Quoted(names[i]);
  }
  if (shown < names.size()) text += ", ...";
  return text;
}

std::string ProposeName(std::string_view word, std::span<const std::string_view> names) {
  const std::string_view near = Closest(word, names);
  if (!near.empty()) return "write " + Quoted(near);
  if (names.empty()) return "remove it";
  if (names.size() == 1) return "write " + Quoted(names.front());
  return "write one of " + Enumerate(ByCloseness(word, names));
}

}  // namespace muster::manifest
