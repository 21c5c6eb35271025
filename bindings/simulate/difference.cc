// Pairs are drawn whole: a hard variation is hard for both policies.
#include "bindings/simulate/difference.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

#include "bindings/simulate/variation.h"

namespace muster::simulate {
namespace {

constexpr std::size_t kDraws = 2000;
constexpr std::uint64_t kSeed = 1;
constexpr double kTail = 0.05;  ///< on each side of the interval

using ReadFigure = double (*)(const Report&);
const Figures& All(const Report& report) { return report.classes.front().figures; }
constexpr std::array<std::pair<const char*, ReadFigure>, 5> kCompared = {
    {{"waitMean", [](const Report& r) { return All(r).wait_mean; }},
     {"waitP90", [](const Report& r) { return All(r).wait_p90; }},
     {"slowdownMean", [](const Report& r) { return All(r).slowdown_mean; }},
     {"utilisation", [](const Report& r) { return r.utilisation; }},
     {"lostHours", [](const Report& r) { return r.lost_hours; }}}};

double MeanOf(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::vector<Difference> Differences(std::span<const Report> base, std::span<const Report> other) {
  std::vector<Difference> differences;
  for (const auto& [name, read] : kCompared) {
    std::vector<double> pairs;
    for (std::size_t i = 0; i < base.size(); ++i) pairs.push_back(read(other[i]) - read(base[i]));
    Draw draw(kSeed);
    std::vector<double> means;
    std::vector<double> drawn(pairs.size());
    for (std::size_t i = 0; i < kDraws; ++i) {
      for (double& each : drawn) each = pairs[draw.Below(pairs.size())];
      means.push_back(MeanOf(drawn));
    }
    std::sort(means.begin(), means.end());
    differences.push_back(
        {name, MeanOf(pairs), Quantile(means, kTail), Quantile(means, 1 - kTail)});
  }
  return differences;
}

}  // namespace muster::simulate
