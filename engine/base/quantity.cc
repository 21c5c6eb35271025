// Quantity: parsing, exact products, rounding to amounts, printing.
//
// Parsing needs no big numbers: the integer part saturates, and the fraction is folded in from its
// last digit with Horner's rule, remembering whether anything was cut off.
#include "muster/quantity.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>

#include "engine/base/amount.h"
#include "engine/base/ascii.h"

namespace muster {
namespace {

__extension__ typedef unsigned __int128 Magnitude;

constexpr Magnitude kNanoPerUnit = 1'000'000'000;
constexpr Magnitude kMaxNano = Magnitude{std::numeric_limits<std::int64_t>::max()} * kNanoPerUnit;

/// What stands behind the digits: value = digits * 10^decimal * 2^binary.
struct Scale {
  int decimal = 0;
  int binary = 0;
};

struct Suffix {
  std::string_view text;
  Scale scale;
};

constexpr Suffix kDecimalSuffixes[] = {
    {"E", {18, 0}}, {"P", {15, 0}}, {"T", {12, 0}}, {"G", {9, 0}},  {"M", {6, 0}},
    {"k", {3, 0}},  {"", {0, 0}},   {"m", {-3, 0}}, {"u", {-6, 0}}, {"n", {-9, 0}}};
constexpr Suffix kBinarySuffixes[] = {{"Ei", {0, 60}}, {"Pi", {0, 50}}, {"Ti", {0, 40}},
                                      {"Gi", {0, 30}}, {"Mi", {0, 20}}, {"Ki", {0, 10}}};

// Exponents beyond this give the largest or the smallest quantity anyway.
constexpr int kMaxExponent = 1'000'000;

std::optional<Scale> ParseExponent(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || !std::all_of(text.begin(), text.end(), IsDigit)) return std::nullopt;
  int exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc() || exponent > kMaxExponent) exponent = kMaxExponent;
  return Scale{negative ? -exponent : exponent, 0};
}

std::optional<Scale> ParseSuffix(std::string_view text) {
  for (const Suffix& s : kDecimalSuffixes) {
    if (s.text == text) return s.scale;
  }
  for (const Suffix& s : kBinarySuffixes) {
    if (s.text == text) return s.scale;
  }
  if (text.starts_with('e') || text.starts_with('E')) return ParseExponent(text.substr(1));
  return std::nullopt;
}

/// Digits without their point: value = 0.d1 d2 d3 ... * 10^point.
struct Decimal {
  std::string digits;
  long point = 0;
  Magnitude Digit(long i) const {
    return static_cast<Magnitude>(digits[static_cast<std::size_t>(i)] - '0');
  }
};

/// Whole units in front of the point, times `factor`, in nano; saturates at kMaxNano.
Magnitude WholeNano(const Decimal& d, Magnitude factor) {
  const Magnitude limit = kMaxNano / kNanoPerUnit / factor;
  Magnitude whole = 0;
  for (long i = 0; i < d.point; ++i) {
    const bool given = i < static_cast<long>(d.digits.size());
    if (!given && whole == 0) break;
    whole = whole * 10 + (given ? d.Digit(i) : 0);
    if (whole > limit) return kMaxNano;
  }
  return whole * factor * kNanoPerUnit;
}

/// What stands behind the point, times `factor`, in nano, rounded up.
Magnitude FractionNano(const Decimal& d, Magnitude factor) {
  const Magnitude unit = kNanoPerUnit * factor;
  Magnitude value = 0;
  bool cut = false;
  const long first = std::max(d.point, 0L);
  for (long i = static_cast<long>(d.digits.size()) - 1; i >= first; --i) {
    value += d.Digit(i) * unit;
    cut = cut || value % 10 != 0;
    value /= 10;
  }
  for (long i = d.point; i < 0 && value != 0; ++i) {
    cut = cut || value % 10 != 0;
    value /= 10;
  }
  return cut ? value + 1 : value;
}

Magnitude Abs(Quantity::Nano n) {
  return n < 0 ? Magnitude{0} - static_cast<Magnitude>(n) : static_cast<Magnitude>(n);
}

/// floor(n / d) for d > 0, also for negative n.
Quantity::Nano FloorDivide(Quantity::Nano n, Quantity::Nano d) {
  const Quantity::Nano q = n / d;
  return n % d < 0 ? q - 1 : q;
}

