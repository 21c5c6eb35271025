// Shadow: what a candidate would have decided, beside what was decided, cycle by cycle.
//
// Method: before a cycle decides, its steps are taken once more with the candidate in the place of
// the generation of its package, on the same state and with the heads that the candidate would
// choose; everything tried is taken back. The difference is counted and the first ones are kept.
// A cycle that has more to look at than a limit is skipped and counted, so the cost is bounded.
#ifndef MUSTER_ENGINE_CYCLE_SHADOW_H_
#define MUSTER_ENGINE_CYCLE_SHADOW_H_

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/cycle/entry.h"
#include "engine/policy/policy_table.h"
#include "engine/state/world.h"
#include "muster/views.h"

namespace muster {

class Shadow {
 public:
  static constexpr std::size_t kMostItems = 20'000;  ///< waiting in the queues of one cycle
  static constexpr std::size_t kSamples = 20;

  explicit Shadow(std::shared_ptr<Policy> candidate);

  /// Decides as the candidate would. `entries` are the heads about to be decided about. Leaves the
  /// world as it was.
  void Foresee(World& world, const PolicyTable& active, const std::vector<Entry>& entries);
  /// Compares with what was decided about them, and forgets what was foreseen.
  void Compare(const World& world, const std::vector<Entry>& entries);
  const ShadowReport& report() const { return report_; }

 private:
  struct Decisions {
    std::vector<std::string> heads;  ///< in the order of their queues
    std::set<std::string> admitted;
    std::set<std::pair<std::string, std::string>> victims;  ///< with their preemptors
  };
  static Decisions DecisionsOf(const World& world, const std::vector<Entry>& entries);
  void Sample(const World& world, std::string what, std::string active, std::string candidate);

  std::shared_ptr<Policy> candidate_;
  ShadowReport report_;
  bool foreseen_ = false;
  Decisions expected_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_SHADOW_H_
