// Unsaid: texts that wait to leave a connection, and what of them the next write says.
#ifndef MUSTER_BINDINGS_HTTP_UNSAID_H_
#define MUSTER_BINDINGS_HTTP_UNSAID_H_

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/http/heads.h"
#include "bindings/http/shared_text.h"

namespace muster::http {

/// What one write says, in order.
using Parts = std::vector<boost::asio::const_buffer>;

/// So many bytes of the parts have left. No empty part remains, for TLS would write nothing.
inline void DropSent(Parts& parts, std::size_t sent) {
  for (boost::asio::const_buffer& part : parts) {
    const std::size_t gone = std::min(part.size(), sent);
    part += gone;
    sent -= gone;
  }
  std::erase_if(parts, [](const auto& part) { return part.size() == 0; });
}

class Unsaid {
 public:
  bool empty() const { return texts_.empty(); }
  /// Of the texts that have not left as a whole.
  std::size_t bytes() const { return bytes_; }

  void Push(SharedText text, bool chunk) {
    const std::size_t size = text->size();
    if (size == 0) return;
    texts_.push_back({std::move(text), chunk});
    bytes_ += size;
  }

  /// Takes what the next write says: texts as one chunk, or the head. There is one, and no other
  /// write goes on.
  void TakeParts() {
    const bool chunk = texts_.front().chunk;
    const std::size_t most = std::min(texts_.size(), kMostParts);
    std::size_t size = 0;
    parts_.clear();
    if (chunk) parts_.emplace_back();
    taken_ = 0;
    do {
      const std::string& text = *texts_[taken_].text;
      parts_.push_back(boost::asio::buffer(text));
      size += text.size();
    } while (++taken_ < most && texts_[taken_].chunk == chunk);
    if (!chunk) return;
    chunk_head_ = ChunkHead(size);
    parts_.front() = boost::asio::buffer(chunk_head_);
    parts_.push_back(boost::asio::buffer("\r\n", 2));
  }
  /// What of them has not left.
  const Parts& parts() const { return parts_; }

  void DropSent(std::size_t sent) { http::DropSent(parts_, sent); }
  /// All parts have left.
  void Said() {
    for (; taken_ > 0; --taken_) {
      bytes_ -= texts_.front().text->size();
      texts_.pop_front();
    }
  }

 private:
  static constexpr std::size_t kMostParts = 60;  // the system takes 64, with those of the chunk

  struct Each {
    SharedText text;
    bool chunk = false;
  };

  std::deque<Each> texts_;
  std::size_t bytes_ = 0;
  std::size_t taken_ = 0;  ///< of the texts, are in parts_
  Parts parts_;
  std::string chunk_head_;
};

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_UNSAID_H_
