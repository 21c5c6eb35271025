// Waits are added up as differences at the hours where they begin and end.
#include "bindings/report/worst_hour.h"

#include <algorithm>
#include <tuple>

#include "bindings/simulate/figures.h"
#include "bindings/simulate/number.h"

namespace muster::simulate {
namespace {

constexpr DurationNs kHour = 3600 * kSecond;

/// How long two stretches of time have in common.
DurationNs Common(TimeNs from, TimeNs until, TimeNs begin, TimeNs end) {
  return std::max<DurationNs>(0, std::min(until, end) - std::max(from, begin));
}

}  // namespace

TimeNs OrEnd(TimeNs time, const Run& run) {
  return time == kNoTime ? std::max(run.until, run.end) : time;
}

WorstHour FindWorstHour(std::span<const TraceJob> jobs, const Run& run) {
  WorstHour worst;
  const auto hours =
      static_cast<std::size_t>(std::max<DurationNs>(0, run.until - run.from) / kHour);
  std::vector<double> whole(hours + 2), part(hours + 1);
  for (const Fate& fate : run.fates) {
    if (fate.submitted == kNoTime) continue;
    const TimeNs from = std::clamp(fate.submitted, run.from, run.until) - run.from;
    const TimeNs until = std::clamp(OrEnd(fate.first_start, run), run.from, run.until) - run.from;
    if (until <= from) continue;
    const auto first = static_cast<std::size_t>(from / kHour);
    const auto last = static_cast<std::size_t>(until / kHour);
    if (first == last) {
      part[first] += InSeconds(until - from);
      continue;
    }
    part[first] += InSeconds(kHour - from % kHour);
    part[last] += InSeconds(until % kHour);
    whole[first + 1] += InSeconds(kHour);
    whole[last] -= InSeconds(kHour);
  }
  double all = 0;
  for (std::size_t hour = 0; hour <= hours; ++hour) {
    all += whole[hour];
    const double waited = (all + part[hour]) / InSeconds(kHour);
    if (waited <= worst.waiting) continue;
    worst.waiting = waited;
    worst.begin = run.from + static_cast<TimeNs>(hour) * kHour;
  }
  if (worst.begin == kNoTime) return worst;
  const TimeNs end = worst.begin + kHour;
  std::vector<std::pair<double, std::size_t>> held, waited;
  for (std::size_t i = 0; i < run.fates.size(); ++i) {
    const Fate& fate = run.fates[i];
    if (fate.submitted == kNoTime) continue;
    const TimeNs start = OrEnd(fate.first_start, run);
    const DurationNs ran = Common(start, OrEnd(fate.end, run), worst.begin, end);
    const DurationNs wait = Common(fate.submitted, start, worst.begin, end);
    if (wait > 0) {
      waited.emplace_back(-InSeconds(start - fate.submitted), i);
    } else if (ran > 0) {
      held.emplace_back(-InSeconds(ran) * static_cast<double>(jobs[i].size), i);
    }
  }
  for (auto* list : {&held, &waited}) {
    std::sort(list->begin(), list->end());
    for (std::size_t i = 0; i < std::min(kMostInHour, list->size()); ++i) {
      worst.jobs.push_back((*list)[i].second);
    }
  }
  std::sort(worst.jobs.begin(), worst.jobs.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(OrEnd(run.fates[a].first_start, run), a) <
           std::tuple(OrEnd(run.fates[b].first_start, run), b);
  });
  return worst;
}

std::size_t OvertakenBy(std::span<const TraceJob> jobs, const Run& run, std::size_t job) {
  const TimeNs start = OrEnd(run.fates[job].first_start, run);
  std::size_t overtaken = 0;
  for (std::size_t i = job + 1; i < jobs.size(); ++i) {
    const Fate& fate = run.fates[i];
    if (fate.submitted == kNoTime || fate.first_start == kNoTime) continue;
    if (fate.submitted <= run.fates[job].submitted || fate.first_start >= start) continue;
    overtaken += jobs[i].queue == jobs[job].queue ? 1 : 0;
  }
  return overtaken;
}

}  // namespace muster::simulate
