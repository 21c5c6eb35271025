#include "bindings/manifest/beside.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace muster::manifest {
namespace {

constexpr unsigned kMostThreads = 4;

}  // namespace

void Beside(std::size_t count, const std::function<void(std::size_t)>& work) {
  // To ask the system how many processors there are takes longer than to read a job.
  if (count == 0) return;
  if (count == 1) return work(0);
  std::vector<std::exception_ptr> thrown(count);  // a thread must not end by one
  std::atomic<std::size_t> next = 0;
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        thrown[i] = std::current_exception();
      }
    }
  };
  const auto wanted = std::min<std::size_t>(
      {std::max(1U, std::thread::hardware_concurrency()), kMostThreads, count});
  {
    std::vector<std::jthread> helpers;
    try {
      while (helpers.size() + 1 < wanted) helpers.emplace_back(take);
    } catch (const std::system_error&) {
      // Those that there are do it all.
    }
    take();
  }
  for (const std::exception_ptr& each : thrown) {
    if (each) std::rethrow_exception(each);
  }
}

void BesideInRuns(std::size_t count, std::size_t run,
                  const std::function<void(std::size_t)>& work) {
  Beside((count + run - 1) / run, [&](std::size_t taken) {
    const std::size_t end = std::min((taken + 1) * run, count);
    for (std::size_t i = taken * run; i < end; ++i) work(i);
  });
}

}  // namespace muster::manifest
