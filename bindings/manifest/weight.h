// Fair-sharing weights: a quantity in manifests, a double in the engine, exact both ways.
#ifndef MUSTER_BINDINGS_MANIFEST_WEIGHT_H_
#define MUSTER_BINDINGS_MANIFEST_WEIGHT_H_

#include <cmath>
#include <cstdint>

#include "muster/quantity.h"

namespace muster::manifest {

inline constexpr double kNanoPerUnit = 1e9;

inline double WeightOf(Quantity quantity) {
  return static_cast<double>(quantity.nano()) / kNanoPerUnit;
}

/// The quantity that WeightOf turns into `weight`, which came from there. The whole part and the
/// rest are converted apart: their sum in billionths may need more digits than a double has.
inline Quantity QuantityOf(double weight) {
  const double whole = std::trunc(weight);
  const auto rest = static_cast<std::int64_t>(std::llround((weight - whole) * kNanoPerUnit));
  return Quantity::Units(static_cast<std::int64_t>(whole)) + Quantity::FromNano(rest);
}

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_WEIGHT_H_
