// GangMeter: the largest gang of whole nodes that had a place in each level, over time.
#ifndef MUSTER_BINDINGS_SIMULATE_GANG_METER_H_
#define MUSTER_BINDINGS_SIMULATE_GANG_METER_H_

#include <cstddef>
#include <vector>

#include "bindings/simulate/simulate.h"
#include "muster/engine.h"

namespace muster::simulate {

class GangMeter {
 public:
  /// Looks at the middle of each of kSeriesParts parts of the time from `begin` to `last`.
  GangMeter(TimeNs begin, TimeNs last);

  /// Nothing changes in `engine` any more before `next`. O(1) unless a middle lies before it; else
  /// O(nodes x levels + pods placed) for each topology.
  void Pass(const Engine& engine, TimeNs next);

  /// By topology, then from the highest level on; a part in which a topology was not there has 0.
  std::vector<GangSeries> Finish();

 private:
  TimeNs MiddleOf(std::size_t part) const;
  void Look(const Engine& engine, std::size_t end);

  const TimeNs begin_, last_;
  std::size_t part_ = 0;  ///< the first that was not looked at
  std::vector<GangSeries> gangs_;
};

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_SIMULATE_GANG_METER_H_
