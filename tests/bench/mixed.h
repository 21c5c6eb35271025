// A mixed input that looks like life: 300 queues in three trees of cohorts, 20 different offers
// of 3 flavors, two thirds of them with several; jobs of 200 shapes with labels, node selectors and
// tolerations; 100 PolicyBindings. A little more arrives than the quota takes.
//
// Gateway makes the calls of one on it: each round jobs arrive, a cycle runs, pods of the preempted
// vanish, and what has run long enough ends.
#ifndef MUSTER_TESTS_BENCH_MIXED_H_
#define MUSTER_TESTS_BENCH_MIXED_H_

#include <cstdint>
#include <deque>
#include <set>
#include <vector>

#include "muster/engine.h"
#include "tests/bench/worlds.h"

namespace muster::bench {

inline constexpr int kMixedQueues = 300;
inline constexpr int kMixedOffers = 20;
inline constexpr int kMixedShapes = 200;
inline constexpr int kMixedBindings = 100;

/// Flavors, cohorts, queues, bindings to the package deadline-aware. Only the newest
/// finished jobs are kept.
std::vector<Object> MixedObjects();

/// Job `number`, the same on every call: its shape, queue, priority and labels follow from it.
Workload MixedJob(std::int64_t number, TimeNs created);

/// Puts the policy of the bindings to work, or none.
void DecideMixedBy(Decider decider, Engine& engine, TimeNs now);

class Gateway {
 public:
  /// `engine` holds the objects and must outlive the gateway; in each round so many jobs arrive.
  Gateway(Engine& engine, int jobs_a_round);

  /// Makes what the next round will report, so that a round is calls alone.
  void Prepare();
  /// The calls of one round. Never inlined, so that what it costs can be counted.
  [[gnu::noinline]] void Round();
  /// Rounds until as much ends as arrives.
  void Settle();

  std::int64_t admitted() const { return admitted_; }    ///< so far
  std::int64_t preempted() const { return preempted_; }  ///< so far

 private:
  /// Whether the start was ended by a preemption, which is forgotten then.
  bool WasStopped(const Key& key);

  static constexpr std::size_t kRoundsAJob = 12;

  Engine& engine_;
  int jobs_a_round_;
  TimeNs now_;
  std::int64_t made_ = 0;
  std::int64_t admitted_ = 0;
  std::int64_t preempted_ = 0;
  std::vector<Workload> arriving_;
  std::vector<Key> ending_;
  std::deque<std::vector<Key>> running_;  ///< by the round of their start, oldest first
  std::multiset<Key> stopped_;            ///< starts among them that a preemption ended
};

}  // namespace muster::bench

#endif  // MUSTER_TESTS_BENCH_MIXED_H_
