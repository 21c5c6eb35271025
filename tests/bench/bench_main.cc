// The main function of every benchmark program: the flags of Google Benchmark, and one more.
//
//   PROGRAM [--smoke] [--benchmark_filter=REGEX] ...
#include <cstring>

#include "tests/bench/measure.h"

int main(int argc, char** argv) {
  using muster::bench::Size;
  Size size = Size::kFull;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--smoke") == 0) {
      size = Size::kSmoke;
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  muster::bench::RegisterAll(size);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
