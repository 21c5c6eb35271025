// Plays loaded manifests in an engine in memory, or cycles on a ledger: a scenario, a number of
// cycles, or until idle.
#ifndef MUSTER_BINDINGS_CLI_WORLD_PLAY_H_
#define MUSTER_BINDINGS_CLI_WORLD_PLAY_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/flags.h"
#include "bindings/cli/io.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/load.h"
#include "bindings/lab/player.h"
#include "muster/durable_engine.h"
#include "muster/engine.h"

namespace muster::cli {

struct PlayFlags {
  std::string db;  ///< empty: in memory
  std::string now;
  bool force = false;  ///< see LedgerFlags
  std::string wait = kDefaultWait;
  std::vector<std::string> policies;
  bool complete_evictions = false;
  std::optional<int> cycles;
  bool until_idle = false;

  /// --db, --now, --policy and --complete-evictions; the verb declares the others where it has
  /// them.
  void Declare(Flags& flags);
};

/// An engine that a verb plays with.
struct World {
  /// `journal`, when given, is told what the engine in memory does; it must outlive it.
  explicit World(Journal* journal = nullptr) : in_memory_(journal), engine(in_memory_) {}
  explicit World(std::unique_ptr<DurableEngine> opened)
      : ledger_(std::move(opened)), engine(ledger_->engine()) {}

 private:
  std::unique_ptr<DurableEngine> ledger_;
  Engine in_memory_;

 public:
  Engine& engine;
  TimeNs now = kNoTime;   ///< the clock at the end
  CycleTrace last_trace;  ///< of the last cycle, after Settle on manifests
};

/// Runs the scenario of `loaded` when it has one, else the cycles that `flags` asks for (one by
/// default), and hands each to `sink` as it ends. Prints what went wrong and returns an exit code,
/// kDone when all is well.
int Play(const Loaded& loaded, const PlayFlags& flags, Io& io, World* world,
         const lab::CycleSink& sink);

/// Applies what `loaded` has to the ledger behind `world`, then runs the cycles `flags` asks for.
int PlayOnLedger(const Loaded& loaded, const PlayFlags& flags, Io& io, World* world,
                 const lab::CycleSink& sink);

/// Load and Play for a verb that shows a state: missing references are warnings, and without a
/// scenario cycles run until idle. Of a ledger, its state as it is at --now, the wall clock by
/// default, when nothing but time has passed since its last call; `moment`, if given, gets the
/// ledger at that moment, for a verb that reads more of it.
int Settle(const InputFlags& input, PlayFlags flags, Io& io, World* world, Loaded* loaded,
           std::unique_ptr<HistoryReader>* moment = nullptr);

/// The time `text` (RFC 3339) means, or the wall clock when it is empty. nullopt: not a time.
std::optional<TimeNs> TimeOf(const std::string& text);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_PLAY_H_
