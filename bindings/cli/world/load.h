// Manifests of one call: read, parsed, checked against each other, mistakes printed.
#ifndef MUSTER_BINDINGS_CLI_WORLD_LOAD_H_
#define MUSTER_BINDINGS_CLI_WORLD_LOAD_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/cli/world/input.h"
#include "bindings/lab/diagnose.h"
#include "bindings/manifest/manifest.h"
#include "muster/engine.h"

namespace muster::cli {

struct Loaded {
  std::vector<manifest::Source> sources;
  manifest::Manifests manifests;
};

/// Of their texts.
std::size_t BytesOf(const std::vector<manifest::Source>& sources);

/// Says so when the files hold no document at all, and of kinds that were to be ignored and are
/// read.
void WarnOfUnread(const InputFlags& flags, const Loaded& loaded, Io& io);

/// Reads and checks everything. Prints all mistakes at once and returns kNo when there is an error
/// (closing with `consequence`), another code when something cannot be read, else kDone. The
/// objects are looked at together with what `engine` holds.
int Load(const InputFlags& flags, lab::References references, std::string_view consequence, Io& io,
         Loaded* loaded, const Engine& engine = Engine());
/// The same of sources that ReadSources has put into `loaded`.
int LoadSources(const InputFlags& flags, lab::References references, std::string_view consequence,
                Io& io, Loaded* loaded, const Engine& engine);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_LOAD_H_
