#include "db/digests/text_hash.h"

#include <sodium.h>

#include <array>
#include <cstring>

namespace muster {
namespace {

struct TextHashKey {
  TextHashKey() { randombytes_buf(bytes.data(), bytes.size()); }
  std::array<unsigned char, crypto_shorthash_siphashx24_KEYBYTES> bytes;
};

}  // namespace

TextHash HashOfText(std::string_view text) {
  static const TextHashKey key;
  TextHash hash;
  unsigned char out[sizeof(hash)];
  static_assert(sizeof(out) == crypto_shorthash_siphashx24_BYTES);
  crypto_shorthash_siphashx24(out, reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                              key.bytes.data());
  std::memcpy(&hash, out, sizeof(out));
  return hash;
}

}  // namespace muster
