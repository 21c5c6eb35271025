// Every form that a policy may write, with the arguments that make it take longest: what a unit of
// fuel is measured on.
#ifndef MUSTER_TESTS_BENCH_FUEL_ROWS_H_
#define MUSTER_TESTS_BENCH_FUEL_ROWS_H_

#include <string>
#include <vector>

namespace muster::bench {

/// A statement that is written `copies` times in a row, as straight code that pays for one tick.
struct FuelRow {
  std::string what;       ///< operator, function or form, and with which arguments
  std::string statement;  ///< sees `w`, `c` and what `setup` declares
  std::string setup = {};
  int copies = 16;
  std::string before = {};  ///< in front of the package's table, run once
};

/// In no order that matters. Each function of the sandbox is called in at least one of them.
const std::vector<FuelRow>& FuelRows();

}  // namespace muster::bench

#endif  // MUSTER_TESTS_BENCH_FUEL_ROWS_H_
