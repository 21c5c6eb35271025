// UseMeter: how much of one resource each ClusterQueue uses, over time.
#ifndef MUSTER_BINDINGS_SIMULATE_USE_H_
#define MUSTER_BINDINGS_SIMULATE_USE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/simulate/simulate.h"
#include "muster/views.h"
#include "muster/workload.h"

namespace muster::simulate {

/// What one job is charged in one (ClusterQueue, flavor).
struct Holding {
  std::size_t cell = 0;
  double units = 0;
};

class UseMeter {
 public:
  /// Use is added up from `begin` to `last`; what is lost, always.
  UseMeter(std::string resource, std::span<const ClusterQueueView> queues, TimeNs begin,
           TimeNs last);

  std::vector<Holding> HoldingsOf(const Admission& admission) const;
  std::int32_t IndexOf(std::string_view cluster_queue) const;  ///< -1: there is none
  void Charge(std::span<const Holding> holdings);
  void Release(std::span<const Holding> holdings);
  /// Work of so long has to be done again.
  void Lose(std::span<const Holding> holdings, DurationNs work);
  /// Time passes until `now`; what is charged from then on is charged since then. O(1).
  void Pass(TimeNs now) { now_ = now; }
  /// What was used, by name of the ClusterQueue.
  std::vector<QueueUse> Finish();

 private:
  struct Cell {
    std::size_t queue = 0;
    std::string flavor;
    double nominal = 0;
    double used = 0;
    TimeNs since = kNoTime;  ///< `used` has been that much
  };
  /// Adds up what a cell used until now. O(parts of the series in that time).
  void Settle(Cell& cell);

  const std::string resource_;
  const TimeNs begin_, last_;
  TimeNs now_;
  std::vector<QueueUse> queues_;
  std::vector<Cell> cells_;  ///< by queue
};

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_SIMULATE_USE_H_
