// Where text was left out of which not even a name could be read, references to it would only be
// echoes, so missing references are then not reported.
#include "bindings/cli/world/load.h"

#include <algorithm>
#include <iterator>

#include "bindings/cli/world/near_names.h"
#include "bindings/cli/world/read.h"
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

/// How the engine is asked for what is a mistake in any case.
MissingReference Tolerance(References references) {
  return references == References::kAsKueue ? MissingReference::kAsKueue
                                            : MissingReference::kAccept;
}

/// What of `problems` may be said of objects from `read` on, which were not read as a whole.
void ForgetEchoes(std::size_t read, std::vector<Problem>* problems) {
  std::erase_if(*problems, [read](const Problem& p) { return p.object >= read && !p.missing; });
}

}  // namespace

std::vector<Diagnostic> Diagnose(const manifest::Manifests& manifests, References references,
                                 const Engine& engine) {
  std::vector<Diagnostic> found = manifests.diagnostics;
  const auto add = [&](std::span<const Problem> problems, Severity severity) {
    const std::vector<Diagnostic> located = manifest::Locate(manifests, problems, severity);
    found.insert(found.end(), located.begin(), located.end());
  };
  const std::vector<Problem> own = Read(engine.Validate(manifests.objects, Tolerance(references)));
  add(own, Severity::kError);
  if (!manifests.all_named) return found;
  std::vector<Object> objects = manifests.objects;
  objects.insert(objects.end(), manifests.left_out.begin(), manifests.left_out.end());
  std::vector<Problem> rest =
      Without(Read(engine.Validate(objects, MissingReference::kRefuse)), own);
  ForgetEchoes(manifests.objects.size(), &rest);
  ProposeNames(objects, engine, &rest);
  add(rest, references == References::kMustExist ? Severity::kError : Severity::kWarning);
  return found;
}

int Load(const InputFlags& flags, References references, std::string_view consequence, Io& io,
         Loaded* loaded, const Engine& engine) {
  if (const int code = ReadSources(flags.files, io, &loaded->sources); code != kDone) return code;
  loaded->manifests = manifest::Parse(loaded->sources, flags.ParseOptions(references));
  return Report(Diagnose(loaded->manifests, references, engine), loaded->sources, consequence, io);
}

}  // namespace muster::cli
