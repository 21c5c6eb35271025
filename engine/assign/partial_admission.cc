// The lower-bound search of partial admission.
#include "engine/assign/partial_admission.h"

#include <utility>

namespace muster {

PartialAdmission::PartialAdmission(const SharedList<PodSetRequests>& pod_sets) {
  for (const PodSetRequests& pod_set : pod_sets) {
    const bool reducible = pod_set.min_count > 0 && pod_set.min_count < pod_set.count;
    counts_.push_back(pod_set.count);
    deltas_.push_back(reducible ? pod_set.count - pod_set.min_count : 0);
    total_delta_ += deltas_.back();
  }
}

std::vector<std::int32_t> PartialAdmission::CountsAt(std::int64_t i) const {
  std::vector<std::int32_t> counts = counts_;
  for (std::size_t p = 0; p < counts.size(); ++p) {
    counts[p] -= static_cast<std::int32_t>(deltas_[p] * i / total_delta_);
  }
  return counts;
}

bool PartialAdmission::SearchEach(const Works& works) const {
  std::vector<std::int32_t> before;
  for (std::int64_t i = 0; i <= total_delta_; ++i) {
    std::vector<std::int32_t> counts = CountsAt(i);
    if (counts == before) continue;
    if (works(counts)) return true;
    before = std::move(counts);
  }
  return false;
}

bool PartialAdmission::Search(const Works& works, bool monotone) const {
  if (!monotone) return SearchEach(works);
  std::int64_t low = 0;
  std::int64_t high = total_delta_ + 1;
  std::int64_t last_good = -1;  // the latest i that worked
  std::int64_t last_tried = -1;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    last_tried = middle;
    if (works(CountsAt(middle))) {
      last_good = middle;
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  if (last_good != low) return false;
  // A later, failed probe may have overwritten what the good one left behind.
  return last_tried == last_good || works(CountsAt(last_good));
}

}  // namespace muster
