// Everything that is wrong with manifests, or looks so: as text, and to an engine.
#ifndef MUSTER_BINDINGS_LAB_DIAGNOSE_H_
#define MUSTER_BINDINGS_LAB_DIAGNOSE_H_

#include <span>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "muster/engine.h"

namespace muster::lab {

/// What a reference to something that is not there means for a call. kAsKueue: that, and whatever
/// else Kueue would store, is a warning; for what is played in memory. kMustBeStored: an error, and
/// the call cannot bring it along.
enum class References { kMustExist, kMustBeStored, kMayBeMissing, kAsKueue };

/// Parse errors, what `engine` says about the objects, and warnings.
std::vector<manifest::Diagnostic> Diagnose(const manifest::Manifests& manifests,
                                           References references, const Engine& engine = Engine());

/// By file, in the order of `sources`, then line and column.
void SortByPlace(std::span<const manifest::Source> sources,
                 std::vector<manifest::Diagnostic>* diagnostics);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_DIAGNOSE_H_
