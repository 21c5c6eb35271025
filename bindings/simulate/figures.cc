// Sorted lists of waits; nothing here is estimated.
#include "bindings/simulate/figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "bindings/manifest/beside.h"
#include "bindings/simulate/number.h"

namespace muster::simulate {
namespace {

constexpr double kTau = 10;  ///< seconds, of the bounded slowdown
constexpr std::string_view kAll = "all";

double Mean(std::span<const double> values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

/// The place of a quantile among so many sorted values, of which there is one.
std::size_t PlaceOfQuantile(std::size_t count, double part) {
  const double rank = std::ceil(part * static_cast<double>(count));
  return static_cast<std::size_t>(std::max(1.0, rank)) - 1;
}

/// The quantile of values in any order; puts them in another one. O(values).
double QuantileIn(std::vector<double>& values, double part) {
  if (values.empty()) return 0;
  const auto place =
      values.begin() + static_cast<std::ptrdiff_t>(PlaceOfQuantile(values.size(), part));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

/// Jobs of one class, while they are gathered.
class Gathered {
 public:
  void Add(const TraceJob& job, const Fate& fate) {
    ++figures_.jobs;
    figures_.evictions += fate.evictions;
    figures_.lost_hours += InSeconds(fate.lost) * static_cast<double>(job.size) / 3600;
    if (fate.first_start == kNoTime) return;
    ++figures_.started;
    const double wait = InSeconds(fate.first_start - fate.submitted);
    if (waits_.empty() || wait > figures_.wait_max) {
      figures_.wait_max = wait;
      figures_.longest = job.id;
    }
    waits_.push_back(wait);
    if (fate.end == kNoTime) return;
    ++figures_.ended;
    const double turnaround = InSeconds(fate.end - fate.submitted);
    turnarounds_.push_back(turnaround);
    slowdowns_.push_back(std::max(1.0, turnaround / std::max(kTau, InSeconds(job.run))));
  }

  bool empty() const { return figures_.jobs == 0; }

  Figures Finish() {
    figures_.wait_mean = Mean(waits_);
    figures_.turnaround_mean = Mean(turnarounds_);
    figures_.slowdown_mean = Mean(slowdowns_);
    figures_.wait_p50 = QuantileIn(waits_, 0.5);
    figures_.wait_p90 = QuantileIn(waits_, 0.9);
    figures_.wait_p99 = QuantileIn(waits_, 0.99);
    figures_.turnaround_p50 = QuantileIn(turnarounds_, 0.5);
    figures_.slowdown_p50 = QuantileIn(slowdowns_, 0.5);
    return figures_;
  }

 private:
  Figures figures_;
  std::vector<double> waits_, turnarounds_, slowdowns_;
};

constexpr std::array<std::pair<std::int64_t, std::string_view>, 3> kSizes = {
    {{1, "1"}, {8, "2-8"}, {64, "9-64"}}};
constexpr std::string_view kLargest = "65+";

/// The place of a class of size, as they grow.
std::size_t PlaceOfSize(std::int64_t size) {
  std::size_t place = 0;
  while (place < kSizes.size() && size > kSizes[place].first) ++place;
  return place;
}

std::string_view NameOfSize(std::size_t place) {
  return place < kSizes.size() ? kSizes[place].second : kLargest;
}

/// The figures of some jobs, of all sizes and of each; sizes that no job has are left out.
std::vector<ClassFigures> FiguresOf(std::string_view queue, std::span<const TraceJob> jobs,
                                    const Run& run, std::span<const std::uint32_t> which) {
  std::array<Gathered, kSizes.size() + 2> classes;  // all sizes first
  for (const std::uint32_t i : which) {
    classes.front().Add(jobs[i], run.fates[i]);
    classes[1 + PlaceOfSize(jobs[i].size)].Add(jobs[i], run.fates[i]);
  }
  std::vector<ClassFigures> figures;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i].empty()) continue;
    const std::string_view size = i == 0 ? kAll : NameOfSize(i - 1);
    figures.push_back({std::string(queue), std::string(size), classes[i].Finish()});
  }
  return figures;
}

/// Of one part of time: see Report::share_error. nullopt while nothing is used.
std::optional<double> ShareErrorIn(std::span<const QueueUse> queues, std::size_t part) {
  double used = 0, nominal = 0, error = 0;
  for (const QueueUse& queue : queues) {
    used += queue.series[part];
    nominal += queue.nominal;
  }
  if (used <= 0 || nominal <= 0) return std::nullopt;
  for (const QueueUse& queue : queues) {
    error += std::abs(queue.series[part] / used - queue.nominal / nominal) / 2;
  }
  return error;
}

void SummariseUse(const Run& run, Report* report) {
  double used = 0, nominal = 0, borrowed = 0;
  for (const QueueUse& queue : run.queues) {
    used += queue.used;
    borrowed += queue.borrowed;
    nominal += queue.nominal;
    report->preempted_hours += queue.preempted / 3600;
    report->lost_hours += queue.lost / 3600;
    for (const auto& [cause, count] : queue.evictions) report->evictions[cause] += count;
  }
  report->nominal_hours = (used - borrowed) / 3600;
  report->borrowed_hours = borrowed / 3600;
  const double span = InSeconds(run.until - run.from);
  if (nominal > 0 && span > 0) report->utilisation = used / (nominal * span);
  std::vector<double> evenness, errors;
  for (std::size_t part = 0; part < kSeriesParts; ++part) {
    const std::optional<double> error = ShareErrorIn(run.queues, part);
    if (!error) continue;
    errors.push_back(*error);
    evenness.push_back(EvennessIn(run.queues, part));
  }
  report->share_error = Mean(errors);
  if (!evenness.empty()) report->evenness = Mean(evenness);
  report->waiting_mean = run.waiting_mean;
  report->waiting_most = run.waiting_most;
  for (const GangSeries& each : run.gangs) {
    report->gangs.push_back({each.topology, each.level, Mean(each.series),
                             *std::min_element(each.series.begin(), each.series.end())});
  }
}

}  // namespace

