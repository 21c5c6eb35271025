// What cycles decided, told as each ends: tables for people, or the JSON contract.
#ifndef MUSTER_BINDINGS_CLI_SHOW_SCHEDULE_VIEW_H_
#define MUSTER_BINDINGS_CLI_SHOW_SCHEDULE_VIEW_H_

#include <cstddef>
#include <optional>

#include "bindings/cli/io.h"
#include "bindings/cli/json.h"
#include "bindings/cli/progress.h"
#include "bindings/lab/scenario/scenario.h"
#include "muster/engine.h"

namespace muster::cli {

/// Prints each cycle when it is taken and keeps none of them.
class CycleTeller {
 public:
  enum class Form {
    kTable,
    kWide,  ///< every pending workload with its whole message; else long ones are cut
    kJson,  ///< the contract, written step by step
  };

  /// `engine` is the one that runs; `cycles`, when known, is how many there will be.
  CycleTeller(const Engine& engine, Form form, std::optional<int> cycles, Io& io);

  /// What the cycle admitted, preempted and left pending, and warnings on stderr about hooks that
  /// failed, so that the built-in rule decided. kUnavailable: the output cannot be written.
  Status Take(const lab::CycleOutcome& cycle);

  /// After the last cycle: a summary with the queues, or what closes the JSON. With a `shadow`, the
  /// report about it.
  void End(const ShadowReport* shadow);

  /// Closes what was begun, after a failure: JSON stays valid.
  void Stop();

 private:
  void PrintSummary();

  const Engine& engine_;
  const Form form_;
  Io& io_;
  Progress progress_;
  const std::optional<int> expected_;
  JsonListStream steps_;
  std::size_t cycles_ = 0;
  std::size_t admitted_ = 0;
  std::size_t preempted_ = 0;
  std::size_t evicted_ = 0;  ///< by time limits
};

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_SCHEDULE_VIEW_H_
