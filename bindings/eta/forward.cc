// As bindings/simulate plays a log, but from a present that others have made.
#include "bindings/eta/forward.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

#include "bindings/lab/player.h"
#include "bindings/lab/read.h"

namespace muster::eta {
namespace {

constexpr std::size_t kMostCyclesNow = 100'000;
/// Workloads that came and wait, beside as many as wait at present: a queue that grows beyond that
/// is taken to grow without end.
constexpr std::size_t kMostBacklog = 200;

struct Ending {
  TimeNs at = kNoTime;
  std::size_t job = 0;       ///< in the states
  std::int32_t attempt = 0;  ///< it is about that attempt alone
  auto Order() const { return std::tie(at, job, attempt); }
  bool operator>(const Ending& other) const { return Order() > other.Order(); }
};

using Endings = std::priority_queue<Ending, std::vector<Ending>, std::greater<>>;

class ForwardRun {
 public:
  ForwardRun(Engine& engine, const Future& future)
      : engine_(engine),
        future_(future),
        player_(
            engine, future.now,
            [this](const lab::CycleOutcome& cycle) { return Take(cycle.result); },
            lab::Detail::kDecisions),
        waiting_(future.asked.size()) {}

  Result<Course> Play() {
    Settle();
    Draw();
    for (std::size_t instant = 0; instant < kMostInstants; ++instant) {
      Status status = Tell();
      if (status.ok()) status = Decide();
      if (!status.ok()) return status;
      if (waiting_ == 0 || backlog_ > most_backlog_) break;
      const TimeNs next = NextTime();
      course_.rests = next == kNoTime;
      if (next == kNoTime || next > future_.horizon) break;
      player_.Pass(next - player_.now());
    }
    return std::move(course_);
  }

 private:
  struct State {
    DurationNs run = kForEver;
    bool runs = false;
    bool came = false;  ///< it was not there at present
    std::int32_t attempt = 0;
  };

  /// The present: it may have a hundred thousand jobs, so nothing is put into an order one by one.
  void Settle() {
    std::vector<Ending> endings;
    states_.resize(future_.jobs.size());
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const PresentJob& job = future_.jobs[i];
      states_[i].run = job.run;
      if (job.started != kNoTime) {
        const std::optional<Ending> ending = Begin(i, job.started);
        if (ending) endings.push_back(*ending);
      } else if (job.reserved) {
        reserved_.push_back(job.key);
      } else {
        ++most_backlog_;
      }
    }
    endings_ = Endings(std::greater<>(), std::move(endings));
  }

  const Key& KeyOf(std::size_t job) const {
    const std::size_t present = future_.jobs.size();
    return job < present ? future_.jobs[job].key : others_[job - present];
  }

  /// One that is not known yet is from now on.
  std::size_t JobOf(const Key& key) {
    const auto present =
        std::lower_bound(future_.jobs.begin(), future_.jobs.end(), key,
                         [](const PresentJob& job, const Key& wanted) { return job.key < wanted; });
    if (present != future_.jobs.end() && present->key == key) {
      return static_cast<std::size_t>(present - future_.jobs.begin());
    }
    const auto [other, is_new] = job_of_other_.emplace(key, states_.size());
    if (is_new) {
      others_.push_back(key);
      states_.emplace_back();
    }
    return other->second;
  }

  void Draw() {
    arrival_ = future_.next_arrival ? future_.next_arrival() : std::nullopt;
    ++arrivals_;
  }

  bool IsStale(const Ending& ending) const {
    const State& state = states_[ending.job];
    return !state.runs || state.attempt != ending.attempt;
  }

  TimeNs NextTime() {
    while (!endings_.empty() && IsStale(endings_.top())) endings_.pop();
    TimeNs next = endings_.empty() ? kNoTime : endings_.top().at;
    const auto sooner = [&next](TimeNs at) {
      if (at != kNoTime && (next == kNoTime || at < next)) next = at;
    };
    if (arrival_) sooner(arrival_->at);
    sooner(lab::Read(engine_.NextDeadline()));
    return next == kNoTime ? next : std::max(next, player_.now() + 1);
  }

