// Histogram: how many of something took at most so long, for Prometheus.
#ifndef MUSTER_BINDINGS_METRICS_HISTOGRAM_H_
#define MUSTER_BINDINGS_METRICS_HISTOGRAM_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace muster::metrics {

class Histogram {
 public:
  /// `bounds` rise; what is above the last counts in the total alone.
  explicit Histogram(std::vector<double> bounds)
      : bounds_(std::move(bounds)), counts_(bounds_.size()) {}

  /// Of calls and cycles: from 0.1 ms to 10 s.
  static Histogram OfSeconds() {
    return Histogram({0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                      0.5, 1, 2.5, 5, 10});
  }
  /// Of waits: Kueue's, from 1 s to 2.8 hours, each twice the one before.
  static Histogram OfWaits() {
    std::vector<double> bounds = {1};
    double next = 2.5;
    constexpr std::size_t kBounds = 14;
    while (bounds.size() < kBounds) {
      bounds.push_back(next);
      next *= 2;
    }
    return Histogram(std::move(bounds));
  }

  void Add(double value) {
    ++total_;
    sum_ += value;
    const auto bound = std::lower_bound(bounds_.begin(), bounds_.end(), value);
    if (bound != bounds_.end()) ++counts_[static_cast<std::size_t>(bound - bounds_.begin())];
  }

  const std::vector<double>& bounds() const { return bounds_; }
  /// Of each bound, how many are at most it and above the bound before.
  const std::vector<std::int64_t>& counts() const { return counts_; }
  std::int64_t total() const { return total_; }
  double sum() const { return sum_; }

 private:
  std::vector<double> bounds_;
  std::vector<std::int64_t> counts_;
  std::int64_t total_ = 0;
  double sum_ = 0;
};

}  // namespace muster::metrics

#endif  // MUSTER_BINDINGS_METRICS_HISTOGRAM_H_
