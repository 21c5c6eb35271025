// DurableEngine: an engine and its ledger, kept together. What a call did is on disk when it
// returns, and opening the same file later goes on as if nothing had happened.
//
//   auto opened = muster::DurableEngine::Open("cluster.ledger");
//   muster::Engine& engine = (*opened)->engine();
//
// The ledger is an SQLite file with one writer at a time, or lies in PostgreSQL where the path is
// postgres://USER@HOST/DATABASE#NAME; db/README.md has the promises of both. No call
// throws; once the engine is closed, all of them answer why first.
#ifndef MUSTER_DURABLE_ENGINE_H_
#define MUSTER_DURABLE_ENGINE_H_

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "muster/engine.h"

namespace muster {

class JournalRoute;
class Pipeline;
class StandbyTurns;
class Store;
class StoredHistory;
struct LedgerTesting;

/// A year and a day: a ledger that rested for longer needs to be told that its clock is right.
inline constexpr DurationNs kLongestTimeJump = 366 * 24 * 3600 * kSecond;

struct DurableOptions {
  bool create = true;  ///< a file that is not there is created; else kNotFound
  /// The engine takes no call whose time is more than kLongestTimeJump after the last one in the
  /// ledger, or in a ledger without one, after the wall clock at opening; see
  /// Engine::LimitTimeJumps. True: it takes any time.
  bool allow_time_jump = false;
  /// How long a ledger that another process holds is waited for before it is kUnavailable. In
  /// PostgreSQL, and of more than a minute: an engine follows it meanwhile, so that taking over is
  /// not O(rows); it takes the memory of one, and the time that the writer's takes. The database is
  /// tried for a minute at first, too.
  std::chrono::milliseconds lock_wait{0};
  /// In PostgreSQL, unless empty: a folder on this machine where the newest confirmed commit of the
  /// ledger is noted. kDataLoss where the database has lost it.
  std::string heads = {};
  /// In PostgreSQL, if given: says when a ledger that is waited for may be taken; see
  /// db/standby_turns.h. Must outlive the opening.
  StandbyTurns* turns = nullptr;
  bool relaxed = false;  ///< a power cut may take the last commits; a kill never does
  const LedgerTesting* testing = nullptr;  ///< db/sqlite/testing.h; must outlive the engine
};

class DurableEngine {
 public:
  /// Takes the ledger for writing, restores the engine and puts the stored policies back to work.
  /// kUnavailable: another process holds it (the message names it), or I/O failed. kDataLoss:
  /// damaged; the message names the first bad place. O(rows of current state).
  static Result<std::unique_ptr<DurableEngine>> Open(const std::string& path,
                                                     const DurableOptions& options = {});
  /// Close, its result ignored.
  ~DurableEngine();
  DurableEngine(const DurableEngine&) = delete;
  DurableEngine& operator=(const DurableEngine&) = delete;

  /// Activate and roll back policies through the functions below, not through the engine: it does
  /// not know their files, and what is not stored cannot be put back to work.
  Engine& engine() { return engine_; }

  /// The caller that gives the commands from now on: the ledger keeps its name beside each. At
  /// first it is empty: none is named. kInvalidArgument unless it is UTF-8 without control
  /// characters, of at most 255 bytes; then nothing is changed.
  Status SetCaller(std::string_view caller);

  /// From now on `listener` is told of each commit on the thread that changes the engine, before
  /// it goes to the ledger: which rows of state are others now. One that cannot be stored closes
  /// the engine. It must not call the engine, nor throw; empty: none is told.
  Status Listen(std::function<void(const Commit&)> listener);

  /// When the newest thing that is stored happened; kNoTime in a new ledger.
  Result<TimeNs> last_time() const;

  /// Stores the package in `folder` whole, then makes it the active generation. `params` as in a
  /// PolicyBinding; they are part of the generation. kInvalidArgument has the package's mistakes.
  /// `stopped` as in Engine::ActivatePolicy.
  Status ActivatePolicy(const std::string& folder, TimeNs now,
                        const std::map<std::string, std::string, std::less<>>& params = {},
                        const PolicyChange& change = {},
                        std::vector<StoppedHook>* stopped = nullptr);
  /// Undoes the newest activation that was not undone. kFailedPrecondition when there is none.
  Status RollBackPolicy(TimeNs now, const PolicyChange& change = {});

  /// Checkpoints the log and lets go of the file, also once the engine is closed, and then says
  /// why it was. Afterwards every call answers kUnavailable.
  Status Close();

  Store& ledger() { return *ledger_; }

 private:
  friend class Pipeline;  // see pipeline.h: leads the commits elsewhere for a while
  explicit DurableEngine(std::unique_ptr<Store> ledger);
  DurableEngine(std::unique_ptr<Store> ledger, std::unique_ptr<JournalRoute> route, Engine engine);
  template <typename Function>
  std::invoke_result_t<Function> Enter(const Function& call) const noexcept;
  static Result<std::unique_ptr<DurableEngine>> OpenLedger(const std::string& path,
                                                           const DurableOptions& options);
  Status Activate(const std::string& folder, TimeNs now, const PolicyParams& params,
                  const PolicyChange& change, std::vector<StoppedHook>* stopped);
  Status RollBack(TimeNs now, const PolicyChange& change);

  // In this order: the engine hands its commits to the route, that to the ledger.
  std::unique_ptr<Store> ledger_;
  std::unique_ptr<JournalRoute> route_;
  Engine engine_;
};

/// An engine with the state that a ledger has now, also beside its writer. It keeps nothing.
Result<Engine> ReadLedger(const std::string& path);
/// The same of a ledger that is open already.
Result<Engine> ReadLedger(const StoredHistory& ledger);

/// Two of them with the state of one and the same moment: to try a change on one of them.
Result<std::pair<Engine, Engine>> ReadLedgerTwice(const std::string& path);

}  // namespace muster

#endif  // MUSTER_DURABLE_ENGINE_H_
