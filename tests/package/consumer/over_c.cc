// C++ with nothing of Muster in it but the shared library and its header.
#include <cstdio>
#include <memory>

#include "muster.h"

struct Close {
  void operator()(muster_engine* engine) const { muster_close(engine, nullptr); }
};

int main() {
  muster_engine* opened = nullptr;
  if (muster_open_memory(nullptr, &opened, nullptr) != MUSTER_OK) return 1;
  const std::unique_ptr<muster_engine, Close> engine(opened);
  muster_cycle cycle{};
  cycle.size = sizeof cycle;
  if (muster_run_cycle(engine.get(), INT64_MIN, &cycle, nullptr, nullptr) != MUSTER_OK) return 1;
  std::printf("over the C library %s: at rest %d\n", muster_version(), cycle.at_rest);
  return cycle.at_rest == 1 ? 0 : 1;
}
