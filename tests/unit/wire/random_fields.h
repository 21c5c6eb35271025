// Random commands and answers: every field of the lists, filled by its type.
#ifndef MUSTER_TESTS_UNIT_WIRE_RANDOM_FIELDS_H_
#define MUSTER_TESTS_UNIT_WIRE_RANDOM_FIELDS_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "bindings/wire/field_types.h"
#include "engine/base/index_in.h"

namespace muster::wire {

/// A visitor that gives a value to whatever it is shown.
class RandomFields {
 public:
  explicit RandomFields(std::uint64_t seed) : random_(seed) {}

  template <typename T>
  T Make() {
    T value{};
    Fill(value);
    return value;
  }

  template <typename T>
  void operator()(const char*, T& member) {
    if (Below(3) > 0) Fill(member);
  }
  void Time(const char*, TimeNs& member) { Fill(member); }
  void Duration(const char*, DurationNs& member) { member = AnyDuration(); }
  void Duration(const char*, std::optional<DurationNs>& member) { member = AnyDuration(); }

  std::size_t Below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

 private:
  DurationNs AnyDuration() {
    const DurationNs duration = Whole<DurationNs>();
    return duration == std::numeric_limits<DurationNs>::min() ? -1 : duration;
  }

  template <typename T>
  T Whole() {
    using Limits = std::numeric_limits<T>;
    switch (Below(5)) {
      case 0:
        return Limits::min();
      case 1:
        return Limits::max();
      case 2:
        return static_cast<T>(Below(100));
      default:
        return static_cast<T>(random_());
    }
  }

  std::string Words() {
    static constexpr std::string_view kPieces[] = {
        "a",    "train", "/",        "\"",           "\\",           "\n",
        "\x01", " ",     "\u00e4",   "\u20ac",       "\U0001F600",   "kubernetes.io/x",
        "\x7f", "0",     "{\"a\":1", "\xEF\xBB\xBF", "\xEF\xBF\xBF", "null"};
    std::string words;
    for (std::size_t n = Below(4); n > 0; --n) words += kPieces[Below(std::size(kPieces))];
    if (Below(50) == 0) words.push_back('\0');
    return words;
  }

  template <typename T>
  void Fill(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      value = Below(2) == 0;
    } else if constexpr (std::is_integral_v<T>) {
      value = Whole<T>();
    } else if constexpr (std::is_floating_point_v<T>) {
      const auto any = std::bit_cast<double>(static_cast<std::uint64_t>(random_()));
      value = std::isfinite(any) ? any : 0.1;
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(Below(WordsOf<T>().size()));
    } else if constexpr (WordMember<T>) {
      value = Words();
    } else if constexpr (std::is_same_v<T, Quantity>) {
      value = Below(2) == 0 ? Quantity::Milli(Whole<std::int64_t>())
                            : Quantity::FromNano(Quantity::Nano{Whole<std::int64_t>()} *
                                                 static_cast<std::int64_t>(Below(1000)));
    } else if constexpr (OptionalMember<T>) {
      Fill(value.emplace());
    } else if constexpr (MapMember<T>) {
      std::map<std::string, typename T::mapped_type, std::less<>> entries;
      for (std::size_t n = Below(3); n > 0; --n) Fill(entries[Words()]);
      value = std::move(entries);
    } else if constexpr (ListMember<T>) {
      std::vector<typename T::value_type> elements(Below(3));
      for (auto& element : elements) Fill(element);
      value = std::move(elements);
    } else if constexpr (Tagged<T>) {
      EmplaceAt(value, Below(std::variant_size_v<T>));
      std::visit([this](auto& each) { this->Fill(each); }, value);
    } else {
      VisitFields(*this, value);
    }
  }

  std::mt19937_64 random_;
};

}  // namespace muster::wire

#endif  // MUSTER_TESTS_UNIT_WIRE_RANDOM_FIELDS_H_
