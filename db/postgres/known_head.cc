// One line of text, always of the same length, so that it is replaced by one write.
#include "db/postgres/known_head.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

namespace muster {
namespace {

constexpr std::size_t kSeqDigits = 19;
constexpr std::size_t kHexDigits = 2 * sizeof(ChainHash);
constexpr std::size_t kLine = kSeqDigits + 1 + kHexDigits + 1;

std::string LineOf(std::int64_t seq, const ChainHash& hash) {
  std::string digits = std::to_string(seq);
  std::string line = std::string(kSeqDigits - digits.size(), '0') + digits + ' ';
  for (const unsigned char byte : hash) {
    line += "0123456789abcdef"[byte >> 4];
    line += "0123456789abcdef"[byte & 15];
  }
  return line + '\n';
}

template <typename Number>
bool ReadNumber(std::string_view text, int base, Number* number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number, base);
  return error == std::errc() && end == text.data() + text.size();
}

Status CannotUse(const std::string& path) {
  return {StatusCode::kUnavailable,
          path + ": " + std::error_code(errno, std::generic_category()).message()};
}

}  // namespace

Result<std::unique_ptr<KnownHead>> KnownHead::Open(const std::string& folder,
                                                   const PgPlace& place) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string path = (std::filesystem::path(folder) / (place.shard + ".head")).string();
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return CannotUse(path);
  std::unique_ptr<KnownHead> known(new KnownHead(path, place.shown, file));
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return CannotUse(path);
    return Status(StatusCode::kUnavailable,
                  path + " is used by another process; name another folder of heads");
  }
  if (Status status = known->Read(); !status.ok()) return status;
  return known;
}

KnownHead::~KnownHead() { close(file_); }

Status KnownHead::Read() {
  std::array<char, kLine> bytes{};
  const ssize_t size = pread(file_, bytes.data(), bytes.size(), 0);
  if (size < 0) return CannotUse(path_);
  if (size == 0) return Status::Ok();
  const std::string_view line(bytes.data(), static_cast<std::size_t>(size));
  bool readable = line.size() == kLine && ReadNumber(line.substr(0, kSeqDigits), 10, &seq_);
  for (std::size_t i = 0; readable && i < hash_.size(); ++i) {
    readable = ReadNumber(line.substr(kSeqDigits + 1 + 2 * i, 2), 16, &hash_[i]);
  }
  if (readable) return Status::Ok();
  return {StatusCode::kDataLoss, path_ +
                                     " says no commit; find out whether the database has the "
                                     "newest that was confirmed, and remove the file"};
}

Status KnownHead::Check(const PgHistory& history, const PgHead& head) const {
  if (seq_ == 0) return Status::Ok();
  if (head.seq < seq_) return Lost("ends with commit " + std::to_string(head.seq));
  std::optional<StoredCommit> there;
  const Status walked = history.Walk(seq_, head, [&there](const BatchCommit& commit) {
    there = commit.stored;
    return Status(StatusCode::kFailedPrecondition, "enough");
  });
  if (!there) return walked;
  const bool same = there->record.seq == seq_ && there->hash == hash_;
  return same ? Status::Ok() : Lost("has another one");
}

Status KnownHead::Note(std::int64_t seq, const ChainHash& hash) {
  const std::string line = LineOf(seq, hash);
  if (pwrite(file_, line.data(), line.size(), 0) != static_cast<ssize_t>(line.size())) {
    return CannotUse(path_);
  }
  seq_ = seq;
  hash_ = hash;
  return Status::Ok();
}

Status KnownHead::Lost(const std::string& what) const {
  return {StatusCode::kDataLoss,
          "ledger " + shown_ + " " + what + ", but commit " + std::to_string(seq_) +
              " was confirmed, says " + path_ +
              ": the database has lost what it confirmed; bring back the copy that has it, or "
              "remove that file to go on without"};
}

}  // namespace muster