  /// Tells the engine what happens now.
  Status Tell() {
    command::Finish finish;
    for (; !endings_.empty() && endings_.top().at <= player_.now(); endings_.pop()) {
      const Ending& ending = endings_.top();
      if (IsStale(ending)) continue;
      states_[ending.job].runs = false;
      finish.workloads.push_back(KeyOf(ending.job));
    }
    Status status;
    if (!finish.workloads.empty()) status = player_.Do(finish);
    for (; status.ok() && arrival_ && arrival_->at <= player_.now(); Draw()) {
      arrival_->spec.key.name = "expected-arrival-" + std::to_string(arrivals_);
      arrival_->spec.uid = {};  // it is like a job of the past, and another one
      // What came in the past may make no sense any more; then it does not come.
      const Status taken = player_.Do(command::Submit{{arrival_->spec}});
      if (taken.code() == StatusCode::kInternal) status = taken;
      if (!taken.ok()) continue;
      State& state = states_[JobOf(arrival_->spec.key)];
      state.run = arrival_->run;
      state.came = true;
      ++backlog_;
    }
    return status;
  }

  /// Cycles until none would decide anything at this time.
  Status Decide() {
    do {
      if (Status status = AnswerChecks(); !status.ok()) return status;
      const Result<bool> rests =
          player_.RunUntilIdle(kMostCyclesNow, lab::Evictions::kComplete, lab::EmptyCycles::kCount);
      if (!rests.ok()) return rests.status();
      if (!*rests) {
        return {StatusCode::kFailedPrecondition,
                "still busy after " + std::to_string(kMostCyclesNow) +
                    " cycles at one instant; the jobs seem to preempt each other in turn"};
      }
    } while (!reserved_.empty());
    return Status::Ok();
  }

  Status AnswerChecks() {
    for (const Key& key : std::exchange(reserved_, {})) {
      const WorkloadView view = lab::Read(engine_.GetWorkload(key));
      if (view.phase != WorkloadPhase::kReserved) continue;
      for (const AdmissionCheckStatus& check : view.spec.status.admission_checks) {
        CheckUpdate ready;
        ready.workload = key;
        ready.check = check.name;
        ready.state = CheckState::kReady;
        if (Status status = player_.Do(ready); !status.ok()) return status;
      }
      if (lab::Read(engine_.GetWorkload(key)).phase != WorkloadPhase::kAdmitted) continue;
      if (Status status = player_.Do(command::Ready{{key}}); !status.ok()) return status;
      Start(key);
    }
    return Status::Ok();
  }

  Status Take(const CycleResult& result) {
    for (const EvictedWorkload& each : result.evicted) Stop(each.workload);
    for (const PreemptedWorkload& each : result.preempted) Stop(each.workload);
    command::Ready ready;
    for (const AdmittedWorkload& each : result.admitted) {
      if (!each.admitted) {
        reserved_.push_back(each.workload);
        continue;
      }
      ready.workloads.push_back(each.workload);
      Start(each.workload);
    }
    return ready.workloads.empty() ? Status::Ok() : player_.Do(ready);
  }

  void Start(const Key& key) {
    const std::optional<Ending> ending = Begin(JobOf(key), player_.now());
    if (ending) endings_.push(*ending);
  }

  /// nullopt: it does not end.
  std::optional<Ending> Begin(std::size_t job, TimeNs started) {
    State& state = states_[job];
    state.runs = true;
    if (++state.attempt == 1 && state.came) --backlog_;
    const Key& key = KeyOf(job);
    if (future_.asked.contains(key) && course_.starts.emplace(key, started).second) --waiting_;
    if (state.run == kForEver) return std::nullopt;
    return Ending{started + state.run, job, state.attempt};
  }

  void Stop(const Key& key) {
    states_[JobOf(key)].runs = false;
    std::erase(reserved_, key);
  }

  Engine& engine_;
  const Future& future_;
  lab::Player player_;
  std::vector<State> states_;  ///< of Future::jobs, then of the others
  std::deque<Key> others_;     ///< whose states these are, in this order
  std::map<Key, std::size_t> job_of_other_;
  Endings endings_;
  std::vector<Key> reserved_;
  std::optional<ComingJob> arrival_;
  std::size_t arrivals_ = 0;
  std::size_t backlog_ = 0;  ///< of those that came, how many have not started yet
  std::size_t most_backlog_ = kMostBacklog;
  std::size_t waiting_;
  Course course_;
};

}  // namespace

Result<Course> RunForward(Engine& engine, const Future& future) {
  try {
    return ForwardRun(engine, future).Play();
  } catch (const lab::Refused& refused) {
    return refused.status();
  }
}

}  // namespace muster::eta
