// See load.h.
#include "bindings/cli/world/load.h"

#include <algorithm>

#include "bindings/cli/progress.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/small_pages.h"
#include "bindings/manifest/named_by_uid.h"
#include "engine/model/names.h"

namespace muster::cli {

using lab::References;
using manifest::Diagnostic;
using manifest::Severity;

void WarnOfUnread(const InputFlags& flags, const Loaded& loaded, Io& io) {
  const manifest::Manifests& read = loaded.manifests;
  for (const std::string& kind : flags.ignore_kinds) {
    const auto is_of_kind = [&kind](const Object& object) {
      return KindName(KindOf(object)) == kind;
    };
    if (std::none_of(read.objects.begin(), read.objects.end(), is_of_kind)) continue;
    io.Warn("--ignore-kinds " + kind + ": foreign kinds are skipped, and a " + kind +
            " is none: it is read; leave its documents out");
  }
  if (!read.objects.empty() || !read.namespace_quotas.empty() || read.scenario ||
      !read.diagnostics.empty() || loaded.sources.empty()) {
    return;
  }
  io.Warn("no document in " + loaded.sources.front().name +
          (loaded.sources.size() > 1 ? " and the other files" : ""));
}

int Load(const InputFlags& flags, lab::References references, std::string_view consequence, Io& io,
         Loaded* loaded, const Engine& engine) {
  const int code = ReadSources(flags.files, io, &loaded->sources);
  return code == kDone ? LoadSources(flags, references, consequence, io, loaded, engine) : code;
}

std::size_t BytesOf(const std::vector<manifest::Source>& sources) {
  std::size_t bytes = 0;
  for (const manifest::Source& source : sources) bytes += source.text.size();
  return bytes;
}

int LoadSources(const InputFlags& flags, lab::References references, std::string_view consequence,
                Io& io, Loaded* loaded, const Engine& engine) {
  std::vector<Diagnostic> found;
  {
    Progress progress(io);
    progress.ShowReading(BytesOf(loaded->sources));
    const SmallPages pages;
    loaded->manifests = manifest::Parse(loaded->sources, flags.ParseOptions(references));
    manifest::NamesByUid names;
    manifest::Settle(engine, &loaded->manifests, &names);
    found = lab::Diagnose(loaded->manifests, references, engine);
  }
  WarnOfUnread(flags, *loaded, io);
  if (!loaded->manifests.namespace_quotas.empty()) {
    found.push_back({Severity::kWarning, loaded->manifests.namespace_quotas.front().place,
                     "ResourceQuotas are not stored and decide nothing",
                     "only muster validate looks at them"});
  }
  return Report(std::move(found), loaded->sources, consequence, io);
}

}  // namespace muster::cli
