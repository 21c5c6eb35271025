// ByteReader: the reading half of the object encoding (see byte_writer.h); a visitor for
// VisitFields.
//
// Trusts nothing: the first byte that ByteWriter would not have written makes ok() false for good,
// and from then on every read gives zeros. Memory stays proportional to the input.
#ifndef MUSTER_ENGINE_MODEL_BYTE_READER_H_
#define MUSTER_ENGINE_MODEL_BYTE_READER_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/model/byte_writer.h"
#include "engine/model/fields.h"
#include "engine/model/names.h"
#include "muster/quantity.h"
#include "muster/shared_list.h"
#include "muster/shared_map.h"
#include "muster/text.h"

namespace muster {

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes)
      : next_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  template <typename T>
  void operator()(const char*, T& member) {
    Read(member);
  }

  std::uint8_t Byte() {
    if (next_ == end_) return Fail();
    return static_cast<std::uint8_t>(*next_++);
  }
  bool ok() const { return ok_; }
  bool AtEnd() const { return next_ == end_; }

 private:
  /// Lists grow by themselves beyond this many elements, so a lying length costs nothing.
  static constexpr std::uint64_t kMaxReserve = 16;

  std::uint8_t Fail() {
    ok_ = false;
    next_ = end_;
    return 0;
  }

  std::uint64_t Varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint8_t byte = Byte();
      if (shift == 63 && byte > 1) return Fail();
      value |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) {
        const bool padded = byte == 0 && shift > 0;  // a shorter form exists
        return padded ? Fail() : value;
      }
    }
    return Fail();
  }

  std::int64_t Integer() {
    const std::uint64_t coded = Varint();
    return static_cast<std::int64_t>((coded >> 1) ^ (0 - (coded & 1)));
  }

  /// A number of things that take at least one byte each.
  std::uint64_t Length() {
    const std::uint64_t length = Varint();
    if (length > static_cast<std::uint64_t>(end_ - next_)) return Fail();
    return length;
  }

  void Read(std::string& text) {
    const std::uint64_t length = Length();
    text.assign(next_, static_cast<std::size_t>(length));
    next_ += length;
  }

  void Read(Text& text) {
    const std::uint64_t length = Length();
    text = std::string_view(next_, static_cast<std::size_t>(length));
    next_ += length;
  }

  void Read(bool& value) {
    const std::uint8_t byte = Byte();
    value = byte == 1;
    if (byte > 1) Fail();
  }

  void Read(double& value) {
    std::uint64_t bits = 0;
    for (int shift = 0; shift < 64; shift += 8) bits |= std::uint64_t{Byte()} << shift;
    value = std::bit_cast<double>(bits);
  }

  void Read(Quantity& quantity) {
    const std::uint8_t unit = Byte();
    if (unit == static_cast<std::uint8_t>(QuantityUnit::kUnits)) {
      quantity = Quantity::FromNano(Quantity::Nano{Integer()} * 1'000'000'000);
    } else if (unit == static_cast<std::uint8_t>(QuantityUnit::kMilli)) {
      quantity = Quantity::Milli(Integer());
    } else if (unit == static_cast<std::uint8_t>(QuantityUnit::kNano)) {
      const std::uint64_t low = Varint();
      const std::int64_t high = Integer();
      if (high < -kMaxHigh || high > kMaxHigh) Fail();
      if (ok_) quantity = Quantity::FromNano(high * kTwoTo64 + low);
    } else {
      Fail();
    }
  }

  template <typename T>
  void Read(std::optional<T>& value) {
    bool present = false;
    Read(present);
    if (present) Read(value.emplace());
  }

  template <typename T>
  void Read(std::vector<T>& values) {
    const std::uint64_t length = Length();
    values.clear();  // a default need not be empty
    values.reserve(static_cast<std::size_t>(std::min(length, kMaxReserve)));
    for (std::uint64_t i = 0; i < length && ok_; ++i) Read(values.emplace_back());
  }

  template <typename T>
  void Read(SharedList<T>& values) {
    std::vector<T> read;
    Read(read);
    values = std::move(read);
  }

  template <typename T>
  void Read(std::map<std::string, T, std::less<>>& entries) {
    const std::uint64_t length = Length();
    entries.clear();
    std::string key;
    for (std::uint64_t i = 0; i < length && ok_; ++i) {
      Read(key);
      if (!entries.empty() && key <= entries.rbegin()->first) {
        Fail();
        return;
      }
      Read(entries.emplace_hint(entries.end(), std::move(key), T{})->second);
    }
  }

  template <typename Map>
  void Read(SharedMap<Map>& entries) {
    Map read;
    Read(read);
    entries = std::move(read);
  }

  template <typename T>
  void Read(T& value) {
    if constexpr (std::is_enum_v<T>) {
      const std::uint8_t byte = Byte();
      value = static_cast<T>(byte);
      if (byte >= EnumTable<T>::kNames.size()) {
        value = T{};
        Fail();
      }
    } else if constexpr (std::is_integral_v<T>) {
      const std::int64_t wide = Integer();
      value = static_cast<T>(wide);
      if (wide != value) Fail();
    } else {
      VisitFields(*this, value);
    }
  }

  static constexpr Quantity::Nano kTwoTo64 = Quantity::Nano{1} << 64;
  static constexpr std::int64_t kMaxHigh = std::int64_t{1} << 30;  ///< quantities stay below 2^94

  const char* next_;
  const char* end_;
  bool ok_ = true;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_BYTE_READER_H_
