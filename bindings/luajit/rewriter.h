// Source with calls put in: ticks of fuel, joins of texts, and counts for callers that want to know
// what ran.
#ifndef MUSTER_BINDINGS_LUAJIT_REWRITER_H_
#define MUSTER_BINDINGS_LUAJIT_REWRITER_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/luajit/source_facts.h"

namespace muster::luajit {

/// Lua text that takes the fuel cell and a function, and returns the file's chunk, with
/// `insertions` (ascending) put in and a call of the function with its number at each of `marks`.
/// Every line keeps its number. `source` must have parsed.
std::string RewriteSource(std::string_view source, const std::vector<Insertion>& insertions,
                          std::span<const SourceMark> marks = {});

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_REWRITER_H_
