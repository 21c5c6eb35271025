// What Lua takes without a word, or says little about when it runs, and no author means.
#ifndef MUSTER_BINDINGS_LUAJIT_SOURCE_TRAPS_H_
#define MUSTER_BINDINGS_LUAJIT_SOURCE_TRAPS_H_

#include <set>
#include <span>
#include <vector>

#include "bindings/luajit/source_facts.h"
#include "bindings/luajit/source_views.h"

namespace muster::luajit {

/// Questions that always have the same answer (whether a field is there, whether a text is equal to
/// a number), texts and views that are computed with, fields that are called. `origins`: the view
/// that each origin is; `loose`: parameters that may be more than views. O(size of the source).
std::vector<SourceProblem> FindTraps(const SourceFacts& facts, std::span<const View> origins,
                                     const std::set<int>& loose);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_SOURCE_TRAPS_H_
