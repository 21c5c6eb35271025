// The engine believes that what it appended is on disk; the seal on what its calls return makes up
// for that.
#include "muster/pipeline.h"

#include <deque>

#include "bindings/cpp/journal_route.h"
#include "db/sqlite/ledger.h"
#include "db/store_thread.h"
#include "engine/base/caught.h"

namespace muster {
struct Pipeline::State {
  /// The ledger's thread, not waited for.
  class Unwaited final : public Journal {
   public:
    explicit Unwaited(StoreThread& thread) : thread_(thread) {}
    Result<Ticket> Append(Commit commit) override { return thread_.Append(std::move(commit)); }
    Status Durable(Ticket) override { return thread_.failure(); }

   private:
    StoreThread& thread_;
  };

  State(std::unique_ptr<StoreThread> stores, std::size_t most)
      : thread(std::move(stores)), journal(*thread), in_flight(most) {}

  std::unique_ptr<StoreThread> thread;
  Unwaited journal;
  std::size_t in_flight;
  std::deque<Ticket> calls;  // not known to be on disk, oldest first
  bool abandoned = false;    // the engine has dropped its state
};

Result<std::unique_ptr<Pipeline>> Pipeline::Start(DurableEngine& engine, std::size_t in_flight) {
  if (Status closed = engine.engine().Closed(); !closed.ok()) return closed;
  return Guarded([&]() -> Result<std::unique_ptr<Pipeline>> {
    if (in_flight == 0) return Status(StatusCode::kInvalidArgument, "in_flight must be above 0");
    Result<std::unique_ptr<StoreThread>> thread = StoreThread::Start(engine.ledger());
    if (!thread.ok()) return thread.status();
    auto state = std::make_unique<State>(std::move(*thread), in_flight);
    return std::unique_ptr<Pipeline>(new Pipeline(engine, std::move(state)));
  });
}

Pipeline::Pipeline(DurableEngine& engine, std::unique_ptr<State> state)
    : engine_(engine), state_(std::move(state)) {}

Pipeline::~Pipeline() { (void)Settle(); }

Status Pipeline::MakeRoom() noexcept {
  State& s = *state_;
  while (!s.calls.empty() && s.thread->Settled(s.calls.front())) s.calls.pop_front();
  while (s.calls.size() >= s.in_flight) {
    (void)Durable(s.calls.front());  // a failure is for the one that waits for that call
    s.calls.pop_front();
  }
  engine_.route_->Lead(s.journal);
  return engine_.engine_.Closed();
}

Ticket Pipeline::Note() noexcept {
  const Ticket ticket = state_->thread->appended();
  try {
    state_->calls.push_back(ticket);
  } catch (...) {  // one call more than allowed may be under way
  }
  return ticket;
}

Status Pipeline::Thrown() noexcept { return Caught(); }

Status Pipeline::Settle() noexcept {
  const Status status = Durable(state_->thread->appended());
  state_->calls.clear();
  engine_.route_->Lead(engine_.ledger());
  return status.ok() ? engine_.engine_.Closed() : status;
}

bool Pipeline::Settled(Ticket ticket) const noexcept { return state_->thread->Settled(ticket); }

Ticket Pipeline::newest() const noexcept { return state_->thread->appended(); }

void Pipeline::Await(Ticket ticket) const noexcept {
  (void)Guarded([&] { return state_->thread->Durable(ticket); });
}

Status Pipeline::Durable(Ticket ticket) noexcept {
  Status status = Guarded([&] { return state_->thread->Durable(ticket); });
  if (!status.ok() && !state_->abandoned) {
    // What it decided since may not be seen; the next one begins with the failure.
    engine_.engine_ = Engine(engine_.route_.get());
    (void)engine_.engine_.Restore([&status](const Engine::RowSink&) { return status; });
    state_->abandoned = true;
  }
  return status;
}

}  // namespace muster
