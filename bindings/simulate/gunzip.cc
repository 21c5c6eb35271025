// See gunzip.h.
#include "bindings/simulate/gunzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

namespace muster::simulate {
namespace {

constexpr std::size_t kMost = std::size_t{4} << 30;
constexpr int kGzipOnly = 16 + MAX_WBITS;

}  // namespace

Result<std::string> Gunzip(std::string text) {
  if (!text.starts_with("\x1f\x8b")) return text;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) return Status::OutOfMemory();
  std::string plain;
  std::array<char, 1 << 16> block;
  std::size_t taken = 0;
  int code = Z_OK;
  while (plain.size() <= kMost) {
    const std::size_t given =
        std::min<std::size_t>(text.size() - taken, std::numeric_limits<uInt>::max());
    stream.next_in = reinterpret_cast<Bytef*>(text.data() + taken);
    stream.avail_in = static_cast<uInt>(given);
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    code = inflate(&stream, Z_NO_FLUSH);
    taken += given - stream.avail_in;
    plain.append(block.data(), block.size() - stream.avail_out);
    if (code == Z_STREAM_END && taken < text.size())
      code = inflateReset(&stream);  // a next part
    else if (code != Z_OK)
      break;
  }
  inflateEnd(&stream);
  if (code != Z_STREAM_END) {
    return Status(StatusCode::kInvalidArgument, plain.size() > kMost
                                                    ? "it is longer than 4 GiB"
                                                    : "its gzip data is cut off or damaged");
  }
  return plain;
}

}  // namespace muster::simulate
