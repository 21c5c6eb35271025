// Results of scenario tests, for people and for CI systems.
#ifndef MUSTER_BINDINGS_CLI_SHOW_TEST_REPORT_H_
#define MUSTER_BINDINGS_CLI_SHOW_TEST_REPORT_H_

#include <ostream>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/lab/scenario/scenario_test.h"

namespace muster::cli {

/// A line per file, every mismatch with file:line, and a count.
void PrintPretty(const std::vector<lab::TestResult>& results, Io& io);
/// TAP version 13, a test point per file.
void PrintTap(const std::vector<lab::TestResult>& results, std::ostream& out);
/// JUnit XML, a test case per file.
void PrintJUnit(const std::vector<lab::TestResult>& results, std::ostream& out);
void PrintTestJson(const std::vector<lab::TestResult>& results, std::ostream& out);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_TEST_REPORT_H_
