// ByteReader: the reading half of the object encoding (see byte_writer.h); a visitor for
// VisitFields.
//
// Trusts nothing: the first byte that ByteWriter would not have written makes ok() false for good,
// and from then on every read gives zeros. Memory stays proportional to the input.
#ifndef MUSTER_ENGINE_CODEC_BYTE_READER_H_
#define MUSTER_ENGINE_CODEC_BYTE_READER_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/base/index_in.h"
#include "engine/codec/byte_writer.h"
#include "engine/codec/fields.h"
#include "engine/codec/read_memory.h"
#include "engine/model/names.h"
#include "muster/object.h"
#include "muster/quantity.h"
#include "muster/shared_list.h"
#include "muster/shared_map.h"
#include "muster/text.h"

namespace muster {

class ByteReader {
 public:
  /// `memory`, if any, is that of all readers whose values may be the same memory.
  explicit ByteReader(std::string_view bytes, ReadMemory* memory = nullptr)
      : next_(bytes.data()), end_(bytes.data() + bytes.size()), memory_(memory) {}

  template <typename T>
  void operator()(const char*, T& member) {
    Read(member);
  }
  /// A UID is unique: it is not looked for among the words that came before. Inline, so that
  /// names are not compared while reading.
  [[gnu::always_inline]] void operator()(const char* name, Text& member) {
    const std::string_view words = Words();
    const bool asks = memory_ != nullptr && std::string_view(name) != "uid";
    member = asks ? memory_->texts().Get(words) : Text(words);
  }

  std::uint8_t Byte() {
    if (next_ == end_) return Fail();
    return static_cast<std::uint8_t>(*next_++);
  }
  /// Reads the version of the encoding; false unless it is one from `oldest` to `newest`. Without
  /// this call it is the newest.
  bool TakeVersion(int oldest, int newest) {
    version_ = Byte();
    return ok_ && version_ >= oldest && version_ <= newest;
  }
  /// Whether the encoding has the fields that came with this version.
  bool HasFieldsOf(int version) const { return version_ >= version; }
  bool ok() const { return ok_; }
  bool AtEnd() const { return next_ == end_; }

  /// What is left to read.
  std::string_view Rest() const { return {next_, Left()}; }
  /// So many bytes of it were recognised. Precondition: there are as many.
  void Skip(std::size_t bytes) { next_ += bytes; }
  /// A number of things that take at least one byte each.
  std::uint64_t Length() {
    const std::uint64_t length = Varint();
    if (length > Left()) return Fail();
    return length;
  }

 private:
  /// Lists grow by themselves beyond this many elements, so a lying length costs nothing.
  static constexpr std::uint64_t kMaxReserve = 16;

  std::uint8_t Fail() {
    ok_ = false;
    next_ = end_;
    return 0;
  }

  std::size_t Left() const { return static_cast<std::size_t>(end_ - next_); }

  std::uint64_t Varint() {
    if (next_ != end_ && static_cast<std::uint8_t>(*next_) < 0x80) return Byte();
    return LongVarint();
  }
  /// Most long ones are times, of nine or ten bytes: the first eight are read at once.
  std::uint64_t LongVarint() {
    constexpr std::uint64_t kMore = 0x8080808080808080u;
    std::uint64_t value = 0;
    int shift = 0;
    if (std::uint64_t eight = 0; std::endian::native == std::endian::little && Left() > 8) {
      std::memcpy(&eight, next_, sizeof(eight));
      if ((eight & kMore) == kMore) {
        value = WithoutTopBits(eight);
        shift = 56;
        next_ += sizeof(eight);
      }
    }
    for (; shift < 64; shift += 7) {
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

  /// Of each of eight bytes the lower seven bits, side by side.
  static std::uint64_t WithoutTopBits(std::uint64_t bytes) {
    bytes = (bytes & 0x007f007f007f007fu) | (bytes & 0x7f007f007f007f00u) >> 1;
    bytes = (bytes & 0x00003fff00003fffu) | (bytes & 0x3fff00003fff0000u) >> 2;
    return (bytes & 0x000000000fffffffu) | (bytes & 0x0fffffff00000000u) >> 4;
  }

  std::int64_t Integer() {
    const std::uint64_t coded = Varint();
    return static_cast<std::int64_t>((coded >> 1) ^ (0 - (coded & 1)));
  }

  std::string_view Words() {
    const auto length = static_cast<std::size_t>(Length());
    const std::string_view words(next_, length);
    next_ += length;
    return words;
  }

  void Read(std::string& text) { text = Words(); }

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

  void Read(Object& object) {
    if (!EmplaceAt(object, Byte())) {
      Fail();
      return;
    }
    std::visit([this](auto& spec) { VisitFields(*this, spec); }, object);
  }

  template <typename T>
  void Read(SharedList<T>& values) {
    ReadShared<std::vector<T>>(values);
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
    ReadShared<Map>(entries);
  }

  /// A list or map whose copies share their elements, by way of one that is not shared.
  template <typename Elements, typename Value>
  void ReadShared(Value& value) {
    if (next_ != end_ && *next_ == 0) {  // so are most
      ++next_;
      return value.clear();
    }
    if constexpr (ReadMemory::kKeeps<Value>) {
      if (memory_ != nullptr) return ReadKept<Elements>(memory_->Of<Value>(), value);
    }
    Elements read;
    Read(read);
    value = std::move(read);
  }

  template <typename Elements, typename Value>
  void ReadKept(RecentValues<Value>& recent, Value& value) {
    const std::string_view rest(next_, Left());
    if (const auto* known = recent.Find(rest)) {
      value = known->value;
      next_ += known->encoding.size();
      return;
    }
    Elements read;
    Read(read);
    value = std::move(read);
    if (ok_) recent.Remember(rest.substr(0, rest.size() - Left()), value);
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
  ReadMemory* memory_ = nullptr;
  int version_ = std::numeric_limits<int>::max();
  bool ok_ = true;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_BYTE_READER_H_
