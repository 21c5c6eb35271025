// StandbyEngine: does again what the writer of a ledger does, while its own process waits for that
// ledger, so that it need not be filled when the ledger is taken.
//
// It is the writer's engine for as long as it hands over the same events and the same rows for each
// commit: rows of state are all that a later call depends on. Once it does not, it is dropped, and
// the engine is made of rows as without it.
#ifndef MUSTER_BINDINGS_CPP_STANDBY_ENGINE_H_
#define MUSTER_BINDINGS_CPP_STANDBY_ENGINE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cpp/replay.h"
#include "db/postgres/standby.h"

namespace muster {

class StandbyEngine final : public PgStandby {
 public:
  /// `shown` is the ledger in what is logged.
  explicit StandbyEngine(std::string shown) : shown_(std::move(shown)) {}

  Status Begin(const LastCommit& last, std::vector<StateRow> rows, FindPolicy find) override;
  Status Follow(const BatchCommit& commit) override;
  /// Logged.
  void End(const Status& why) noexcept override;

  /// The engine as it is after commit `seq`; none where it did not follow up to there. Once.
  std::optional<Replayer::Released> Take(std::int64_t seq);

 private:
  const std::string shown_;
  std::unique_ptr<Replayer> replayer_;  // null: it does not follow
  std::int64_t seq_ = 0;                // the newest commit that was followed
};

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_STANDBY_ENGINE_H_
