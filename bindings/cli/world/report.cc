// Mistakes come from several checks; people read them by place, so they are sorted first.
#include "bindings/cli/world/report.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace muster::cli {

using manifest::Diagnostic;
using manifest::Severity;

std::string Counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

int Report(std::vector<Diagnostic> diagnostics, std::span<const manifest::Source> sources,
           std::string_view consequence, Io& io) {
  std::map<std::string, std::size_t, std::less<>> order;
  for (const manifest::Source& source : sources) order.emplace(source.name, order.size());
  const auto rank = [&order](const Diagnostic& d) {
    const auto at = order.find(d.place.file);
    return std::tuple(at == order.end() ? order.size() : at->second, d.place.line, d.place.column);
  };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&rank](const Diagnostic& a, const Diagnostic& b) { return rank(a) < rank(b); });

  std::size_t errors = 0;
  for (const Diagnostic& diagnostic : diagnostics) {
    const bool error = diagnostic.severity == Severity::kError;
    errors += error ? 1 : 0;
    if (!error && io.hidden_warnings) {
      ++*io.hidden_warnings;
      continue;
    }
    io.err << io.err_paint(error ? Tone::kBad : Tone::kWarning, diagnostic.ToString()) << '\n';
  }
  if (errors == 0) return kDone;
  std::string count = Counted(errors, "error");
  const std::size_t warnings = diagnostics.size() - errors;
  if (warnings > 0) count += ", " + Counted(warnings, "warning");
  return io.Fail(kNo, count + "; " + std::string(consequence));
}

ExitCode ExitCodeFor(const Status& status) {
  switch (status.code()) {
    case StatusCode::kOk:
      return kDone;
    case StatusCode::kInvalidArgument:
    case StatusCode::kNotFound:
    case StatusCode::kFailedPrecondition:
      return kNo;
    case StatusCode::kUnavailable:
    case StatusCode::kDataLoss:
    case StatusCode::kInternal:
      return kRefused;
  }
  return kRefused;
}

}  // namespace muster::cli
