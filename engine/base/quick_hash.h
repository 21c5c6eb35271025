// QuickHash: a number for a text, for tables in memory.
//
// Eight bytes at a time and without a call, since most names are short. Its values are of this
// machine: nothing that is stored or shown follows from them; for that see hash.h.
#ifndef MUSTER_ENGINE_BASE_QUICK_HASH_H_
#define MUSTER_ENGINE_BASE_QUICK_HASH_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace muster {

/// The same for equal texts and seeds in one process. O(size).
inline std::uint64_t QuickHash(std::string_view text, std::uint64_t seed = 0) {
  __extension__ using Product = unsigned __int128;
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
  const auto word_at = [&text](std::size_t at, auto word) {
    std::memcpy(&word, text.data() + at, sizeof(word));
    return std::uint64_t{word};
  };
  std::uint64_t hash = seed + text.size() * kOdd;
  const auto mix = [&hash](std::uint64_t word) {
    const Product product = Product{(hash ^ word) + kOdd} * kOdd;
    hash = static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
  };
  // The last bytes twice, rather than one by one.
  if (text.size() >= 8) {
    for (std::size_t at = 0; at + 8 < text.size(); at += 8) mix(word_at(at, std::uint64_t{}));
    mix(word_at(text.size() - 8, std::uint64_t{}));
  } else if (text.size() >= 4) {
    mix(word_at(0, std::uint32_t{}) << 32 | word_at(text.size() - 4, std::uint32_t{}));
  } else if (!text.empty()) {
    mix(word_at(0, std::uint8_t{}) << 16 | word_at(text.size() / 2, std::uint8_t{}) << 8 |
        word_at(text.size() - 1, std::uint8_t{}));
  }
  mix(0);
  return hash;
}

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_QUICK_HASH_H_
