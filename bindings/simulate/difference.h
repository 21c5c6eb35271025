// Whether one policy is better than another by more than chance: figures of both on the same
// variations of a log, and the interval of their mean difference.
#ifndef MUSTER_BINDINGS_SIMULATE_DIFFERENCE_H_
#define MUSTER_BINDINGS_SIMULATE_DIFFERENCE_H_

#include <span>
#include <string>
#include <vector>

#include "bindings/simulate/figures.h"

namespace muster::simulate {

struct Difference {
  std::string figure;        ///< "waitMean", "waitP90", "slowdownMean", "utilisation", "lostHours"
  double mean = 0;           ///< of other - base
  double low = 0, high = 0;  ///< nine of ten means of drawn variations lie between
  /// 0 is not between them.
  bool beyond_noise() const { return low > 0 || high < 0; }
};

/// `base` and `other` are reports of the same variations, in the same order; at least two. Method:
/// paired bootstrap of the mean, 2,000 times, from a fixed seed. O(variations).
std::vector<Difference> Differences(std::span<const Report> base, std::span<const Report> other);

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_SIMULATE_DIFFERENCE_H_
