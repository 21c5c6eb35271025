// See record.h.
#include "bindings/eta/record.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace muster::eta {
namespace {

constexpr DurationNs kDayLong = 24 * 3600 * kSecond;
constexpr std::int64_t kWeekdays = 7;
constexpr std::int64_t kDaysKept = 4 * kWeekdays;
constexpr std::int64_t kDaysForWeekdays = 3 * kWeekdays;

/// Days of arrivals in a row, each drawn from those that are remembered.
class DrawnDays {
 public:
  DrawnDays(const std::deque<Arrival>& arrivals, const RunTimes& runs, TimeNs now,
            simulate::Draw draw)
      : arrivals_(arrivals), runs_(runs), now_(now), draw_(draw) {
    const DurationNs span = arrivals.empty() ? 0 : now - arrivals.front().at;
    block_ = std::min(span, kDayLong);
    days_ = block_ == 0 ? 0 : std::min(span / block_, kDaysKept);
    if (days_ > 0) BeginBlock();
  }

  std::optional<ComingJob> Next() {
    if (days_ == 0) return std::nullopt;
    // A span without arrivals ends the search: nothing comes.
    for (std::int64_t empty = 0; empty <= kMostEmpty; ++empty) {
      const TimeNs source_end = SourceBegin() + block_;
      if (next_ < arrivals_.size() && arrivals_[next_].at < source_end) {
        const Arrival& arrival = arrivals_[next_++];
        return ComingJob{arrival.at - SourceBegin() + now_ + number_ * block_, arrival.spec,
                         RunOf(arrival)};
      }
      ++number_;
      BeginBlock();
    }
    return std::nullopt;
  }

 private:
  static constexpr std::int64_t kMostEmpty = 400;

  TimeNs SourceBegin() const { return now_ - back_ * block_; }

  void BeginBlock() {
    if (days_ >= kDaysForWeekdays && block_ == kDayLong) {
      const std::int64_t first = kWeekdays - number_ % kWeekdays;
      const std::int64_t alike = (days_ - first) / kWeekdays + 1;
      back_ = first + kWeekdays * Below(alike);
    } else {
      back_ = 1 + Below(days_);
    }
    const auto found =
        std::lower_bound(arrivals_.begin(), arrivals_.end(), SourceBegin(),
                         [](const Arrival& arrival, TimeNs time) { return arrival.at < time; });
    next_ = static_cast<std::size_t>(found - arrivals_.begin());
  }

  std::int64_t Below(std::int64_t count) {
    return static_cast<std::int64_t>(draw_.Below(static_cast<std::uint64_t>(count)));
  }

  DurationNs RunOf(const Arrival& arrival) {
    if (arrival.run != kForEver) return arrival.run;
    const std::vector<DurationNs> expected = runs_.Expect(arrival.traits, 0);
    return expected.empty() ? kForEver : expected[draw_.Below(expected.size())];
  }

  const std::deque<Arrival>& arrivals_;
  const RunTimes& runs_;
  const TimeNs now_;
  simulate::Draw draw_;
  DurationNs block_ = 0;
  std::int64_t days_ = 0;    ///< blocks that are remembered
  std::int64_t number_ = 0;  ///< of the block that is played, counted from now
  std::int64_t back_ = 1;    ///< it is the block that began so many before now
  std::size_t next_ = 0;
};

/// Since when a condition holds; kNoTime: it does not.
TimeNs SinceOf(const Workload& workload, std::string_view type) {
  for (const Condition& condition : std::as_const(workload.status.conditions)) {
    if (condition.type == type && condition.status) return condition.since;
  }
  return kNoTime;
}

}  // namespace

void Record::Begin(const Engine& engine) {
  const Result<std::vector<WorkloadView>> all = engine.Workloads();
  if (!all.ok()) return;
  for (const WorkloadView& view : *all) {
    if (view.phase != WorkloadPhase::kFinished) continue;
    const TimeNs started = SinceOf(view.spec, "Admitted"), ended = SinceOf(view.spec, "Finished");
    if (started == kNoTime || ended == kNoTime || ended <= started) continue;
    runs_.Learn(TraitsOf(view.spec), ended - started);
  }
}

void Record::Note(const Engine& after, std::span<const Event> events, TimeNs at,
                  const simulate::Observer::Sink& sink) {
  observer_.Note(events, at, [&](EventKind kind, std::size_t job) {
    const simulate::JobPast& past = observer_.jobs()[job];
    if (kind == EventKind::kSubmitted) {
      Arrival& arrival = arrivals_.emplace_back();
      arrival.at = at;
      Result<WorkloadView> view = after.GetWorkload(simulate::KeyOfJob(past.id));
      if (view.ok()) {
        arrival.spec = std::move(view->spec);
        arrival.traits = TraitsOf(arrival.spec);
        arrival.spec.status = {};
        arrival.spec.uid = {};
        arrival.spec.created = kNoTime;
      }
      while (arrivals_.front().at < at - kDaysKept * kDayLong) {
        arrivals_.pop_front();
        ++forgotten_;
      }
    }
    if (kind == EventKind::kFinished && job >= forgotten_) {
      Arrival& arrival = arrivals_[job - forgotten_];
      const std::optional<simulate::Need> need = NeedOf(past);
      if (need && need->run > 0) {
        arrival.run = need->run;
        runs_.Learn(arrival.traits, need->run);
      }
    }
    if (sink) sink(kind, job);
  });
}

const Arrival* Record::ArrivalOf(std::size_t job) const {
  return job < forgotten_ ? nullptr : &arrivals_[job - forgotten_];
}

std::function<std::optional<ComingJob>()> Record::Arrivals(TimeNs now, simulate::Draw draw) const {
  auto days = std::make_shared<DrawnDays>(arrivals_, runs_, now, draw);
  return [days] { return days->Next(); };
}

}  // namespace muster::eta
