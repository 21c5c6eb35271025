// Hashes whose values never change between builds, machines and releases. Not for adversaries.
#ifndef MUSTER_ENGINE_BASE_HASH_H_
#define MUSTER_ENGINE_BASE_HASH_H_

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace muster {

/// FNV-1a, 64 bits, over the bytes of `text`.
constexpr std::uint64_t Fnv1a64(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  return hash;
}

/// Spreads every bit of `x` over the whole word; a bijection.
constexpr std::uint64_t MixBits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const Hash128&) const = default;
};

/// Folds a sequence of numbers and texts into 128 bits; order and boundaries between texts count.
class Hasher128 {
 public:
  constexpr Hasher128& Add(std::uint64_t value) {
    low_ = MixBits(low_ ^ value) + 0x9e3779b97f4a7c15u;
    high_ = MixBits(high_ + value * 0xd6e8feb86659fd93u) ^ low_;
    return *this;
  }
  constexpr Hasher128& Add(std::string_view text) {
    Add(text.size());
    while (!text.empty()) {
      const std::size_t size = text.size() < 8 ? text.size() : 8;
      Add(WordOf(text.substr(0, size)));
      text.remove_prefix(size);
    }
    return *this;
  }
  constexpr Hash128 Value() const { return {MixBits(high_), MixBits(low_ + high_)}; }

 private:
  /// Up to eight bytes as a number, the first the lowest, on every machine.
  static constexpr std::uint64_t WordOf(std::string_view bytes) {
    std::uint64_t word = 0;
    if (!std::is_constant_evaluated() && std::endian::native == std::endian::little &&
        bytes.size() == sizeof(word)) {
      std::memcpy(&word, bytes.data(), sizeof(word));
      return word;
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    }
    return word;
  }

  std::uint64_t high_ = 0x243f6a8885a308d3u;
  std::uint64_t low_ = 0x13198a2e03707344u;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_HASH_H_
