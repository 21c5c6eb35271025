// Pipeline: the disk takes one call while the engine computes the next. For gateways with more to
// decide than a disk confirms one after another.
//
//   auto pipeline = muster::Pipeline::Start(*durable_engine);
//   auto submitted = (*pipeline)->Call([&](auto& engine) { return engine.Submit(jobs, now); });
//   auto cycle = (*pipeline)->Call([&](auto& engine) { return engine.RunCycle(now); });
//   muster::Result<muster::CycleResult> decided = cycle.Wait();  // on disk: act on it
//
// Calls change the engine in their order at once. What one returned stays sealed until it, and
// with it everything before it, is on disk. When the disk fails, so does every call that was not
// there yet: no caller has seen those decisions, the engine drops its state, and opening the ledger
// again goes on from what was confirmed.
#ifndef MUSTER_PIPELINE_H_
#define MUSTER_PIPELINE_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "muster/durable_engine.h"
#include "muster/journal.h"

namespace muster {

class Pipeline;

/// What a call returned, a Status or a Result, not to be seen before it is on disk.
template <typename T>
class Sealed {
 public:
  Sealed(Pipeline& pipeline, Ticket ticket, T value)
      : pipeline_(&pipeline), ticket_(ticket), value_(std::move(value)) {}

  /// Whether Wait would return at once.
  bool Settled() const;
  /// What the call returned; kUnavailable with the cause when it could not be stored. Once only.
  T Wait();

 private:
  Pipeline* pipeline_;
  Ticket ticket_;
  T value_;
};

/// Used by one thread, like the engine. While it lives the engine is called through it alone.
class Pipeline {
 public:
  /// At most `in_flight` (> 0) calls are computed ahead of the disk; then a call waits for one to
  /// be stored. `engine` must outlive the pipeline. kUnavailable when the system gives no thread.
  static Result<std::unique_ptr<Pipeline>> Start(DurableEngine& engine, std::size_t in_flight = 8);
  /// Settle, its result ignored.
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  /// Runs `call(Engine&)`, which returns a Status or a Result that owns what it holds. It must not
  /// let anything out but through what it returns; what it throws becomes a Status, too.
  template <typename Function>
  Sealed<std::invoke_result_t<Function, Engine&>> Call(Function&& call) noexcept {
    using Returned = std::invoke_result_t<Function, Engine&>;
    if (Status closed = MakeRoom(); !closed.ok()) return {*this, Note(), std::move(closed)};
    try {
      Returned answer = std::forward<Function>(call)(engine_.engine());
      return {*this, Note(), std::move(answer)};
    } catch (...) {
      return {*this, Note(), Thrown()};
    }
  }

  /// Waits until everything is on disk. Until the next Call the engine may be used directly, and
  /// each of its calls is on disk when it returns. kUnavailable: not everything could be stored, or
  /// the engine is closed.
  Status Settle() noexcept;

  /// For Sealed.
  bool Settled(Ticket ticket) const noexcept;
  Status Durable(Ticket ticket) noexcept;

  /// The ticket behind which everything stands that was called so far; 0 before the first.
  Ticket newest() const noexcept;
  /// Waits until `ticket` is settled, and leaves the engine as it is. For threads beside the one
  /// that calls, which learns by Durable what came of it.
  void Await(Ticket ticket) const noexcept;

 private:
  struct State;
  Pipeline(DurableEngine& engine, std::unique_ptr<State> state);
  Status MakeRoom() noexcept;
  Ticket Note() noexcept;
  static Status Thrown() noexcept;

  DurableEngine& engine_;
  std::unique_ptr<State> state_;
};

template <typename T>
bool Sealed<T>::Settled() const {
  return pipeline_->Settled(ticket_);
}

template <typename T>
T Sealed<T>::Wait() {
  if (Status status = pipeline_->Durable(ticket_); !status.ok()) return status;
  return std::move(value_);
}

}  // namespace muster

#endif  // MUSTER_PIPELINE_H_
