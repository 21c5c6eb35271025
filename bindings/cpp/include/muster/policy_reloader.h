// PolicyReloader: keeps a running engine on the newest sound version of a policy package.
//
//   muster::PolicyReloader reloader({.folder = "policies/ours"});
//   for (;;) {
//     for (const auto& step : *reloader.Poll(engine, now)) Show(step);  // between two cycles
//     engine.RunCycle(now);
//   }
//
// A save is noticed, staged on a thread of its own (read, check, load, the package's tests, then a
// dry call on a copy of the live batches) and activated by Poll, which never waits for any of that.
// What does not pass is refused and changes nothing; each step is an event of the engine.
#ifndef MUSTER_POLICY_RELOADER_H_
#define MUSTER_POLICY_RELOADER_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "muster/engine.h"

namespace muster {

class DurableEngine;

struct ReloadOptions {
  std::string folder;                     ///< of one package
  std::string by = "watcher";             ///< the author, in the events
  bool watch = true;                      ///< notice saves; else only Stage brings work
  DurationNs quiet = 100 * kMillisecond;  ///< without a change before a save counts
  /// The package's own tests, run on the worker: ok, or what failed. May be empty.
  std::function<Status(const std::string& folder)> tests;
};

/// What became of one save.
struct ReloadStep {
  enum class Outcome { kActivated, kRefused };
  Outcome outcome = Outcome::kRefused;
  std::string package;  ///< empty when it could not be read
  std::string hash;
  std::string message;                    ///< why it was refused: every mistake with its place
  std::vector<StoppedHook> stopped = {};  ///< that decided before it was activated, and no more
};

class PolicyReloader {
 public:
  /// Starts the worker and the watch; nothing is staged before something is saved.
  explicit PolicyReloader(ReloadOptions options) noexcept;
  ~PolicyReloader();  ///< waits for the worker
  PolicyReloader(const PolicyReloader&) = delete;
  PolicyReloader& operator=(const PolicyReloader&) = delete;

  /// Whether it works, and saves can be noticed at all.
  Status status() const noexcept;
  /// Stages what the folder holds now, whatever was noticed.
  void Stage() noexcept;
  /// Takes the work one step further. Call it between two cycles, from the engine's thread; with a
  /// DurableEngine the package is stored before it is activated. Without a step where there is no
  /// worker, or the engine is closed: it says so. O(1) while nothing was saved.
  Result<std::vector<ReloadStep>> Poll(Engine& engine, TimeNs now) noexcept;
  Result<std::vector<ReloadStep>> Poll(DurableEngine& engine, TimeNs now) noexcept;
  /// Whether something is noticed or being staged.
  bool busy() noexcept;

 private:
  struct Worker;
  Status broken_;  ///< why there is no worker
  std::unique_ptr<Worker> worker_;
};

}  // namespace muster

#endif  // MUSTER_POLICY_RELOADER_H_
