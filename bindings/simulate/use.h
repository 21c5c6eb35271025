// UseMeter: how much of one resource each ClusterQueue uses, over time.
#ifndef MUSTER_BINDINGS_SIMULATE_USE_H_
#define MUSTER_BINDINGS_SIMULATE_USE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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

/// `amount` of the resource in units of which people speak: cores, not thousandths.
double UnitsOf(std::string_view resource, Amount amount);

class UseMeter {
 public:
  /// What happens from `begin` to `last` is added up.
  UseMeter(std::string resource, TimeNs begin, TimeNs last);
  /// From now on these are the ClusterQueues and their quotas; what is charged stays. One that is
  /// not among them has no quota any more.
  void SetQueues(std::span<const ClusterQueueView> queues);

  /// Of an admission to that ClusterQueue, as IndexOf has it.
  std::vector<Holding> HoldingsOf(std::int32_t queue, const Admission& admission) const;
  std::int32_t IndexOf(std::string_view cluster_queue) const;  ///< -1: there is none
  void Charge(std::span<const Holding> holdings);
  void Release(std::span<const Holding> holdings);
  /// A job of that ClusterQueue that had `ran` is evicted, and does `lost` of it again.
  void Evict(std::int32_t queue, std::span<const Holding> holdings, std::string_view cause,
             DurationNs ran, DurationNs lost);
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
  Cell& CellOf(std::size_t queue, std::string_view flavor);
  /// Finds a name without a copy of it.
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>()(text);
    }
  };
  /// Adds up what a cell used until now. O(parts of the series in that time).
  void Settle(Cell& cell);

  const std::string resource_;
  const TimeNs begin_, last_;
  TimeNs now_;
  std::vector<QueueUse> queues_;
  std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>> index_;  ///< by name
  std::vector<Cell> cells_;
  std::vector<std::vector<std::size_t>> cells_of_;  ///< by queue, places in `cells_`
};

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_SIMULATE_USE_H_
