// ByteBuffer: bytes that are written one behind the other, many times in the same memory.
//
// A writer that goes byte by byte asks for room and writes there, so that a byte costs no call.
#ifndef MUSTER_ENGINE_CODEC_BYTE_BUFFER_H_
#define MUSTER_ENGINE_CODEC_BYTE_BUFFER_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace muster {

class ByteBuffer {
 public:
  /// Where the next bytes go, `most` of them at most; Wrote says where they ended. Amortised
  /// O(most).
  char* Room(std::size_t most) {
    if (room_ - size_ < most) Grow(most);
    return bytes_.get() + size_;
  }
  void Wrote(const char* end) { size_ = static_cast<std::size_t>(end - bytes_.get()); }
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
  std::string_view view() const { return {bytes_.get(), size_}; }
  /// Begins anew, in the memory that it has.
  void Clear() { size_ = 0; }
  /// What was written, in a string with no room to spare; begins anew, in the memory that it has.
  std::string Take() { return std::string(bytes_.get(), std::exchange(size_, 0)); }

 private:
  static constexpr std::size_t kLeast = 128;

  void Grow(std::size_t more) {
    const std::size_t room = std::max({kLeast, 2 * room_, size_ + more});
    auto larger = std::make_unique_for_overwrite<char[]>(room);
    std::copy_n(bytes_.get(), size_, larger.get());
    bytes_ = std::move(larger);
    room_ = room;
  }

  std::unique_ptr<char[]> bytes_;  ///< the first size_ of them are written
  std::size_t room_ = 0;           ///< how many there are
  std::size_t size_ = 0;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_BYTE_BUFFER_H_
