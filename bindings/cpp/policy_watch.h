// PolicyWatch: notices that a package was saved, whichever way.
//
// Method: inotify on the package's folder and on the folder it is in, never on files: editors write
// another file and rename it, Kubernetes swaps a symbolic link, git replaces whole folders. Changes
// count once the folder has been quiet for a while and every file that is being written is closed.
#ifndef MUSTER_BINDINGS_CPP_POLICY_WATCH_H_
#define MUSTER_BINDINGS_CPP_POLICY_WATCH_H_

#include <chrono>
#include <set>
#include <string>

#include "muster/status.h"

namespace muster {

class PolicyWatch {
 public:
  using Clock = std::chrono::steady_clock;

  explicit PolicyWatch(std::string folder, std::chrono::milliseconds quiet);
  ~PolicyWatch();
  PolicyWatch(const PolicyWatch&) = delete;
  PolicyWatch& operator=(const PolicyWatch&) = delete;

  /// Why nothing can be noticed; ok when it can.
  const Status& status() const { return status_; }
  /// Whether something was saved since the last call that said so. Never waits.
  bool TakeChange();
  /// Whether something has happened that TakeChange has not said yet.
  bool restless();

 private:
  void ReadEvents();
  void WatchFolder();

  const std::string folder_;
  const std::string name_;  ///< of the folder in the one it is in
  const std::chrono::milliseconds quiet_;
  Status status_;
  int queue_ = -1;
  int folder_watch_ = -1;
  int parent_watch_ = -1;
  bool changed_ = false;
  Clock::time_point last_;
  std::set<std::string> written_;  ///< files written to and not closed yet
};

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_POLICY_WATCH_H_
