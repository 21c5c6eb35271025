// Partial admission: with how many fewer pods could a workload start?
//
// Method: with delta_p = count_p - minCount_p and D the sum of them, a binary search over i in 0..D
// for the smallest i whose counts count_p - floor(delta_p * i / D) work. It assumes that fewer pods
// are never harder to place, and accepts only what it tried itself. Where that may not be assumed
// (Capacity::IsMonotone), every i is tried from 0 on.
#ifndef MUSTER_ENGINE_ASSIGN_PARTIAL_ADMISSION_H_
#define MUSTER_ENGINE_ASSIGN_PARTIAL_ADMISSION_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/state/workload_record.h"

namespace muster {

class PartialAdmission {
 public:
  explicit PartialAdmission(const SharedList<PodSetRequests>& pod_sets);

  /// Whether some podset may run with fewer pods than it asks for.
  bool Possible() const { return total_delta_ > 0; }
  /// The fewest pods that it may start with. Precondition: Possible.
  std::vector<std::int32_t> Fewest() const { return CountsAt(total_delta_); }

  using Works = std::function<bool(std::span<const std::int32_t>)>;
  /// Calls `works` with counts until the answer is known; true when the last call that returned
  /// true was for the fewest pods given up. Its side effects then are those of that call. O(log D)
  /// calls, and O(D) unless `monotone`.
  bool Search(const Works& works, bool monotone) const;

 private:
  bool SearchEach(const Works& works) const;
  std::vector<std::int32_t> CountsAt(std::int64_t i) const;

  std::vector<std::int32_t> counts_;
  std::vector<std::int32_t> deltas_;
  std::int64_t total_delta_ = 0;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_ASSIGN_PARTIAL_ADMISSION_H_
