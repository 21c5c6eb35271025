// Mistakes of a policy file that can be seen without running it, beyond those of syntax.
#ifndef MUSTER_BINDINGS_LUAJIT_SOURCE_CHECK_H_
#define MUSTER_BINDINGS_LUAJIT_SOURCE_CHECK_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "bindings/luajit/source_facts.h"
#include "bindings/luajit/state.h"

namespace muster::luajit {

/// A package with more mistakes than these is told of the first ones.
inline constexpr std::size_t kMaxProblems = 100;

/// Unknown names and fields, volatile fields that are not declared, unused parameters and labels
/// that are not declared, kept views, hooks that return different numbers of keys. What exists is
/// asked of `state`, so a check and a run say the same. `strict`: also what a package that decided
/// before may have: fields taken for true or false that are never nil, resources that none can be.
/// O(size).
std::vector<SourceProblem> CheckSource(const SourceFacts& facts, State& state, bool strict);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_SOURCE_CHECK_H_
