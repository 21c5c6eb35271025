// Where documents were left out because they do not parse, references to them would only be echoes,
// so missing references are then not reported.
#include "bindings/cli/world/load.h"

#include <algorithm>
#include <iterator>

#include "bindings/cli/world/report.h"

namespace muster::cli {
namespace {

using manifest::Diagnostic;
using manifest::Severity;

bool Same(const Problem& a, const Problem& b) {
  return a.object == b.object && a.field == b.field && a.what == b.what;
}

/// The problems of `all` that are not among `some`.
std::vector<Problem> Without(const std::vector<Problem>& all, const std::vector<Problem>& some) {
  std::vector<Problem> rest;
  std::copy_if(all.begin(), all.end(), std::back_inserter(rest), [&some](const Problem& p) {
    return std::none_of(some.begin(), some.end(), [&p](const Problem& q) { return Same(p, q); });
  });
  return rest;
}

}  // namespace

std::vector<Diagnostic> Diagnose(const manifest::Manifests& manifests, References references,
                                 const Engine& engine) {
  std::vector<Diagnostic> found = manifests.diagnostics;
  const auto add = [&](std::span<const Problem> problems, Severity severity) {
    const std::vector<Diagnostic> located = manifest::Locate(manifests, problems, severity);
    found.insert(found.end(), located.begin(), located.end());
  };
  const std::vector<Problem> own = engine.Validate(manifests.objects, MissingReference::kAccept);
  add(own, Severity::kError);
  if (manifests.HasErrors()) return found;
  const std::vector<Problem> all = engine.Validate(manifests.objects, MissingReference::kRefuse);
  add(Without(all, own),
      references == References::kMustExist ? Severity::kError : Severity::kWarning);
  return found;
}

int Load(const InputFlags& flags, References references, std::string_view consequence, Io& io,
         Loaded* loaded, const Engine& engine) {
  if (const int code = ReadSources(flags.files, io, &loaded->sources); code != kDone) return code;
  loaded->manifests = manifest::Parse(loaded->sources, flags.ParseOptions());
  return Report(Diagnose(loaded->manifests, references, engine), loaded->sources, consequence, io);
}

}  // namespace muster::cli
