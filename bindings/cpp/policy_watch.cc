// A writer that never closes its file must not stop the watch for good: after a while it counts as
// done, and what it left behind is checked as everything is.
#include "bindings/cpp/policy_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace muster {
namespace {

constexpr std::uint32_t kSaves = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE |
                                 IN_DELETE | IN_MODIFY | IN_DELETE_SELF | IN_MOVE_SELF;
constexpr std::uint32_t kFolderComes = IN_MOVED_TO | IN_CREATE | IN_ONLYDIR;
constexpr std::chrono::seconds kMostWriting{5};

std::filesystem::path Normal(const std::string& folder) {
  std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

std::string ParentOf(const std::string& folder) {
  const std::filesystem::path parent = Normal(folder).parent_path();
  return parent.empty() ? "." : parent.string();
}

}  // namespace

PolicyWatch::PolicyWatch(std::string folder, std::chrono::milliseconds quiet)
    : folder_(std::move(folder)), name_(Normal(folder_).filename().string()), quiet_(quiet) {
  queue_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (queue_ >= 0) {
    parent_watch_ = inotify_add_watch(queue_, ParentOf(folder_).c_str(), kFolderComes);
  }
  if (parent_watch_ < 0) {
    status_ = Status(StatusCode::kUnavailable,
                     "cannot watch " + folder_ + ": " + std::generic_category().message(errno));
    return;
  }
  WatchFolder();
}

PolicyWatch::~PolicyWatch() {
  if (queue_ >= 0) close(queue_);
}

void PolicyWatch::WatchFolder() {
  folder_watch_ = inotify_add_watch(queue_, folder_.c_str(), kSaves | IN_ONLYDIR);
}

void PolicyWatch::ReadEvents() {
  alignas(inotify_event) std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t size = read(queue_, buffer.data(), buffer.size());
    if (size <= 0) return;
    for (ssize_t at = 0; at < size;) {
      inotify_event event;
      std::memcpy(&event, buffer.data() + at, sizeof event);
      const std::string name =
          event.len > 0 ? buffer.data() + at + static_cast<ssize_t>(sizeof event) : "";
      at += static_cast<ssize_t>(sizeof event + event.len);
      if (event.wd == parent_watch_ && name != name_) continue;
      if (event.wd == parent_watch_) WatchFolder();
      if ((event.mask & IN_MODIFY) != 0) {
        written_.insert(name);
      } else {
        written_.erase(name);
      }
      changed_ = true;
      last_ = Clock::now();
    }
  }
}

bool PolicyWatch::restless() {
  ReadEvents();
  return changed_;
}

bool PolicyWatch::TakeChange() {
  ReadEvents();
  if (!changed_) return false;
  const auto quiet = Clock::now() - last_;
  if (quiet < quiet_ || (!written_.empty() && quiet < kMostWriting)) return false;
  written_.clear();
  changed_ = false;
  return true;
}

}  // namespace muster
