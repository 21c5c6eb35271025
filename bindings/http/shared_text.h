// SharedText: what is said to many connections, once in memory.
//
// A long one that goes to many is also in a file that no folder has, as the chunk of HTTP that it
// is said as. A socket that is given a part of a file takes no copy of it, so the memory that
// passes through the caches is that of one text, not of one for each connection.
#ifndef MUSTER_BINDINGS_HTTP_SHARED_TEXT_H_
#define MUSTER_BINDINGS_HTTP_SHARED_TEXT_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace muster::http {

class SharedText {
 public:
  explicit SharedText(std::string text) : text_(std::move(text)) {}
  /// For so many connections; without a file where that does not pay, or the system gives none.
  SharedText(std::string text, std::size_t connections);
  ~SharedText();
  SharedText(const SharedText&) = delete;
  SharedText& operator=(const SharedText&) = delete;

  const std::string& text() const { return text_; }
  std::size_t size() const { return text_.size(); }
  /// Has ChunkHead(size()), the text and the end of a chunk, and is never written again. -1: none.
  int chunk_file() const { return chunk_file_; }

 private:
  const std::string text_;
  int chunk_file_ = -1;
};

/// In the order said.
using SharedTexts = std::vector<std::shared_ptr<const SharedText>>;

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_SHARED_TEXT_H_
