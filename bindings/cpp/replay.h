// Replay: does again what a ledger says was done, from the first commit on, in an engine that keeps
// nothing.
//
// Every event carries what its call was given, so a call can be repeated; and since the engine is
// deterministic it must do the same. What it does is compared with the record, event by event.
#ifndef MUSTER_BINDINGS_CPP_REPLAY_H_
#define MUSTER_BINDINGS_CPP_REPLAY_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/cpp/late_policy.h"
#include "db/store_types.h"
#include "muster/engine.h"

namespace muster {

class JournalRoute;
class StoredHistory;

class Replayer {
 public:
  using PolicyLoader = std::function<Result<std::shared_ptr<Policy>>(std::string_view hash)>;
  enum class Rows { kForget, kKeep };  ///< kKeep: for StateRows; memory as much as those

  explicit Replayer(PolicyLoader load_policy, Rows rows = Rows::kForget);
  ~Replayer();
  Replayer(const Replayer&) = delete;
  Replayer& operator=(const Replayer&) = delete;

  /// Begins where the history of `ledger` does: with nothing, or with the state that was stored
  /// when its oldest commits were dropped. The number of the first commit to repeat. Once, before
  /// Redo.
  Result<std::int64_t> Begin(const StoredHistory& ledger);
  Result<std::int64_t> Begin(const HistoryBase& base, std::span<const StateRow> rows);
  /// Every row of the state now. Needs Rows::kKeep.
  std::vector<StateRow> StateRows() const;

  /// Repeats one call. kDataLoss: it cannot be read, or the engine did something else now; the
  /// message says what. `trace`, if given, is filled by a cycle.
  Status Redo(const Commit& commit, CycleTrace* trace = nullptr);
  Status Redo(const CommitRecord& commit, CycleTrace* trace = nullptr);
  /// What the newest Redo that was OK would have stored; its events are compared already.
  const std::vector<StateRow>& redone_rows() const;

  /// The engine with its journal, which leads nowhere yet. From here on its policies are late when
  /// they are, and it has no loader of others. Nothing else may be called afterwards.
  struct Released {
    std::unique_ptr<JournalRoute> route;
    Engine engine;  ///< hands its commits to `route`
  };
  Released Release();

  const Engine& engine() const { return engine_; }

 private:
  class Recorder;

  /// Puts the policies back to work that the rows of `engine` name.
  Status Attach(Engine& engine) const;
  Status Redo(const Command& command, TimeNs at, std::span<const Event> events, CycleTrace* trace);

  LateCalls late_;
  PolicyLoader load_policy_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<JournalRoute> route_;  // to recorder_, from engine_
  Engine engine_;
};

struct ReplayOptions {
  std::optional<std::int64_t> until;  ///< the newest commit that is repeated; unset: all
  /// Called after each commit.
  std::function<void(const CommitRecord& commit)> progress;
  std::function<void(const Engine& engine)> at_end;  ///< sees the state that it came to
};

/// What a replay came to.
struct Replayed {
  std::int64_t commits = 0;
  std::string state_hash;  ///< Engine::StateHash at the end
  CycleTrace last_cycle;   ///< of the newest cycle; number 0: there was none
  std::int64_t last = 0;   ///< the newest commit that was repeated, or that of the base
  TimeNs at = kNoTime;     ///< when it was; kNoTime if it is that of the base
};

/// Replays a ledger, from its base on. kFailedPrecondition: `until` is before it. kDataLoss names
/// the first commit that is damaged or came out differently. O(history).
Result<Replayed> ReplayLedger(const StoredHistory& ledger, const ReplayOptions& options = {});

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_REPLAY_H_
