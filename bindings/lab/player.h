// Player: gives commands to an engine on a clock that nothing waits for, and hands on what each
// cycle decided. Whatever is played goes through it: scenarios, comparisons of policies, what a
// change would do, the clusters of specs.
#ifndef MUSTER_BINDINGS_LAB_PLAYER_H_
#define MUSTER_BINDINGS_LAB_PLAYER_H_

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "muster/command.h"
#include "muster/engine.h"

namespace muster::lab {

/// What one cycle left behind: one entry of the `steps` of the JSON contract.
struct CycleOutcome {
  CycleResult result;
  std::vector<PendingWorkload> pending = {};
  std::size_t step = 0;                      ///< index of the scenario step that ran it
  std::vector<WorkloadView> workloads = {};  ///< all of them, with Detail::kWorkloads
  /// Workloads submitted since the cycle before that were taken as they came: hook submit failed.
  std::vector<PolicyFailure> submit_failures = {};
};

/// Takes each cycle as it ends. What is not OK ends the run and is its Status.
using CycleSink = std::function<Status(CycleOutcome&&)>;
/// Keeps them all in `cycles`.
CycleSink KeepIn(std::vector<CycleOutcome>* cycles);

/// What is read of the state after a cycle, beside its decisions.
enum class Detail { kDecisions, kPending, kWorkloads };

/// Whether cycles that would find nothing to look at are run for the sink, or counted alone.
enum class EmptyCycles { kRun, kCount };

/// Whether the pods of jobs that a cycle tells to leave are gone before the next.
enum class Evictions { kStayOpen, kComplete };

class Player {
 public:
  /// Plays from `now` on. `engine` must outlive the player; between two calls another may be put
  /// in its place, so nothing that was read from it is kept.
  Player(Engine& engine, TimeNs now, CycleSink sink, Detail detail = Detail::kPending);

  Engine& engine() { return engine_; }
  TimeNs now() const { return now_; }
  /// Time passes; the next command tells the engine.
  void Pass(DurationNs time) { now_ += time; }
  /// From now on cycles belong to `step`, and this is read after each.
  void BeginStep(std::size_t step, Detail detail);
  /// From now on each cycle fills `trace`, which must outlive the player; null: none does.
  void TraceInto(CycleTrace* trace) { trace_ = trace; }

  /// Gives one command at now().
  Status Do(const Command& command);
  /// command::Submit and command::Finish without copies of what is given.
  Status Submit(std::span<const Workload> workloads);
  Status Finish(std::span<const Key> workloads);
  /// command::Apply without a copy of `objects`.
  Status Apply(std::span<const Object> objects, MissingReference missing);
  /// The pods of all jobs that were told to leave are gone; whether there were any.
  Result<bool> CompleteEvictions();
  /// Cycles until no further one would decide anything, at most `limit` more; whether it came to
  /// rest.
  Result<bool> RunUntilIdle(std::size_t limit, Evictions evictions,
                            EmptyCycles empty = EmptyCycles::kRun);

  std::size_t cycles() const { return cycles_; }  ///< so far
  /// Of those submitted since the last cycle, which else tells: hook submit failed, they were taken
  /// as they came.
  std::vector<PolicyFailure> TakeSubmitFailures();

 private:
  Status RunCycle();
  void NoteFailures(std::vector<PolicyFailure>& failures);

  Engine& engine_;
  TimeNs now_;
  CycleSink sink_;
  Detail detail_;
  std::size_t step_ = 0;
  CycleTrace* trace_ = nullptr;
  std::size_t cycles_ = 0;
  bool idle_ = false;  ///< no cycle after the last one would decide anything
  std::vector<PolicyFailure> submit_failures_;
};

/// Preemption can in principle go round in circles once evictions complete by themselves; this many
/// cycles over `objects` without coming to rest mean it does.
std::size_t CycleLimit(std::size_t objects);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_PLAYER_H_
