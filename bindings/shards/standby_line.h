// The line between an instance of muster serve --shards and each process of it that stands by for a
// ledger: the instance looks for all of them at once, and tells each when there is something to do.
#ifndef MUSTER_BINDINGS_SHARDS_STANDBY_LINE_H_
#define MUSTER_BINDINGS_SHARDS_STANDBY_LINE_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "db/standby_turns.h"
#include "muster/status.h"

namespace muster {

/// What a process says. It has followed its ledger; it has opened it, its engine kept ready or not.
enum class StandbySays : std::int64_t { kReady = 1, kOpened = 2, kOpenedReady = 3 };

/// The end of the instance. Nothing here waits.
class StandbyLine {
 public:
  /// kUnavailable: the system has no more descriptors.
  static Result<std::unique_ptr<StandbyLine>> Make();
  ~StandbyLine();
  StandbyLine(const StandbyLine&) = delete;
  StandbyLine& operator=(const StandbyLine&) = delete;

  /// The standard input of the process, until it has begun.
  int its_end() const { return its_end_; }
  void CloseItsEnd();

  // Whether it was sent: one that is busy for long takes no more, and is to be told again.

  bool TellToTake();
  /// It is not to take the ledger, which has this commit.
  bool TellToFollow(std::int64_t commit);
  /// The next thing that it said; nullopt: nothing yet, or it has ended.
  std::optional<StandbySays> Hear();

 private:
  StandbyLine(int own_end, int its_end) : own_end_(own_end), its_end_(its_end) {}
  const int own_end_;
  int its_end_;
};

/// The end of the process. MayTake is an error once the instance is gone.
class ToldTurns final : public StandbyTurns {
 public:
  /// Null where the standard input is no such line.
  static std::unique_ptr<ToldTurns> OfInput();

  Result<bool> MayTake(std::int64_t followed) override;
  void Opened(bool kept_ready) override;

 private:
  ToldTurns() = default;
  /// Takes what was told; false: the instance is gone.
  bool Hear();

  bool may_take_ = false;
  std::int64_t told_ = 0;       // the newest commit that it was told of
  std::int64_t followed_ = -1;  // when it was asked last
};

}  // namespace muster

#endif  // MUSTER_BINDINGS_SHARDS_STANDBY_LINE_H_
