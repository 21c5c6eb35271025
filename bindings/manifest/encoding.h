// Bytes before they are YAML: is the text UTF-8 without control characters, and where in it is a
// byte.
#ifndef MUSTER_BINDINGS_MANIFEST_ENCODING_H_
#define MUSTER_BINDINGS_MANIFEST_ENCODING_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "bindings/manifest/yaml_node.h"

namespace muster::manifest {

struct EncodingMistake {
  std::size_t offset = 0;  ///< of the first bad byte
  std::string what;
  std::string cure;
};

/// `text` without a leading UTF-8 byte order mark.
std::string_view WithoutByteOrderMark(std::string_view text);

/// The first byte that no manifest may contain; nullopt when there is none. O(bytes).
std::optional<EncodingMistake> FindEncodingMistake(std::string_view text);

/// Bytes of `line` before `offset` that continue a character, so that columns count characters.
std::size_t ContinuationBytes(std::string_view line, std::size_t offset);

/// Line and column of the byte at `offset`. O(offset).
Position PositionOf(std::string_view text, std::size_t offset);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_ENCODING_H_
