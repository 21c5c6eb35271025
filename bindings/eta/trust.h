// How far estimates of waits can be trusted, and what they become when that is put right.
//
// Method: for every level the ratios of what jobs really waited to what was said, of the newest
// answers; the ratio at that level is what to multiply by (quantile-wise split conformal
// prediction, as in Romano, Patterson and Candes, 2019, on ratios instead of differences). When
// answers to come are like those before, each level then holds as often as it says.
#ifndef MUSTER_BINDINGS_ETA_TRUST_H_
#define MUSTER_BINDINGS_ETA_TRUST_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "bindings/eta/estimate.h"

namespace muster::eta {

class Trust {
 public:
  /// What was said, and what then came. O(1).
  void Learn(const Waits& said, DurationNs waited);
  /// `said`, mended by what was learnt; as it is while that is too little. O(answers log answers).
  Waits Mend(const Waits& said) const;
  /// Enough was learnt: Mend changes what was said.
  bool Speaks() const;

 private:
  std::array<std::deque<std::int64_t>, kLevels.size()> ratios_;  ///< in thousandths
};

/// Of waits that were told and came true or did not.
struct Score {
  std::size_t answers = 0;
  std::size_t in50 = 0, in90 = 0;          ///< within the 50 % and the 90 % interval
  std::size_t before50 = 0, before90 = 0;  ///< started before the p50, the p90
  DurationNs width50 = 0, width90 = 0;     ///< medians of the intervals' widths
  DurationNs bias = 0;  ///< median of the wait less its p50: above 0, jobs start later than told
};

struct Answered {
  Waits said{};
  DurationNs waited = 0;
};

/// O(answers log answers).
Score ScoreOf(std::span<const Answered> answers);

}  // namespace muster::eta

#endif  // MUSTER_BINDINGS_ETA_TRUST_H_
