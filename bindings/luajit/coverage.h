// What specs reached of a policy: statements by line, and both ways of every branch.
#ifndef MUSTER_BINDINGS_LUAJIT_COVERAGE_H_
#define MUSTER_BINDINGS_LUAJIT_COVERAGE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/luajit/lexer.h"

namespace muster::luajit {

struct MissedBranch {
  SourcePlace place;
  std::string what;  ///< "the condition was never false"
};

struct Coverage {
  int lines = 0;  ///< that begin a statement
  std::vector<int> missed_lines;
  int branches = 0;  ///< ways to go on
  std::vector<MissedBranch> missed_branches;
  /// Whole percent of lines and branches together, rounded down; 100 only when nothing is missed.
  int Percent() const;
};

/// `counts` as SandboxOptions::counts collected them for `source`, which must parse.
Coverage MeasureCoverage(std::string_view source, const std::vector<std::uint64_t>& counts);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_COVERAGE_H_
