// A job's answer is sealed until the disk has it. While one waits for the disk, others gather, and
// all that the disk took at once leaves in one group.
#include "bindings/http/engine_room.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "bindings/http/problem.h"
#include "bindings/http/surely.h"
#include "db/store.h"
#include "engine/base/caught.h"
#include "muster/log.h"
#include "muster/muster.h"

namespace muster::http {
namespace {

constexpr std::size_t kInFlight = 1024;                // calls computed ahead of the disk
constexpr std::size_t kTurn = 256;                     // jobs of a kind between two looks at cycles
constexpr std::chrono::milliseconds kLongestTurn{20};  // in which the next one is begun
constexpr std::chrono::milliseconds kLook{200};        // for saves of watched policies
constexpr std::chrono::milliseconds kLookBusy{20};
constexpr std::chrono::seconds kLookAround{1};  // for packages that are new

/// When the next window of a policy that declares one begins; kNoTime: none does.
TimeNs NextWindow(const Engine& engine, TimeNs now) {
  const Result<std::vector<PolicyInfo>> policies = engine.Policies();
  if (!policies.ok()) return kNoTime;
  TimeNs next = kNoTime;
  for (const PolicyInfo& policy : *policies) {
    for (const HookInfo& hook : policy.hooks) {
      const auto every = static_cast<TimeNs>(std::llround(hook.every * 1e9));
      if (every <= 0 || every > kLongestTimeJump) continue;
      const TimeNs window = (now / every + 1) * every;
      next = next == kNoTime ? window : std::min(next, window);
    }
  }
  return next;
}

double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::chrono::system_clock::time_point WallTime(TimeNs time) {
  const TimeNs second = (time + kSecond - 1) / kSecond;  // the engine's clock is cut to the second
  return std::chrono::system_clock::time_point(std::chrono::seconds(second));
}

/// Names the caller of a job in what it changes, for as long as it runs.
class CallerOf {
 public:
  CallerOf(DurableEngine& durable, const Job& job) : durable_(job.changes ? &durable : nullptr) {
    // Of a closed engine the work says so itself.
    if (durable_ != nullptr) (void)durable_->SetCaller(job.caller);
  }
  ~CallerOf() {
    if (durable_ != nullptr) (void)durable_->SetCaller({});
  }
  CallerOf(const CallerOf&) = delete;
  CallerOf& operator=(const CallerOf&) = delete;

