// Diagnostics: order, limit and text.
#include "bindings/manifest/reporter.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "bindings/manifest/limits.h"
#include "engine/base/shown.h"

namespace muster::manifest {

void Reporter::Add(Diagnostic diagnostic) {
  if (entries_.size() < kMaxDiagnostics) {
    entries_.push_back({source_, std::move(diagnostic)});
  } else {
    ++left_out_;
  }
}

std::vector<Diagnostic> Reporter::Take() {
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    const auto key = [](const Entry& e) {
      return std::tuple(e.source, e.diagnostic.place.line, e.diagnostic.place.column);
    };
    return key(a) < key(b);
  });
  std::vector<Diagnostic> diagnostics;
  diagnostics.reserve(entries_.size() + 1);
  for (Entry& entry : entries_) diagnostics.push_back(std::move(entry.diagnostic));
  if (left_out_ > 0) {
    Diagnostic& last = diagnostics.emplace_back();
    last.place.file = name_;
    last.what = std::to_string(left_out_) + " more mistakes are not shown";
    last.cure = "correct those above first";
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
