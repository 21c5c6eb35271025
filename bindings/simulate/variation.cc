// A day counts from the first arrival, so that none is cut in two by a zone of time.
#include "bindings/simulate/variation.h"

#include <algorithm>

namespace muster::simulate {
namespace {

constexpr DurationNs kDay = 24 * 3600 * kSecond;
constexpr std::size_t kWeek = 7;
constexpr std::size_t kFewWeeks = 3;

}  // namespace

std::uint64_t Draw::Below(std::uint64_t count) {
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
  return (mixed ^ (mixed >> 31U)) % count;
}

std::vector<TraceJob> Variation(std::span<const TraceJob> jobs, std::uint64_t seed) {
  std::vector<TraceJob> varied;
  if (jobs.empty()) return varied;
  const DurationNs begin = jobs.front().submit;
  const auto days = static_cast<std::size_t>((jobs.back().submit - begin) / kDay) + 1;
  const auto first_of = [&](std::size_t day) {
    return std::lower_bound(jobs.begin(), jobs.end(), begin + static_cast<DurationNs>(day) * kDay,
                            [](const TraceJob& job, DurationNs time) { return job.submit < time; });
  };
  Draw draw(seed);
  for (std::size_t day = 0; day < days; ++day) {
    const std::size_t weekday = day % kWeek;
    const std::size_t alike = (days - weekday + kWeek - 1) / kWeek;
    const std::size_t drawn = alike >= kFewWeeks
                                  ? weekday + kWeek * static_cast<std::size_t>(draw.Below(alike))
                                  : static_cast<std::size_t>(draw.Below(days));
    const DurationNs moved = (static_cast<DurationNs>(day) - static_cast<DurationNs>(drawn)) * kDay;
    for (auto job = first_of(drawn); job != first_of(drawn + 1); ++job) {
      varied.push_back(*job);
      varied.back().submit += moved;
    }
  }
  return varied;
}

}  // namespace muster::simulate
