// What all benchmarks share: how large to measure, how to time, what to do when a call fails that
// must not.
#ifndef MUSTER_TESTS_BENCH_MEASURE_H_
#define MUSTER_TESTS_BENCH_MEASURE_H_

#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "muster/status.h"

namespace muster::bench {

/// kSmoke runs every line of a benchmark once on a tiny input; its figures mean nothing.
enum class Size { kFull, kSmoke };

/// Adds the benchmarks of a program to Google Benchmark's list; each program defines it,
/// bench_main.cc calls it.
void RegisterAll(Size size);

/// Ends the process: a benchmark of something that went wrong is worth nothing.
inline void Require(bool ok, const std::string& what) {
  if (ok) return;
  std::fprintf(stderr, "benchmark: %s\n", what.c_str());
  std::exit(3);
}
inline void Require(const Status& status) { Require(status.ok(), status.message()); }
template <typename T>
T Take(Result<T> result) {
  Require(result.status());
  return std::move(*result);
}

/// Seconds on the clock that `work` takes, waiting included.
template <typename Work>
double Seconds(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  std::forward<Work>(work)();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds of the processor that `work` takes on this thread. The right measure of an engine that
/// waits for nothing: what else runs on the machine hardly moves it.
template <typename Work>
double CpuSeconds(Work&& work) {
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double start = now();
  std::forward<Work>(work)();
  return now() - start;
}

/// What part `share` of the samples stay below; 0.5: the median. `samples` must not be empty.
inline double Percentile(std::vector<double> samples, double share) {
  std::sort(samples.begin(), samples.end());
  return samples[static_cast<std::size_t>(share * static_cast<double>(samples.size() - 1))];
}

/// Names the benchmark whose time this one is compared with: what the same work costs without the
/// part that is measured here. run.py prints the ratio.
inline void SetFloor(benchmark::State& state, const std::string& name) {
  state.SetLabel("floor=" + name);
}

}  // namespace muster::bench

#endif  // MUSTER_TESTS_BENCH_MEASURE_H_
