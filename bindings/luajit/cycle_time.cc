// The only clock near a policy.
#include "bindings/luajit/cycle_time.h"

#include <ctime>

namespace muster::luajit {

double ThreadSeconds() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace muster::luajit
