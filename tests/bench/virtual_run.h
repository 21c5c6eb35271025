// VirtualRun: plays an ArrivalSet in virtual time. Everything due at an instant is reported, then
// cycles of no duration run until no queue has a head left; a victim leaves at once and queues
// again; then time jumps to the next arrival or ending.
#ifndef MUSTER_TESTS_BENCH_VIRTUAL_RUN_H_
#define MUSTER_TESTS_BENCH_VIRTUAL_RUN_H_

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "muster/engine.h"
#include "tests/bench/arrival_set.h"

namespace muster::bench {

class VirtualRun {
 public:
  struct Wait {
    double seconds = 0;  ///< sum over workloads, from creation to their first admission
    std::int64_t workloads = 0;
  };

  /// Both must outlive the run; `engine` holds the objects of the set.
  VirtualRun(Engine& engine, const ArrivalSet& set);
  void Play();

  double makespan_seconds() const;
  /// What the makespan could be at best: after whatever moment one looks, all quota has to do at
  /// least what arrives from then on, and the runs that start from then on and are cut short.
  double bound_seconds() const;
  std::int64_t admissions() const { return admissions_; }  ///< restarts included
  std::int64_t preemptions() const { return preemptions_; }
  std::int64_t cycles() const { return cycle_; }
  const std::map<std::string, Wait>& waits() const { return waits_; }  ///< by workload class

 private:
  struct Run {
    TimeNs started = kNoTime;  ///< last admission
    int starts = 0;            ///< an ending of an earlier start is void
  };
  /// When, which workload, which of its starts.
  using Ending = std::tuple<TimeNs, std::size_t, int>;

  void Report();
  void Decide();
  void Started(const Key& key);
  void Preempted(const Key& key);

  Engine& engine_;
  const ArrivalSet& set_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<Run> runs_;
  std::vector<Ending> endings_;  ///< a heap, earliest first
  std::size_t next_arrival_ = 0;
  std::size_t finished_ = 0;
  TimeNs now_ = 0;
  std::int64_t cycle_ = 0;
  /// Since when it could be done, and how much: units times nanoseconds.
  std::vector<std::pair<TimeNs, std::int64_t>> work_;
  std::int64_t admissions_ = 0;
  std::int64_t preemptions_ = 0;
  std::map<std::string, Wait> waits_;
};

}  // namespace muster::bench

#endif  // MUSTER_TESTS_BENCH_VIRTUAL_RUN_H_
