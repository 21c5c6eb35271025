// Where a value that reading can trace comes from, and which parameters of local functions get more
// than views.
#ifndef MUSTER_BINDINGS_LUAJIT_SOURCE_FLOW_H_
#define MUSTER_BINDINGS_LUAJIT_SOURCE_FLOW_H_

#include <set>
#include <vector>

#include "bindings/luajit/source_facts.h"
#include "bindings/luajit/source_views.h"

namespace muster::luajit {

/// The origin that a local variable which was given a value once stands for.
const Origin& SourceOf(const SourceFacts& facts, int origin);

/// The outermost value that `origin` is read from, as it is written; itself where it is no field.
const Origin& TopOf(const SourceFacts& facts, const Origin& origin);

/// The variable that `origin` is, or is a field of a field of.
int RootOf(const SourceFacts& facts, int origin);

/// The parameters that some call may give what is no view: a table of the package, nil, or what
/// cannot be traced. `views`: of the origins. A function that is put into a table or passed on is
/// called by others, unless it is one of `hooks`. O(size).
std::set<int> LooseParameters(const SourceFacts& facts, const std::vector<View>& views,
                              const std::set<const Function*>& hooks);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_SOURCE_FLOW_H_
