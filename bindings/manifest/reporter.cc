// Diagnostics: order, limit and text.
#include "bindings/manifest/reporter.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "bindings/manifest/limits.h"
#include "engine/base/shown.h"

namespace muster::manifest {

void Reporter::Add(Entry entry) {
  if (!entry.diagnostic.unless.empty()) {  // an engine may take all of these back
    entries_.push_back(std::move(entry));
    return;
  }
  Count& count = counts_[static_cast<std::size_t>(entry.diagnostic.severity)];
  if (count.kept == kMaxDiagnostics) {
    ++count.left_out;
    return;
  }
  ++count.kept;
  entries_.push_back(std::move(entry));
}

void Reporter::Add(Reporter part) {
  errors_ += part.errors_;
  conditional_ += part.conditional_;
  for (Entry& entry : part.entries_) Add(std::move(entry));
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i].left_out += part.counts_[i].left_out;
}

std::vector<Diagnostic> Reporter::Take() {
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    const auto key = [](const Entry& e) {
      return std::tuple(e.source, e.diagnostic.place.line, e.diagnostic.place.column);
    };
    return key(a) < key(b);
  });
  std::vector<Diagnostic> diagnostics;
  diagnostics.reserve(entries_.size() + counts_.size());
  for (Entry& entry : entries_) diagnostics.push_back(std::move(entry.diagnostic));
  for (const Severity severity : {Severity::kWarning, Severity::kError}) {
    const std::size_t left_out = counts_[static_cast<std::size_t>(severity)].left_out;
    if (left_out == 0) continue;
    const bool is_error = severity == Severity::kError;
    diagnostics.push_back({severity,
                           {name_, 0, 0},
                           std::to_string(left_out) + " more " +
                               (is_error ? "mistakes" : "warnings") + " are not shown",
                           "correct those above first"});
  }
  entries_.clear();
  return diagnostics;
}

std::string PlaceText(const Place& place) {
  std::string text = place.file;
  if (place.line > 0) {
    text.append(":").append(std::to_string(place.line));
    if (place.column > 0) text.append(":").append(std::to_string(place.column));
  }
  return text;
}

std::string Diagnostic::ToString() const {
  std::string text = PlaceText(place);
  text += text.empty() ? "" : ": ";
  if (severity == Severity::kWarning) text += "warning: ";
  text += what;
  if (!cure.empty()) text += "; " + cure;
  return CutUnbroken(text);
}

}  // namespace muster::manifest
