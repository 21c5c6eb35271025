// Metrics: what an engine holds and what has happened, in the text format of Prometheus.
//
// Names and labels are Kueue's where Kueue has the metric, so its dashboards and alerts work; those
// of Muster alone begin with muster_. Gauges are read from the engine when they are asked for.
// Counters begin at 0 with the process, as Prometheus expects. Used by the thread that uses the
// engine.
#ifndef MUSTER_BINDINGS_METRICS_METRICS_H_
#define MUSTER_BINDINGS_METRICS_METRICS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/metrics/histogram.h"
#include "bindings/places/gangs.h"
#include "muster/engine.h"

namespace muster::metrics {

class Metrics {
 public:
  /// `version` is told by kueue_build_info.
  explicit Metrics(std::string version) : version_(std::move(version)) {}

  /// A cycle that took so many seconds; `engine` as it is after it. O(decisions).
  void NoteCycle(const CycleResult& cycle, double seconds, const Engine& engine);
  /// To be called before a command is carried out, for what it is about is known only then; the
  /// result is handed to NoteDone when it was. O(workloads of the command).
  std::vector<std::string> QueuesOf(const Command& command, const Engine& engine) const;
  void NoteDone(const Command& command, const Answer& answer,
                const std::vector<std::string>& queues);
  /// Each commit of the engine; without them the largest gangs stay as they were first told.
  void NoteCommit(const Commit& commit) { gangs_.Note(commit); }
  /// A call was answered so many seconds after the engine took it, its commit included.
  void NoteAnswered(double seconds) { answered_.Add(seconds); }

  /// Everything, in families. O(queues x pairs + LocalQueues + series), and what GangFollower takes
  /// for what was noted since the last time.
  std::string Text(const Engine& engine);

 private:
  /// Labels as they stand in the text, `cluster_queue="a",reason="b"`, to a count.
  using Counts = std::map<std::string, std::int64_t>;

  std::string version_;
  Histogram cycles_ = Histogram::OfSeconds();
  Histogram answered_ = Histogram::OfSeconds();
  std::int64_t cycles_with_admission_ = 0;
  std::int64_t cycles_without_admission_ = 0;
  Counts reserved_;
  Counts admitted_;
  Counts evicted_;
  Counts preempted_;
  Counts finished_;
  Counts policy_failures_;
  places::GangFollower gangs_;
  std::map<std::string, Histogram> waits_;  ///< until quota was reserved
};

}  // namespace muster::metrics

#endif  // MUSTER_BINDINGS_METRICS_METRICS_H_