 private:
  DurableEngine* durable_;
};

}  // namespace

Result<std::unique_ptr<EngineRoom>> EngineRoom::Open(DurableEngine& engine,
                                                     EngineRoomOptions options) {
  std::unique_ptr<EngineRoom> room(new EngineRoom(engine, std::move(options)));
  Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::Start(engine, kInFlight);
  if (!pipeline.ok()) return pipeline.status();
  const Status listens = engine.Listen(
      [metrics = room->options_.metrics](const Commit& commit) { metrics->NoteCommit(commit); });
  if (!listens.ok()) return listens;
  room->pipeline_ = std::move(*pipeline);
  for (const ReloadOptions& watched : room->options_.watched) {
    auto reloader = std::make_unique<PolicyReloader>(watched);
    if (Status status = reloader->status(); !status.ok()) return status;
    reloader->Stage();
    room->reloaders_.emplace(watched.folder, std::move(reloader));
  }
  try {
    room->thread_ = std::thread([&room = *room] { room.Run(); });
  } catch (const std::system_error& error) {
    return Status(StatusCode::kUnavailable, std::string("no thread: ") + error.what());
  }
  return room;
}

EngineRoom::EngineRoom(DurableEngine& engine, EngineRoomOptions options)
    : durable_(engine), options_(std::move(options)) {}

EngineRoom::~EngineRoom() {
  Stop();
  (void)durable_.Listen({});
}

void EngineRoom::Do(Job job) {
  job.asked = Clock::now();
  Entries entry;
  entry.push_back({std::move(job)});
  {
    const std::lock_guard lock(mutex_);
    if (!stopping_) {
      const Job& taken = entry.front().job;
      Entries& reads = taken.turn == Turn::kFirst ? firsts_ : reads_;
      Entries& queue = taken.changes ? changes_ : reads;
      queue.splice(queue.end(), entry);
      wake_.notify_one();
      return;
    }
  }
  HandOver(&entry);
}

bool EngineRoom::LedgerIsAnothers() const noexcept { return durable_.ledger().superseded(); }

void EngineRoom::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void EngineRoom::Run() {
  for (;;) {
    const bool idle = !Wait();
    if (ending_) break;
    CarryTurn(firsts_);
    CarryTurn(changes_);
    CarryTurn(reads_);
    if (!closed_) Take("watching policies", [this] { PollPolicies(); });
    if (!closed_) Take("a cycle", [this] { CycleIfDue(); });
    AskAgain();
    Take("an answer", [this, idle] { Deliver(idle); });
    if (std::exchange(lacking_, false)) std::this_thread::sleep_for(kTryAgain);
  }
  AskAgain();
  while (!undelivered_.empty() || !settled_.empty()) {
    Take("an answer", [this] { Deliver(/*idle=*/true); });
    if (std::exchange(lacking_, false)) std::this_thread::sleep_for(kTryAgain);
  }
  const Status settled = pipeline_->Settle();
  if (!settled.ok()) NoteClosed(settled);
}

/// Takes a step; one for which there is no memory is taken up again after the others.
template <typename Step>
void EngineRoom::Take(const char* what, const Step& step) noexcept {
  try {
    step();
  } catch (...) {
    lacking_ = true;
    LogCaught(what);
  }
}

/// When there will be something to do without another job; nullopt: not before one.
std::optional<EngineRoom::Clock::time_point> EngineRoom::NextWake() const {
  std::optional<Clock::time_point> wake;
  const auto at = [&wake](Clock::time_point time) { wake = wake ? std::min(*wake, time) : time; };
  for (const Entry& entry : waiting_) at(*entry.job.until);
  if (closed_) return wake;
  if (restless_) at(next_cycle_);
  if (due_ != kNoTime) at(Clock::now() + (WallTime(due_) - std::chrono::system_clock::now()));
  if (reloaders_.empty() && !options_.packages) return wake;
  const bool busy = std::any_of(reloaders_.begin(), reloaders_.end(),
                                [](const auto& each) { return each.second->busy(); });
  at(Clock::now() + (busy ? kLookBusy : kLook));
  return wake;
}

/// Waits until there is something to do; whether that is a job. Once it is to stop, what waits is
/// refused.
bool EngineRoom::Wait() {
  const std::optional<Clock::time_point> wake = NextWake();
  std::unique_lock lock(mutex_);
  const auto ready = [this] {
    return stopping_ || !firsts_.empty() || !changes_.empty() || !reads_.empty();
  };
  if (!undelivered_.empty() || !settled_.empty()) {
    // Deliver waits for the disk.
  } else if (wake) {
    wake_.wait_until(lock, *wake, ready);
  } else {
    wake_.wait(lock, ready);
  }
  if (!stopping_) return ready();
  ending_ = true;
  for (Entries* const queue : {&firsts_, &changes_, &reads_}) {
    settled_.splice(settled_.end(), *queue);
  }
  return false;
}

/// Carries out jobs of one kind until its turn is over, or the service stops.
void EngineRoom::CarryTurn(Entries& queue) {
  const Clock::time_point end = Clock::now() + kLongestTurn;
  for (std::size_t i = 0; i < kTurn && (i == 0 || Clock::now() < end); ++i) {
    std::unique_lock lock(mutex_);
    if (stopping_ || queue.empty()) return;
    Entries entry;
    entry.splice(entry.end(), queue, queue.begin());
    lock.unlock();
    Job& job = entry.front().job;
    // Its caller may have left long ago; so each that comes later has its answer in time.
    if (!job.changes && job.turn == Turn::kInTime &&
        Clock::now() - job.asked > options_.longest_queued) {
      job.alone = false;
      job.work = [](Engine&, TimeNs) { return TooMuch("too many wait for an answer"); };
    }
    Carry(std::move(entry));
  }
}

/// Carries out the one job of a list.
void EngineRoom::Carry(Entries entry) {
  Job& job = entry.front().job;
  const TimeNs now = WallClock();
  const Clock::time_point taken = Clock::now();
  bool nothing_yet = false;
  const auto work = [&](Engine& engine) -> Result<Response> {
    const CallerOf caller(durable_, job);
    Response response = job.work(engine, now);
    nothing_yet = response.nothing_yet;
    return response;
  };
  // After Settle each call is on disk when it returns, and nothing else reads or writes the ledger.
  std::optional<Result<Response>> done;
  if (job.alone) {
    const Status settled = pipeline_->Settle();
    if (!settled.ok()) NoteClosed(settled);
    done = Guarded([&] { return work(durable_.engine()); });
  }
  entry.front().taken = taken;
  entry.front().sealed.emplace(pipeline_->Call(
      [&](Engine& engine) -> Result<Response> { return done ? *std::move(done) : work(engine); }));
  restless_ = restless_ || job.changes;
  changed_ = changed_ || job.changes;
  if (nothing_yet && job.until && taken < *job.until && !ending_) {
    waiting_.splice(waiting_.end(), entry);
  } else {
    job.work = nullptr;  // what it holds may be large
    undelivered_.splice(undelivered_.end(), entry);
  }
}

/// Asks those that wait for news when there may be some, and those whose time is over.
void EngineRoom::AskAgain() {
  Entries again;
  const Clock::time_point now = Clock::now();
  const bool all = std::exchange(changed_, false) || ending_ || closed_;
  for (auto each = waiting_.begin(); each != waiting_.end();) {
    const auto entry = each++;
    if (all || now >= *entry->job.until) again.splice(again.end(), waiting_, entry);
  }
  while (!again.empty()) {
    Entries entry;
    entry.splice(entry.end(), again, again.begin());
    Carry(std::move(entry));
  }
}

void EngineRoom::CycleIfDue() {
  const TimeNs now = WallClock();
  const bool due = due_ != kNoTime && now >= due_;
  if ((!restless_ && !due) || Clock::now() < next_cycle_) return;
  bool at_rest = false;
  bool looked = false;  // for when the next one is due
  Status ran;
  const Clock::time_point begin = Clock::now();
  (void)pipeline_->Call([&](Engine& engine) -> Status {
    const Result<CycleResult> result = engine.RunCycle(now);
    ran = result.status();
    at_rest = result.ok() && result->at_rest;
    changed_ = changed_ || (result.ok() && !(result->DecidedNothing() && result->evicted.empty()));
    if (result.ok()) options_.metrics->NoteCycle(*result, SecondsSince(begin), engine);
    LookAhead(engine);
    looked = true;
    return ran;
  });
  next_cycle_ = Clock::now() + options_.tick;
  restless_ = ran.ok() && !(at_rest && looked);
  if (ran.ok() && looked) return;
  const Status closed = durable_.engine().Closed();
  if (!closed.ok()) return NoteClosed(closed);
  if (ran.ok() || ran.code() == StatusCode::kUnavailable) {  // there was no memory
    restless_ = true;
    next_cycle_ = Clock::now() + std::max(options_.tick, kTryAgain);
  }
  if (ran.ok()) return;
  due_ = kNoTime;
  Log(LogLevel::kError, "no cycle: " + ran.message());
}

/// Finds out when time alone may change something.
void EngineRoom::LookAhead(Engine& engine) {
  const Result<TimeNs> deadline = engine.NextDeadline();
  const TimeNs window = NextWindow(engine, WallClock());
  due_ = deadline.ok() ? *deadline : kNoTime;
  if (due_ == kNoTime || (window != kNoTime && window < due_)) due_ = window;
}

void EngineRoom::LookForPackages() {
  if (!options_.packages || Clock::now() < next_look_) return;
  next_look_ = Clock::now() + kLookAround;
  for (PolicyReloader* reloader : std::exchange(found_, {})) reloader->Stage();
  std::set<std::string> there;
  for (const ReloadOptions& package : options_.packages()) {
    there.insert(package.folder);
    if (reloaders_.contains(package.folder)) continue;
    auto reloader = std::make_unique<PolicyReloader>(package);
    if (const Status status = reloader->status(); !status.ok()) {
      // Every look tries again; once is enough to say so.
      if (!unwatched_.insert(package.folder).second) continue;
      Log(LogLevel::kError, "watched policy: " + status.message());
      continue;
    }
    unwatched_.erase(package.folder);
    found_.push_back(reloader.get());
    reloaders_.emplace(package.folder, std::move(reloader));
  }
  LetGo(there);
}

/// Watches no more what is gone, for each takes a thread and a queue of the system.
void EngineRoom::LetGo(const std::set<std::string>& there) {
  std::erase_if(unwatched_, [&](const std::string& folder) { return !there.contains(folder); });
  std::erase_if(reloaders_, [&](const auto& each) {
    if (there.contains(each.first) || each.second->busy()) return false;
    std::error_code error;
    return !std::filesystem::exists(each.first, error) && !error;
  });
}

void EngineRoom::PollPolicies() {
  LookForPackages();
  for (const auto& [folder, reloader] : reloaders_) {
    if (!reloader->busy()) continue;
    if (const Status settled = pipeline_->Settle(); !settled.ok()) return NoteClosed(settled);
    const Result<std::vector<ReloadStep>> steps = reloader->Poll(durable_, WallClock());
    if (!steps.ok()) {
      Log(LogLevel::kError, "watched policy: " + steps.status().message());
      continue;
    }
    for (const ReloadStep& step : *steps) {
      const bool activated = step.outcome == ReloadStep::Outcome::kActivated;
      restless_ = restless_ || activated;
      if (!activated) {
        Log(LogLevel::kWarning, "policy " + step.package + " refused: " + step.message);
      }
    }
  }
}

/// Hands over what is on disk; with `idle` there is nothing better to do than to wait for that.
void EngineRoom::Deliver(bool idle) {
  while (!undelivered_.empty() &&
         ((idle && settled_.empty()) || closed_ || undelivered_.front().sealed->Settled())) {
    Entry& front = undelivered_.front();
    front.answer.emplace(front.sealed->Wait());
    settled_.splice(settled_.end(), undelivered_, undelivered_.begin());
    if (!front.answer->ok()) {
      const Status closed = durable_.engine().Closed();
      if (!closed.ok()) NoteClosed(closed);
    }
    options_.metrics->NoteAnswered(SecondsSince(front.taken));
  }
  HandOver(&settled_);
}

/// Those without an answer are refused. Unchanged when there is no memory.
void EngineRoom::HandOver(Entries* entries) {
  if (entries->empty()) return;
  const auto group = std::make_shared<Entries>();
  std::function<void()> say = [group] {
    for (Entry& entry : *group) {
      try {
        std::optional<Result<Response>>& answer = entry.answer;
        entry.job.reply(!answer        ? Stopping()
                        : answer->ok() ? **std::move(answer)
                                       : Refuse(RefusalOf(answer->status())));
      } catch (...) {  // of one session, which ends with it
        LogCaught("an answer");
      }
    }
  };
  group->swap(*entries);
  try {
    options_.post(std::move(say));
  } catch (...) {
    entries->swap(*group);
    throw;
  }
}

void EngineRoom::NoteClosed(const Status& status) {
  if (std::exchange(closed_, true)) return;
  Take("the log", [&] { Log(LogLevel::kError, "the engine is closed: " + status.message()); });
  Surely([&] { options_.on_closed(status); });
}

}  // namespace muster::http