template <typename Value>
std::string Digits(Value value) {
  std::string text;
  do {
    text.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  std::reverse(text.begin(), text.end());
  return text;
}

struct Unit {
  std::string_view suffix;
  std::uint64_t size;
};

// Largest first: printing takes the first that divides.
constexpr Unit kDecimalUnits[] = {{"E", 1'000'000'000'000'000'000},
                                  {"P", 1'000'000'000'000'000},
                                  {"T", 1'000'000'000'000},
                                  {"G", 1'000'000'000},
                                  {"M", 1'000'000},
                                  {"k", 1'000}};
constexpr Unit kBinaryUnits[] = {{"Ei", 1ull << 60}, {"Pi", 1ull << 50}, {"Ti", 1ull << 40},
                                 {"Gi", 1ull << 30}, {"Mi", 1ull << 20}, {"Ki", 1ull << 10}};
constexpr Unit kFractions[] = {{"m", 1'000'000}, {"u", 1'000}, {"n", 1}};

/// `value` in the largest of `units` that divides it, without a suffix if none does.
template <typename Value>
std::string WithSuffix(Value value, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    if (value % unit.size == 0) return Digits(value / unit.size).append(unit.suffix);
  }
  return Digits(value);
}

bool CountsBytes(std::string_view resource) {
  return resource == "memory" || resource == "storage" || resource == "ephemeral-storage" ||
         resource.starts_with("hugepages-");
}

}  // namespace

std::optional<Quantity> Quantity::Parse(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  Decimal d;
  std::size_t i = 0;
  bool point_seen = false;
  for (; i < text.size() && (IsDigit(text[i]) || (text[i] == '.' && !point_seen)); ++i) {
    if (text[i] == '.') {
      point_seen = true;
      continue;
    }
    d.digits.push_back(text[i]);
    if (!point_seen) ++d.point;
  }
  if (d.digits.empty()) return std::nullopt;
  const std::optional<Scale> scale = ParseSuffix(text.substr(i));
  if (!scale) return std::nullopt;

  d.point += scale->decimal;
  const Magnitude factor = Magnitude{1} << scale->binary;
  Magnitude nano = WholeNano(d, factor);
  if (nano < kMaxNano) nano += FractionNano(d, factor);
  const Nano magnitude = static_cast<Nano>(std::min(nano, kMaxNano));
  return FromNano(negative ? -magnitude : magnitude);
}

Amount Quantity::ToAmount(std::string_view resource) const {
  const Nano unit = resource == "cpu" ? kNano / 1000 : kNano;
  const Nano amount = -FloorDivide(-nano_, unit);
  if (amount >= Nano{kUnlimited}) return kUnlimited;
  if (amount <= Nano{kMinAmount}) return kMinAmount;
  return static_cast<Amount>(amount);
}

std::string Quantity::ToString() const {
  const Magnitude nano = Abs(nano_);
  if (nano == 0) return "0";
  const std::string sign = nano_ < 0 ? "-" : "";
  if (nano % kNanoPerUnit != 0) return sign + WithSuffix(nano, kFractions);
  const auto units = static_cast<std::uint64_t>(nano / kNanoPerUnit);
  const std::string decimal = WithSuffix(units, kDecimalUnits);
  const std::string binary = WithSuffix(units, kBinaryUnits);
  return sign + (binary.size() < decimal.size() ? binary : decimal);
}

Quantity operator*(Quantity a, Quantity b) {
  // a = whole + rest / 1e9, so a * b = whole * b + rest * b / 1e9 and nothing exceeds 128 bits.
  const Magnitude x = Abs(a.nano_);
  const Magnitude y = Abs(b.nano_);
  const Magnitude whole = x / kNanoPerUnit;
  const Magnitude rest = x % kNanoPerUnit;
  Magnitude product = kMaxNano;
  if (whole == 0 || y <= kMaxNano / whole) {
    product = whole * y + (rest * y + kNanoPerUnit - 1) / kNanoPerUnit;
  }
  const auto nano = static_cast<Quantity::Nano>(std::min(product, kMaxNano));
  return Quantity::FromNano((a.nano_ < 0) == (b.nano_ < 0) ? nano : -nano);
}

std::string FormatAmount(std::string_view resource, Amount amount) {
  if (amount == kUnlimited) return "unlimited";
  if (amount == 0) return "0";
  const std::string sign = amount < 0 ? "-" : "";
  const auto value = static_cast<std::uint64_t>(Abs(Quantity::Nano{amount}));
  if (resource == "cpu")
    return sign + (value % 1000 == 0 ? Digits(value / 1000) : Digits(value) + "m");
  if (!CountsBytes(resource)) return sign + Digits(value);
  const bool binary = value % kBinaryUnits[std::size(kBinaryUnits) - 1].size == 0;
  return sign + (binary ? WithSuffix(value, kBinaryUnits) : WithSuffix(value, kDecimalUnits));
}

}  // namespace muster
