// What all benchmarks share: how large to measure, how to time, what to do when a call fails that
// must not.
#ifndef MUSTER_TESTS_BENCH_MEASURE_H_
#define MUSTER_TESTS_BENCH_MEASURE_H_

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

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

template <typename Work>
double Seconds(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  std::forward<Work>(work)();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Names the benchmark whose time this one is compared with: what the same work costs without the
/// part that is measured here. run.py prints the ratio.
inline void SetFloor(benchmark::State& state, const std::string& name) {
  state.SetLabel("floor=" + name);
}

}  // namespace muster::bench

#endif  // MUSTER_TESTS_BENCH_MEASURE_H_
