// Latencies of an open loop: when requests are due, and how long each took from then on.
//
// A request that is due while every connection is busy waits, and that wait counts. So a server
// that stands still for a second is charged for all that would have come in it (coordinated
// omission).
#ifndef MUSTER_TESTS_BENCH_SERVICE_FIGURES_H_
#define MUSTER_TESTS_BENCH_SERVICE_FIGURES_H_

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace muster::load {

using Clock = std::chrono::steady_clock;
using Nanos = std::chrono::nanoseconds;

/// Moments of a Poisson process: independent of each other and of the answers.
class Arrivals {
 public:
  Arrivals(double per_second, std::uint64_t seed, Clock::time_point begin)
      : random_(seed), gap_(per_second), next_(begin) {
    Pass();
  }
  Clock::time_point next() const { return next_; }
  void Pass() {
    next_ +=
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(gap_(random_)));
  }

 private:
  std::mt19937_64 random_;
  std::exponential_distribution<double> gap_;
  Clock::time_point next_;
};

/// Every value, so that no quantile is a guess.
class Latencies {
 public:
  void Add(Nanos value) { values_.push_back(value); }
  std::size_t count() const { return values_.size(); }
  /// The least value that `part` of all do not exceed; 0 where there is none.
  Nanos At(double part) {
    if (values_.empty()) return Nanos(0);
    std::sort(values_.begin(), values_.end());
    const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(count())));
    return values_[std::clamp<std::size_t>(rank, 1, count()) - 1];
  }

 private:
  std::vector<Nanos> values_;
};

}  // namespace muster::load

#endif  // MUSTER_TESTS_BENCH_SERVICE_FIGURES_H_
