// check_kinds DIR [-v]: runs every recorded case of job kinds in a folder and prints, for each
// family, how many are as recorded; with -v also what differs. Ends with 0 when all are.
#include <cstdio>
#include <string>
#include <string_view>

#include "tests/conformance/kinds/kind_case.h"

int main(int argc, char** argv) {
  std::string folder;
  bool verbose = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "-v") {
      verbose = true;
    } else {
      folder = argument;
    }
  }
  const auto families = muster::conformance::FindKindCases(folder);
  if (families.empty()) {
    std::fprintf(stderr, "usage: check_kinds DIR [-v]; no cases in \"%s\"\n", folder.c_str());
    return 2;
  }
  std::size_t passed_of_all = 0;
  std::size_t all = 0;
  for (const auto& [family, inputs] : families) {
    std::size_t passed = 0;
    std::string report;
    for (const auto& input : inputs) {
      const std::vector<std::string> differences = muster::conformance::RunKindCase(input);
      if (differences.empty()) {
        ++passed;
        continue;
      }
      report += "  " + input.stem().string() + "\n";
      for (const std::string& line : differences) report += "    " + line + "\n";
    }
    std::printf("%s %zu/%zu\n", family.c_str(), passed, inputs.size());
    if (verbose) std::fputs(report.c_str(), stdout);
    passed_of_all += passed;
    all += inputs.size();
  }
  std::printf("all %zu/%zu\n", passed_of_all, all);
  return passed_of_all == all ? 0 : 1;
}
