// Arithmetic on amounts: int64 base units that saturate, with one value that stands for "no end".
//
// kUnlimited is the largest int64; a quota that reaches it means "as much as may be asked for".
// Nothing here ever wraps, so sums up a cohort tree need no check of their own. All O(1).
#ifndef MUSTER_ENGINE_BASE_AMOUNT_H_
#define MUSTER_ENGINE_BASE_AMOUNT_H_

#include <cstdint>
#include <limits>
#include <string_view>

#include "muster/quantity.h"
#include "muster/types.h"

namespace muster {

inline constexpr Amount kMinAmount = std::numeric_limits<Amount>::min();

/// a + b, cut at the ends of int64; Unlimited plus anything is Unlimited.
constexpr Amount Add(Amount a, Amount b) {
  if (a == kUnlimited || b == kUnlimited) return kUnlimited;
  Amount sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? kMinAmount : kUnlimited;
}

/// a - b, cut at the ends of int64. Unlimited - Unlimited = 0; Unlimited - x = Unlimited;
/// x - Unlimited = kMinAmount.
constexpr Amount Sub(Amount a, Amount b) {
  if (a == kUnlimited) return b == kUnlimited ? 0 : kUnlimited;
  if (b == kUnlimited) return kMinAmount;
  Amount difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return a < 0 ? kMinAmount : kUnlimited;
}

/// a * k, cut at the ends of int64; used for "per pod times pods".
constexpr Amount Mul(Amount a, std::int64_t k) {
  Amount product = 0;
  if (!__builtin_mul_overflow(a, k, &product)) return product;
  return (a < 0) == (k < 0) ? kUnlimited : kMinAmount;
}

/// A declared quota in base units of `resource`; kUnlimited when it reaches the largest amount (for
/// cpu from MaxInt64 / 1000 cores on).
inline Amount QuotaAmount(std::string_view resource, Quantity q) { return q.ToAmount(resource); }

/// An amount of `resource` in natural units: the inverse of Quantity::ToAmount.
inline Quantity QuantityOf(std::string_view resource, Amount amount) {
  return resource == "cpu" ? Quantity::Milli(amount) : Quantity::Units(amount);
}

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_AMOUNT_H_
