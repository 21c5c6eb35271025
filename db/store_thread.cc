// One mutex guards what both threads see. The ledger itself is touched by its thread alone, but for
// waking it, and only between taking commits and saying that they are durable.
#include "db/store_thread.h"

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/caught.h"

namespace muster {

struct StoreThread::State {
  /// On its way: its newest commit, as this thread and as the ledger count.
  struct Group {
    Ticket own;
    Ticket of_ledger;
  };
  explicit State(GroupJournal& stores) : ledger(stores) {}

  GroupJournal& ledger;
  mutable std::mutex mutex;
  std::condition_variable work;  // there is something to store, or nothing will come any more
  std::condition_variable done;  // durable or failure changed
  std::vector<Commit> waiting;
  bool has_room = false;  // it waits for an answer, and could send another group meanwhile
  Ticket appended = 0;
  Ticket durable = 0;
  Status failure;
  bool stopping = false;
  std::thread thread;

  void Run();
  Result<Ticket> Send(std::vector<Commit> commits);
  bool Settled(Ticket ticket) const { return ticket <= durable || !failure.ok(); }
};

Result<std::unique_ptr<StoreThread>> StoreThread::Start(GroupJournal& ledger) {
  std::unique_ptr<StoreThread> made(new StoreThread(std::make_unique<State>(ledger)));
  try {
    made->state_->thread = std::thread([runs = made->state_.get()] { runs->Run(); });
  } catch (const std::system_error& error) {
    return Status(StatusCode::kUnavailable,
                  std::string("no thread for the ledger: ") + error.what());
  }
  return made;
}

StoreThread::StoreThread(std::unique_ptr<State> state) : state_(std::move(state)) {}

StoreThread::~StoreThread() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->work.notify_one();
  if (state_->thread.joinable()) state_->thread.join();
}

Result<Ticket> StoreThread::Append(Commit commit) {
  Ticket ticket = 0;
  bool wakes = false;
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->failure.ok()) return state_->failure;
    state_->waiting.push_back(std::move(commit));
    ticket = ++state_->appended;
    wakes = std::exchange(state_->has_room, false);
  }
  state_->work.notify_one();
  if (wakes) state_->ledger.Wake();
  return ticket;
}

Status StoreThread::Durable(Ticket ticket) {
  State& s = *state_;
  std::unique_lock lock(s.mutex);
  if (ticket > s.appended) return {StatusCode::kInternal, "this ticket was never given out"};
  s.done.wait(lock, [&] { return s.Settled(ticket); });
  return ticket <= s.durable ? Status::Ok() : s.failure;
}

bool StoreThread::Settled(Ticket ticket) const {
  const std::lock_guard lock(state_->mutex);
  return state_->Settled(ticket);
}

Ticket StoreThread::appended() const {
  const std::lock_guard lock(state_->mutex);
  return state_->appended;
}

Status StoreThread::failure() const {
  const std::lock_guard lock(state_->mutex);
  return state_->failure;
}

void StoreThread::State::Run() {
  std::vector<Group> sent;  // a deque takes memory when it is empty, which may fail
  std::unique_lock lock(mutex);
  while (true) {
    if (sent.empty()) work.wait(lock, [this] { return stopping || !waiting.empty(); });
    if (sent.empty() && waiting.empty()) return;
    const bool room = sent.size() < ledger.useful_groups();
    if (room && !waiting.empty()) {
      std::vector<Commit> commits = std::exchange(waiting, {});
      const Ticket newest = appended;
      lock.unlock();
      const Status begun = Guarded([&] {
        sent.reserve(sent.size() + 1);
        const Result<Ticket> ticket = Send(std::move(commits));
        if (ticket.ok()) sent.push_back({newest, *ticket});
        return ticket.status();
      });
      lock.lock();
      failure = begun;
    } else {
      has_room = room;
      lock.unlock();
      const Result<bool> stored = Guarded([&] { return ledger.Await(sent.front().of_ledger); });
      lock.lock();
      has_room = false;
      if (!stored.ok()) {
        failure = stored.status();
      } else if (*stored) {
        durable = sent.front().own;
        sent.erase(sent.begin());
        done.notify_all();
      }
    }
    if (!failure.ok()) {
      waiting.clear();
      sent.clear();
      done.notify_all();
    }
  }
}

Result<Ticket> StoreThread::State::Send(std::vector<Commit> commits) {
  Ticket newest = 0;
  for (Commit& commit : commits) {
    const Result<Ticket> ticket = ledger.Append(std::move(commit));
    if (!ticket.ok()) return ticket.status();
    newest = *ticket;
  }
  if (Status status = ledger.Begin(newest); !status.ok()) return status;
  return newest;
}

}  // namespace muster