double Quantile(std::span<const double> sorted, double part) {
  return sorted.empty() ? 0 : sorted[PlaceOfQuantile(sorted.size(), part)];
}

bool Counts(const Fate& fate, const Run& run) {
  return fate.submitted != kNoTime && fate.submitted >= run.from && fate.submitted <= run.until;
}

double EvennessIn(std::span<const QueueUse> queues, std::size_t part) {
  double sum = 0, squares = 0, count = 0;
  for (const QueueUse& queue : queues) {
    if (queue.nominal <= 0) continue;
    const double ratio = queue.series[part] / queue.nominal;
    sum += ratio;
    squares += ratio * ratio;
    ++count;
  }
  return squares > 0 ? sum * sum / (count * squares) : 1;
}

std::string SizeClass(std::int64_t size) { return std::string(NameOfSize(PlaceOfSize(size))); }

Report Summarise(std::span<const TraceJob> jobs, const Run& run) {
  std::map<std::string_view, std::vector<std::uint32_t>> queues;  // the jobs of each; "": all
  std::vector<std::uint32_t>& all = queues[""];
  std::unordered_map<std::string_view, std::vector<std::uint32_t>*> found;  // the same, unordered
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!Counts(run.fates[i], run)) continue;
    all.push_back(static_cast<std::uint32_t>(i));
    if (jobs[i].queue.empty()) continue;
    std::vector<std::uint32_t>*& own = found[jobs[i].queue];
    if (own == nullptr) own = &queues[jobs[i].queue];
    own->push_back(static_cast<std::uint32_t>(i));
  }
  Report report;
  // All together are as many as those of the queues, so two threads have the same to do.
  const std::vector<std::pair<std::string_view, std::vector<std::uint32_t>>> parts(
      std::make_move_iterator(queues.begin()), std::make_move_iterator(queues.end()));
  std::vector<std::vector<ClassFigures>> classes(parts.size());
  manifest::Beside(parts.size(), [&](std::size_t place) {
    classes[place] = FiguresOf(parts[place].first, jobs, run, parts[place].second);
  });
  for (std::vector<ClassFigures>& each : classes) {
    std::move(each.begin(), each.end(), std::back_inserter(report.classes));
  }
  if (run.end != kNoTime) report.makespan = InSeconds(run.end - run.first);
  SummariseUse(run, &report);
  return report;
}

Change Compare(std::span<const TraceJob> jobs, const Run& base, const Run& other) {
  Change change;
  std::vector<Change::Moved> moved;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!Counts(base.fates[i], base)) continue;
    const TimeNs before = base.fates[i].first_start;
    const TimeNs after = other.fates[i].first_start;
    if (before == after) {
      ++change.same;
    } else if (before == kNoTime) {
      ++change.only_other;
    } else if (after == kNoTime) {
      ++change.only_base;
    } else {
      ++(after < before ? change.earlier : change.later);
      moved.push_back({jobs[i].id, jobs[i].queue, InSeconds(after - before)});
    }
  }
  std::stable_sort(moved.begin(), moved.end(),
                   [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const bool named = (i < kNamed && moved[i].seconds < 0) ||
                       (i + kNamed >= moved.size() && moved[i].seconds > 0);
    if (named) change.most.push_back(std::move(moved[i]));
  }
  return change;
}

}  // namespace muster::simulate
