// What a ledger's calls teach: which workloads came when, and how long those that ended had run.
#ifndef MUSTER_BINDINGS_ETA_RECORD_H_
#define MUSTER_BINDINGS_ETA_RECORD_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <span>

#include "bindings/eta/forward.h"
#include "bindings/eta/run_times.h"
#include "bindings/simulate/past.h"
#include "bindings/simulate/variation.h"
#include "muster/engine.h"

namespace muster::eta {

/// A workload as it came.
struct Arrival {
  TimeNs at = kNoTime;
  Workload spec;  ///< without what has become of it
  Traits traits;
  DurationNs run = kForEver;  ///< kForEver: it has not ended yet
};

class Record {
 public:
  /// Where the history begins with a state: learns how long those ran that had ended by then, from
  /// their last start on. O(workloads).
  void Begin(const Engine& engine);
  /// Takes the events of one call at `at`, after which the engine was as `after`. `sink` is told
  /// what they mean for each job. O(events log jobs).
  void Note(const Engine& after, std::span<const Event> events, TimeNs at,
            const simulate::Observer::Sink& sink = {});

  const RunTimes& runs() const { return runs_; }
  const std::vector<simulate::JobPast>& jobs() const { return observer_.jobs(); }
  /// What came as `job`; null when that is longer ago than arrivals are remembered.
  const Arrival* ArrivalOf(std::size_t job) const;

  /// Workloads that may come from `now` on, as they came in the past: one day after another, each
  /// of them drawn. Days of the same weekday where three of it are remembered. Of less than a day
  /// that is remembered, all of it again and again. The record must outlive what is returned.
  /// Method: block bootstrap.
  std::function<std::optional<ComingJob>()> Arrivals(TimeNs now, simulate::Draw draw) const;

 private:
  RunTimes runs_;
  simulate::Observer observer_;
  std::deque<Arrival> arrivals_;  ///< of the newest jobs
  std::size_t forgotten_ = 0;     ///< jobs before the first of `arrivals_`
};

}  // namespace muster::eta

#endif  // MUSTER_BINDINGS_ETA_RECORD_H_
