// Calls ahead of the disk, and what keeps a process away from the engines of the one that forked
// it.
#include <pthread.h>

#include <atomic>

#include "bindings/c/handles.h"

namespace {

constexpr std::size_t kInFlight = 8;
std::atomic<std::uint64_t> forks{0};

/// fork(2) calls the handler in the child, before anything else runs there.
void CountForks() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { ++forks; });
  (void)registered;  // without memory for it a fork is not noticed
}

}  // namespace

muster_engine::muster_engine() : born((CountForks(), muster::c::Forks())) {}

namespace muster::c {

std::uint64_t Forks() noexcept { return forks.load(std::memory_order_relaxed); }

Status CheckUsable(const muster_engine* engine) {
  if (engine == nullptr) return Misuse("engine is NULL; open one");
  if (engine->born == Forks()) return Status::Ok();
  return {StatusCode::kFailedPrecondition,
          "the engine belongs to the process that called fork(); open one in this process"};
}

Status Settle(muster_engine& engine) {
  return engine.pipeline ? engine.pipeline->Settle() : Status::Ok();
}

Status CallAhead(muster_engine& engine, const std::function<Status(Engine&)>& call) {
  if (!engine.pipeline) return call(engine.get());
  std::optional<Status> told;
  auto sealed = engine.pipeline->Call([&](Engine& e) {
    told = call(e);
    return *told;
  });
  return told ? *std::move(told) : sealed.Wait();  // it was closed, or the call has thrown
}

Ticket NewestTicket(const muster_engine& engine) {
  return engine.stored + (engine.pipeline ? engine.pipeline->newest() : 0);
}

Status AwaitStored(muster_engine& engine, Ticket ticket, std::unique_lock<std::mutex>* lock) {
  // A pipeline that was stopped has stored what it took, or closed the engine.
  if (!engine.pipeline) return engine.get().Closed();
  if (ticket <= engine.stored) return Status::Ok();
  const Pipeline& pipeline = *engine.pipeline;
  const Ticket of_pipeline = ticket - engine.stored;
  ++engine.awaiting;
  lock->unlock();
  pipeline.Await(of_pipeline);
  lock->lock();
  --engine.awaiting;
  engine.awaited.notify_all();
  return engine.pipeline->Durable(of_pipeline);
}

namespace {

Status CheckTicket(const muster_engine& engine, std::int64_t ticket) {
  const Ticket newest = NewestTicket(engine);
  if (ticket >= 0 && static_cast<Ticket>(ticket) <= newest) return Status::Ok();
  return Misuse("ticket " + std::to_string(ticket) + " was not given yet; the newest is " +
                std::to_string(newest));
}

Status StopPipeline(muster_engine& engine, std::unique_lock<std::mutex>* lock) {
  engine.awaited.wait(*lock, [&] { return engine.awaiting == 0; });
  const Status stored = Settle(engine);
  if (engine.pipeline) engine.stored += engine.pipeline->newest();
  engine.pipeline.reset();
  return stored;
}

}  // namespace
}  // namespace muster::c

using muster::Result;
using muster::Status;
using muster::StatusCode;
using muster::c::CheckTicket;
using muster::c::CheckUsable;
using muster::c::Enter;
using muster::c::InCall;
using muster::c::Run;

muster_code muster_pipeline_start(muster_engine* engine, size_t in_flight, muster_error** error) {
  return Enter(engine, error, [&](muster_engine& entered) -> Status {
    if (!entered.durable) {
      return {StatusCode::kFailedPrecondition,
              "an engine in memory keeps nothing, so it waits for no disk; open a ledger"};
    }
    if (entered.pipeline) {
      return {StatusCode::kFailedPrecondition,
              "the engine has a pipeline; muster_pipeline_stop ends it"};
    }
    Result<std::unique_ptr<muster::Pipeline>> started =
        muster::Pipeline::Start(*entered.durable, in_flight == 0 ? kInFlight : in_flight);
    if (!started.ok()) return started.status();
    entered.pipeline = *std::move(started);
    return Status::Ok();
  });
}

muster_code muster_pipeline_stop(muster_engine* engine, muster_error** error) {
  return Run(error, [&]() -> Status {
    if (Status wrong = CheckUsable(engine); !wrong.ok()) return wrong;
    const InCall counted(*engine);
    std::unique_lock<std::mutex> lock(engine->mutex);
    return muster::c::StopPipeline(*engine, &lock);
  });
}

muster_code muster_pipeline_ticket(muster_engine* engine, int64_t* ticket, muster_error** error) {
  if (ticket != nullptr) *ticket = 0;
  return Enter(engine, error, [&](muster_engine& entered) {
    if (ticket != nullptr) *ticket = static_cast<int64_t>(muster::c::NewestTicket(entered));
    return Status::Ok();
  });
}

muster_code muster_pipeline_wait(muster_engine* engine, int64_t ticket, muster_error** error) {
  return Run(error, [&]() -> Status {
    if (Status wrong = CheckUsable(engine); !wrong.ok()) return wrong;
    const InCall counted(*engine);
    std::unique_lock<std::mutex> lock(engine->mutex);
    if (Status wrong = CheckTicket(*engine, ticket); !wrong.ok()) return wrong;
    return muster::c::AwaitStored(*engine, static_cast<muster::Ticket>(ticket), &lock);
  });
}

muster_code muster_pipeline_stored(muster_engine* engine, int64_t ticket, int32_t* stored,
                                   muster_error** error) {
  if (stored != nullptr) *stored = 0;
  return Enter(engine, error, [&](muster_engine& entered) -> Status {
    if (Status wrong = CheckTicket(entered, ticket); !wrong.ok()) return wrong;
    const auto wanted = static_cast<muster::Ticket>(ticket);
    Status failed = entered.get().Closed();
    if (entered.pipeline && wanted > entered.stored) {
      const muster::Ticket own = wanted - entered.stored;
      if (!entered.pipeline->Settled(own)) return Status::Ok();
      failed = entered.pipeline->Durable(own);
    }
    if (failed.ok() && stored != nullptr) *stored = 1;
    return failed;
  });
}
