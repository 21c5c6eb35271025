// Quantity: an exact decimal amount as Kubernetes manifests write it ("500m", "1Gi", "2e3").
//
// Held as a 128-bit integer count of 1e-9 units, the finest step the grammar knows, so sums over
// containers are exact and rounding happens once, when the engine turns the sum into an Amount.
// Values are clamped to +-(2^63 - 1) whole units, as the Kubernetes API does.
#ifndef MUSTER_QUANTITY_H_
#define MUSTER_QUANTITY_H_

#include <compare>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "muster/types.h"

namespace muster {

/// Neither a fraction, which would be cut off without a word, nor a truth value.
template <typename Number>
concept WholeNumber = std::integral<Number> && !std::same_as<Number, bool>;

class Quantity {
 public:
  __extension__ typedef __int128 Nano;

  constexpr Quantity() = default;
  /// Whole numbers of any width, clamped; a fraction does not compile: write Milli(500) for a half.
  template <WholeNumber Number>
  static constexpr Quantity Units(Number units) {
    return Quantity(Clamp(Nano{units} * kNano));
  }
  template <WholeNumber Number>
  static constexpr Quantity Milli(Number milli) {
    return Quantity(Clamp(Nano{milli} * (kNano / 1000)));
  }
  template <typename Number>
  requires WholeNumber<Number> || std::same_as<Number, Nano>
  static constexpr Quantity FromNano(Number nano) { return Quantity(Clamp(nano)); }

  /// Parses the Kubernetes grammar: decimal number, then nothing, an exponent (e3, E-3), a decimal
  /// suffix (n u m k M G T P E) or a binary one (Ki Mi Gi Ti Pi Ei). Digits finer than 1e-9 round
  /// away from zero. nullopt when `text` is not a quantity.
  static std::optional<Quantity> Parse(std::string_view text);

  constexpr Nano nano() const { return nano_; }
  constexpr bool IsNegative() const { return nano_ < 0; }
  constexpr bool IsZero() const { return nano_ == 0; }

  /// Base units of `resource` (milli for "cpu", whole units otherwise), rounded up, clamped to
  /// the int64 range.
  Amount ToAmount(std::string_view resource) const;
  /// Shortest canonical text, e.g. "500m", "3", "1Gi".
  std::string ToString() const;

  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity(Clamp(a.nano_ + b.nano_));
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity(Clamp(a.nano_ - b.nano_));
  }
  /// Exact product cut at 1e-9, away from zero, clamped.
  friend Quantity operator*(Quantity a, Quantity b);
  constexpr auto operator<=>(const Quantity&) const = default;

 private:
  static constexpr Nano kNano = 1'000'000'000;
  static constexpr Nano kMax = Nano{std::numeric_limits<std::int64_t>::max()} * kNano;
  static constexpr Nano Clamp(Nano n) { return n > kMax ? kMax : n < -kMax ? -kMax : n; }
  explicit constexpr Quantity(Nano nano) : nano_(nano) {}
  Nano nano_ = 0;
};

/// The human form of an internal amount: cpu 1500 -> "1500m", memory 1073741824 -> "1Gi".
std::string FormatAmount(std::string_view resource, Amount amount);
template <std::floating_point Fraction>
std::string FormatAmount(std::string_view resource, Fraction amount) = delete;

/// Resource name -> quantity, sorted by name.
using ResourceList = std::map<std::string, Quantity, std::less<>>;

}  // namespace muster

#endif  // MUSTER_QUANTITY_H_
