// Fuel by rewriting: a tick wherever execution can come round again.
#ifndef MUSTER_BINDINGS_LUAJIT_REWRITER_H_
#define MUSTER_BINDINGS_LUAJIT_REWRITER_H_

#include <string>
#include <string_view>

#include "bindings/luajit/source_facts.h"

namespace muster::luajit {

/// Lua text that takes the fuel cell and returns the file's chunk, with `insertions` (ascending)
/// put in. Every line keeps its number. `source` must have parsed.
std::string RewriteSource(std::string_view source, const std::vector<Insertion>& insertions);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_REWRITER_H_
