// Mutants of a policy: copies with one small mistake each. Specs that stay green with one of them
// do not test what it changed.
#ifndef MUSTER_BINDINGS_LUAJIT_MUTANTS_H_
#define MUSTER_BINDINGS_LUAJIT_MUTANTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "bindings/luajit/lexer.h"

namespace muster::luajit {

struct Mutant {
  SourcePlace place;
  std::string before;  ///< as written
  std::string after;
  std::string source;  ///< the whole file with the mistake
};

/// One mutant for each comparison, operator, number and truth value inside functions, in order of
/// place. A token whose line says `-- equivalent: why` is left alone. `source` must parse.
std::vector<Mutant> MakeMutants(std::string_view source);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_MUTANTS_H_
