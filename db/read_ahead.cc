// See read_ahead.h. A batch belongs to one side at a time; only whose it is lies under the lock.
#include "db/read_ahead.h"

#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace muster {
namespace {

/// Rows, copied one behind the other.
class Batch {
 public:
  /// Small enough to be in the second-level cache still when it is taken in.
  static constexpr std::size_t kBytes = 64 << 10;

  void Clear() {
    rows_.clear();
    bytes_.clear();
  }
  bool full() const { return bytes_.size() >= kBytes; }
  void Add(StateRow::Table table, std::string_view key, std::string_view value) {
    rows_.push_back({table, key.size(), value.size()});
    bytes_.append(key).append(value);
  }
  Status Visit(const RowVisitor& visitor) const {
    std::string_view rest = bytes_;
    for (const Row& row : rows_) {
      const std::string_view key = rest.substr(0, row.key);
      const std::string_view value = rest.substr(row.key, row.value);
      rest.remove_prefix(row.key + row.value);
      if (Status status = visitor(row.table, key, value); !status.ok()) return status;
    }
    return Status::Ok();
  }

 private:
  struct Row {
    StateRow::Table table;
    std::size_t key;
    std::size_t value;
  };
  std::vector<Row> rows_;
  std::string bytes_;
};

/// Batches on their way from the one thread to the other, and back empty.
class Ring {
 public:
  /// An empty batch; null when no row is taken in any more.
  Batch* WaitForEmpty() {
    std::unique_lock lock(mutex_);
    turned_.wait(lock, [&] { return stopped_ || filled_ - taken_ < kBatches; });
    return stopped_ ? nullptr : &batches_[filled_ % kBatches];
  }
  void PassFilled() {
    Change([&] { ++filled_; });
  }
  /// No batch follows.
  void End() {
    Change([&] { ended_ = true; });
  }

  /// The next full batch; null at the end.
  const Batch* WaitForFilled() {
    std::unique_lock lock(mutex_);
    turned_.wait(lock, [&] { return ended_ || taken_ < filled_; });
    return taken_ < filled_ ? &batches_[taken_ % kBatches] : nullptr;
  }
  void PassEmpty() {
    Change([&] { ++taken_; });
  }
  /// No batch is taken any more.
  void Stop() {
    Change([&] { stopped_ = true; });
  }

 private:
  static constexpr std::size_t kBatches = 4;

  template <typename Turn>
  void Change(const Turn& turn) {
    const std::lock_guard lock(mutex_);
    turn();
    turned_.notify_one();  // at most the other side waits
  }

  std::array<Batch, kBatches> batches_;
  std::mutex mutex_;
  std::condition_variable turned_;
  std::size_t filled_ = 0;  ///< batches filled, and taken, since the beginning
  std::size_t taken_ = 0;
  bool ended_ = false;
  bool stopped_ = false;
};

/// The thread that reads.
class ReadingThread {
 public:
  /// Throws std::system_error when there is no thread to be had.
  ReadingThread(const std::function<Status(const RowVisitor&)>& read, Ring& ring)
      : ring_(ring), thread_([this, &read] { Run(read); }) {}
  ~ReadingThread() {
    ring_.Stop();
    if (thread_.joinable()) thread_.join();
  }
  ReadingThread(const ReadingThread&) = delete;
  ReadingThread& operator=(const ReadingThread&) = delete;

  /// What reading came to, when it is over.
  Status Join() {
    thread_.join();
    if (thrown_) std::rethrow_exception(thrown_);
    return result_;
  }

 private:
  void Run(const std::function<Status(const RowVisitor&)>& read) {
    Batch* batch = nullptr;
    const auto pass = [&] {
      if (std::exchange(batch, nullptr) != nullptr) ring_.PassFilled();
    };
    try {
      result_ = read([&](StateRow::Table table, std::string_view key, std::string_view value) {
        if (batch == nullptr) {
          batch = ring_.WaitForEmpty();
          if (batch == nullptr) return Status(StatusCode::kInternal, "no row is taken in any more");
          batch->Clear();
        }
        batch->Add(table, key, value);
        if (batch->full()) pass();
        return Status::Ok();
      });
    } catch (...) {
      thrown_ = std::current_exception();
    }
    pass();
    ring_.End();
  }

  Ring& ring_;
  Status result_;
  std::exception_ptr thrown_;
  std::thread thread_;  ///< last: it uses the others
};

}  // namespace

Status ReadAhead(const std::function<Status(const RowVisitor&)>& read, const RowVisitor& visitor) {
  if (!visitor) return read(visitor);  // rows are only compared with their digests
  Ring ring;
  std::optional<ReadingThread> reading;
  try {
    reading.emplace(read, ring);
  } catch (const std::system_error&) {
    return read(visitor);
  }
  while (const Batch* batch = ring.WaitForFilled()) {
    if (Status status = batch->Visit(visitor); !status.ok()) return status;
    ring.PassEmpty();
  }
  return reading->Join();
}

}  // namespace muster
