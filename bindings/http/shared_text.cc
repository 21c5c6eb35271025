// See shared_text.h.
#include "bindings/http/shared_text.h"

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <utility>

#include "bindings/http/heads.h"

namespace muster::http {
namespace {

constexpr std::size_t kLongText = std::size_t{8} << 10;  // bytes; of less a copy costs little
constexpr std::size_t kManyConnections = 8;              // connections
constexpr int kMostChunkFiles = 256;                     // of the descriptors of the process

std::atomic<int> chunk_files = 0;  // there are

iovec PartOf(const std::string& text) { return {const_cast<char*>(text.data()), text.size()}; }

/// A file with one chunk; -1 where the system gives none.
int ChunkFile(const std::string& text) {
  const std::string head = ChunkHead(text.size());
  const std::string end = "\r\n";
  const std::array<iovec, 3> parts = {PartOf(head), PartOf(text), PartOf(end)};
  const int file = memfd_create("muster-chunk", MFD_CLOEXEC);
  if (file < 0) return -1;
  const auto whole = static_cast<ssize_t>(head.size() + text.size() + end.size());
  if (writev(file, parts.data(), static_cast<int>(parts.size())) == whole) return file;
  close(file);
  return -1;
}

}  // namespace

SharedText::SharedText(std::string text, std::size_t connections) : text_(std::move(text)) {
  if (text_.size() < kLongText || connections < kManyConnections) return;
  if (chunk_files.fetch_add(1) < kMostChunkFiles) chunk_file_ = ChunkFile(text_);
  if (chunk_file_ < 0) chunk_files.fetch_sub(1);
}

SharedText::~SharedText() {
  if (chunk_file_ < 0) return;
  close(chunk_file_);
  chunk_files.fetch_sub(1);
}

}  // namespace muster::http
