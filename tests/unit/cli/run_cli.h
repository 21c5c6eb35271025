// Runs a command line of `muster` inside the test process.
#ifndef MUSTER_TESTS_UNIT_CLI_RUN_CLI_H_
#define MUSTER_TESTS_UNIT_CLI_RUN_CLI_H_

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/app.h"

namespace muster::cli {

struct Said {
  int code = 0;
  std::string out;
  std::string err;
};

inline Said RunCli(const std::vector<std::string>& args, const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  Io io{in, out, err, Paint(), Paint()};
  const int code = RunMuster(args, io);
  return {code, std::move(out).str(), std::move(err).str()};
}

}  // namespace muster::cli

#endif  // MUSTER_TESTS_UNIT_CLI_RUN_CLI_H_
