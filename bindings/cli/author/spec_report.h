// Results of policy specs, for people and for CI systems.
#ifndef MUSTER_BINDINGS_CLI_AUTHOR_SPEC_REPORT_H_
#define MUSTER_BINDINGS_CLI_AUTHOR_SPEC_REPORT_H_

#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/luajit/spec_runner.h"

namespace muster::cli {

/// "pretty", "tap", "junit" or "json". `verbose`: passed tests, time and fuel are shown by pretty.
void PrintSpecs(const std::vector<luajit::SpecCase>& cases, std::string_view format, bool verbose,
                Io& io);

/// "policies/x/policy_spec.lua:12".
std::string PlaceOf(const luajit::SpecCase& each);

/// Why tests that did not fail show nothing: there are none, or all are pending; empty: they do.
std::string WhyNothingIsShown(const std::vector<luajit::SpecCase>& cases);

/// "3 passed, 1 failed, 1 pending".
std::string SpecTotals(const std::vector<luajit::SpecCase>& cases);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_AUTHOR_SPEC_REPORT_H_
