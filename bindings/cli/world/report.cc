// Mistakes come from several checks; people read them by place, so they are sorted first.
#include "bindings/cli/world/report.h"

#include "bindings/lab/diagnose.h"
#include "bindings/lab/words.h"

namespace muster::cli {

using manifest::Diagnostic;
using manifest::Severity;

int Report(std::vector<Diagnostic> diagnostics, std::span<const manifest::Source> sources,
           std::string_view consequence, Io& io) {
  lab::SortByPlace(sources, &diagnostics);
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
  std::string count = lab::Counted(errors, "error");
  const std::size_t warnings = diagnostics.size() - errors;
  if (warnings > 0) count += ", " + lab::Counted(warnings, "warning");
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
