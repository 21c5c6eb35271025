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

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_AUTHOR_SPEC_REPORT_H_
