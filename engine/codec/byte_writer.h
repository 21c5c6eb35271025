// ByteWriter: the writing half of the object encoding; a visitor for VisitFields.
//
// Integers: zigzag, 7 bits a byte, lowest first. Text, lists, maps: length, then contents.
// Optional: one byte 0 or 1 first. Enum, bool: one byte. Double: 8 bytes, lowest first. Quantity:
// one byte for the coarsest of units, milli and nano that is exact, then the count (nano: low and
// high half).
#ifndef MUSTER_ENGINE_CODEC_BYTE_WRITER_H_
#define MUSTER_ENGINE_CODEC_BYTE_WRITER_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/codec/byte_buffer.h"
#include "engine/codec/fields.h"
#include "engine/codec/written_memory.h"
#include "engine/model/condition_list.h"
#include "muster/object.h"
#include "muster/quantity.h"
#include "muster/shared_list.h"
#include "muster/shared_map.h"
#include "muster/text.h"

namespace muster {

/// First byte of an encoded Quantity.
enum class QuantityUnit : std::uint8_t { kUnits, kMilli, kNano };

constexpr std::uint64_t ZigZag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

class ByteWriter {
 public:
  /// `memory`, if any, is that of all writers whose values may be the same memory.
  explicit ByteWriter(WrittenMemory* memory = nullptr) : memory_(memory) {}

  template <typename T>
  void operator()(const char*, const T& member) {
    Write(member);
  }

  /// For about so many bytes more.
  void Reserve(std::size_t more) { bytes_.Room(more); }
  void Byte(std::uint8_t byte) { bytes_.Put(static_cast<char>(byte)); }
  /// What was written since the beginning or Clear; valid until more is written.
  std::string_view bytes() const { return bytes_.view(); }
  /// Begins anew, in the memory that it has.
  void Clear() { bytes_.Clear(); }
  std::string Take() { return bytes_.Take(); }

 private:
  static constexpr std::size_t kMostOfVarint = 10;

  void Varint(std::uint64_t value) {
    char* at = bytes_.Room(kMostOfVarint);
    for (; value >= 0x80; value >>= 7) *at++ = static_cast<char>(value | 0x80);
    *at++ = static_cast<char>(value);
    bytes_.Wrote(at);
  }

  void Write(std::string_view text) {
    Varint(text.size());
    bytes_.Append(text);
  }
  void Write(const std::string& text) { Write(std::string_view(text)); }
  void Write(const Text& text) { Write(text.view()); }

  void Write(const Quantity& quantity) {
    const Quantity::Nano nano = quantity.nano();
    const auto narrow = static_cast<std::int64_t>(nano);
    if (narrow == nano) {
      WriteNano(narrow);  // divided by one instruction instead of a function
    } else {
      WriteNano(nano);
    }
  }
  template <typename Nano>
  void WriteNano(Nano nano) {
    if (nano % 1'000'000'000 == 0) {
      Byte(static_cast<std::uint8_t>(QuantityUnit::kUnits));
      Varint(ZigZag(static_cast<std::int64_t>(nano / 1'000'000'000)));
    } else if (const Nano milli = nano / 1'000'000;
               nano % 1'000'000 == 0 && milli == static_cast<std::int64_t>(milli)) {
      Byte(static_cast<std::uint8_t>(QuantityUnit::kMilli));
      Varint(ZigZag(static_cast<std::int64_t>(milli)));
    } else {
      Byte(static_cast<std::uint8_t>(QuantityUnit::kNano));
      Varint(static_cast<std::uint64_t>(nano));
      Varint(ZigZag(static_cast<std::int64_t>(Quantity::Nano{nano} >> 64)));
    }
  }

  template <typename T>
  void Write(const std::optional<T>& value) {
    Byte(value.has_value());
    if (value) Write(*value);
  }

  template <typename T>
  void Write(const std::vector<T>& values) {
    WriteList(values);
  }
  template <typename T>
  void Write(std::span<const T> values) {
    WriteList(values);
  }
  void Write(const ConditionList& values) { WriteList(values); }
  void Write(const Object& object) {
    Byte(static_cast<std::uint8_t>(object.index()));
    std::visit([this](const auto& spec) { VisitFields(*this, spec); }, object);
  }
  template <typename T>
  void Write(const SharedList<T>& values) {
    if constexpr (WrittenMemory::kKeeps<SharedList<T>>) {
      if (memory_ != nullptr && !values.empty()) return WriteKept(values);
    }
    WriteList(values);
  }
  template <typename List>
  void WriteKept(const List& values) {
    std::string& known = memory_->EncodingOf(values);
    if (!known.empty()) return bytes_.Append(known);
    const std::size_t begin = bytes_.size();
    WriteList(values);
    known = bytes().substr(begin);
  }
  template <typename List>
  void WriteList(const List& values) {
    Varint(values.size());
    for (const auto& value : values) Write(value);
  }

  template <typename T>
  void Write(const std::map<std::string, T, std::less<>>& entries) {
    Varint(entries.size());
    for (const auto& [key, value] : entries) {
      Write(key);
      Write(value);
    }
  }

  template <typename Map>
  void Write(const SharedMap<Map>& entries) {
    Write(entries.map());
  }

  template <typename T>
  void Write(const T& value) {
    if constexpr (std::is_same_v<T, bool> || std::is_enum_v<T>) {
      Byte(static_cast<std::uint8_t>(value));
    } else if constexpr (std::is_integral_v<T>) {
      Varint(ZigZag(value));
    } else if constexpr (std::is_same_v<T, double>) {
      const auto bits = std::bit_cast<std::uint64_t>(value);
      for (int shift = 0; shift < 64; shift += 8) Byte(static_cast<std::uint8_t>(bits >> shift));
    } else {
      VisitFields(*this, value);
    }
  }

  ByteBuffer bytes_;
  WrittenMemory* memory_ = nullptr;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_BYTE_WRITER_H_
