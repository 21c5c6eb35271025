// A stream to another on which no character changes how those around it are shown.
#ifndef MUSTER_BINDINGS_PLAIN_HARMLESS_STREAM_H_
#define MUSTER_BINDINGS_PLAIN_HARMLESS_STREAM_H_

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace muster::plain {

/// `text` with `\u202e` for each character beyond ASCII that ObeyedBytes tells of: people see that
/// it is there. JSON, and YAML whose texts are quoted as JSON, mean the same with it.
std::string WithEscapes(std::string_view text);

/// Passes on to `target` what WithEscapes makes of it. A character that comes in pieces is put
/// together first. Fails where `target` does.
class HarmlessStream : public std::ostream {
 public:
  explicit HarmlessStream(std::ostream& target) : std::ostream(nullptr), buffer_(target) {
    rdbuf(&buffer_);
  }

  /// Whether what is written to `stream` goes to `target`.
  static bool Reaches(const std::ostream& stream, const std::ostream& target) {
    const auto* const harmless = dynamic_cast<const HarmlessStream*>(&stream);
    return &stream == &target || (harmless != nullptr && &harmless->buffer_.target() == &target);
  }

 private:
  class Buffer : public std::streambuf {
   public:
    explicit Buffer(std::ostream& target) : target_(target) {}
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() override { target_ << begun_; }
    const std::ostream& target() const { return target_; }

   protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

   private:
    std::ostream& target_;
    std::string begun_;  ///< of a character whose last byte has not come
  };

  Buffer buffer_;
};

}  // namespace muster::plain

#endif  // MUSTER_BINDINGS_PLAIN_HARMLESS_STREAM_H_
