// ByteBuffer: bytes that are written one behind the other, many times in the same memory.
//
// A writer that goes byte by byte asks for room and writes there, so that a byte costs no call.
#ifndef MUSTER_ENGINE_CODEC_BYTE_BUFFER_H_
#define MUSTER_ENGINE_CODEC_BYTE_BUFFER_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace muster {

class ByteBuffer {
 public:
  /// Where the next bytes go, `most` of them at most; Wrote says where they ended. Amortised
  /// O(most).
  char* Room(std::size_t most) {
    if (bytes_.size() - size_ < most) Grow(most);
    return bytes_.data() + size_;
  }
  void Wrote(const char* end) { size_ = static_cast<std::size_t>(end - bytes_.data()); }
  void Put(char byte) {
    *Room(1) = byte;
    ++size_;
  }
  void Append(std::string_view text) {
    if (text.empty()) return;
    std::memcpy(Room(text.size()), text.data(), text.size());
    size_ += text.size();
  }

  std::size_t size() const { return size_; }
  /// What was written since the beginning or Clear; valid until more is written.
  std::string_view view() const { return {bytes_.data(), size_}; }
  /// Begins anew, in the memory that it has.
  void Clear() { size_ = 0; }
  /// Gives away what was written and begins anew.
  std::string Take() {
    bytes_.resize(std::exchange(size_, 0));
    return std::exchange(bytes_, {});
  }

 private:
  static constexpr std::size_t kLeast = 128;

  void Grow(std::size_t more) {
    bytes_.resize(std::max({kLeast, 2 * bytes_.size(), size_ + more}));
  }

  std::string bytes_;  ///< the first size_ of them are written
  std::size_t size_ = 0;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_BYTE_BUFFER_H_
