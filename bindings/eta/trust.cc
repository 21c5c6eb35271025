// See trust.h.
#include "bindings/eta/trust.h"

#include <algorithm>
#include <vector>

namespace muster::eta {
namespace {

constexpr std::size_t kNewestAnswers = 400;
constexpr std::size_t kEnoughAnswers = 30;
constexpr std::int64_t kUnit = 1000;
/// Added to both sides of a ratio: a wait of seconds where none was told is no great mistake.
constexpr std::int64_t kGrace = 60;

std::int64_t WholeSeconds(DurationNs time) { return time / kSecond; }

DurationNs MedianOf(std::vector<DurationNs>& values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return AtLevel(values, 500);
}

}  // namespace

void Trust::Learn(const Waits& said, DurationNs waited) {
  for (std::size_t level = 0; level < kLevels.size(); ++level) {
    ratios_[level].push_back((WholeSeconds(waited) + kGrace) * kUnit /
                             (WholeSeconds(said[level]) + kGrace));
    if (ratios_[level].size() > kNewestAnswers) ratios_[level].pop_front();
  }
}

bool Trust::Speaks() const { return ratios_.front().size() >= kEnoughAnswers; }

Waits Trust::Mend(const Waits& said) const {
  if (!Speaks()) return said;
  Waits mended{};
  for (std::size_t level = 0; level < kLevels.size(); ++level) {
    std::vector<std::int64_t> ratios(ratios_[level].begin(), ratios_[level].end());
    std::sort(ratios.begin(), ratios.end());
    const std::int64_t ratio = AtLevel(ratios, kLevels[level]);
    // As doubles would, but alike on every machine; the cut keeps a century from overflowing.
    constexpr std::int64_t kMostRatio = 1'000'000;
    const std::int64_t seconds =
        (WholeSeconds(said[level]) + kGrace) * std::min(ratio, kMostRatio) / kUnit - kGrace;
    mended[level] = std::clamp<std::int64_t>(seconds, 0, 4'000'000'000) * kSecond;
    if (level > 0) mended[level] = std::max(mended[level], mended[level - 1]);
  }
  return mended;
}

Score ScoreOf(std::span<const Answered> answers) {
  Score score;
  score.answers = answers.size();
  std::vector<DurationNs> widths50, widths90, misses;
  for (const Answered& each : answers) {
    const auto within = [&](std::size_t low, std::size_t high) {
      return each.said[low] <= each.waited && each.waited <= each.said[high] ? 1U : 0U;
    };
    score.in50 += within(kP25, kP75);
    score.in90 += within(kP5, kP95);
    score.before50 += each.waited <= each.said[kP50] ? 1U : 0U;
    score.before90 += each.waited <= each.said[kP90] ? 1U : 0U;
    widths50.push_back(each.said[kP75] - each.said[kP25]);
    widths90.push_back(each.said[kP95] - each.said[kP5]);
    misses.push_back(each.waited - each.said[kP50]);
  }
  score.width50 = MedianOf(widths50);
  score.width90 = MedianOf(widths90);
  score.bias = MedianOf(misses);
  return score;
}

}  // namespace muster::eta
