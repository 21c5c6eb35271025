// The `muster` binary: hands streams and arguments to the program.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "bindings/cli/app.h"

namespace {

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): alone
  return value == nullptr ? "" : value;
}

int Main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  // A file that may not grow (ulimit -f) is a write that fails, and says so, as a full disk does.
  std::signal(SIGXFSZ, SIG_IGN);
  const bool may_paint = Variable("NO_COLOR").empty();
  muster::cli::Io io{std::cin, std::cout, std::cerr,
                     muster::cli::Paint(may_paint && isatty(STDOUT_FILENO) == 1),
                     muster::cli::Paint(may_paint && isatty(STDERR_FILENO) == 1)};
  io.server = Variable("MUSTER_SERVER");
  io.token = Variable("MUSTER_TOKEN");
  const int code = muster::cli::RunMuster(std::vector<std::string>(argv + 1, argv + argc), io);
  std::cout.flush();
  // A verb that met it on the way has said so.
  if (std::cout || code == muster::cli::kRefused) return code;
  return io.Fail(muster::cli::kRefused, "cannot write the output");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Main(argc, argv);
  } catch (...) {  // not even the words for it could be found
    std::fputs("muster: out of memory\n", stderr);
    return muster::cli::kRefused;
  }
}
