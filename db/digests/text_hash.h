// TextHash: 128 bits that stand for a text in the memory of one process.
//
// SipHash-2-4-128 under a key that each process draws, so that texts which have the same hash
// cannot be looked for, and by chance, among ten million, are there once in 10^24 processes. The
// hash of a text differs from process to process: it must neither be stored nor decide an order.
#ifndef MUSTER_DB_DIGESTS_TEXT_HASH_H_
#define MUSTER_DB_DIGESTS_TEXT_HASH_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace muster {

struct TextHash {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  bool operator==(const TextHash&) const = default;
  /// For a table of the standard library's kind.
  struct Place {
    std::size_t operator()(const TextHash& hash) const { return hash.first; }
  };
};

/// After PrepareHashing. O(size of the text).
TextHash HashOfText(std::string_view text);

}  // namespace muster

#endif  // MUSTER_DB_DIGESTS_TEXT_HASH_H_
