// Three kinds of events in one heap: jobs end, pods of evicted jobs are gone, deadlines of the
// engine; arrivals come in their own order. All of one instant are told before cycles run.
#include "bindings/simulate/simulate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "bindings/lab/player.h"
#include "bindings/lab/read.h"
#include "bindings/simulate/gang_meter.h"
#include "bindings/simulate/number.h"
#include "bindings/simulate/use.h"

namespace muster::simulate {
namespace {

/// Cycles at one instant beyond which the jobs seem to evict each other in turn.
constexpr std::size_t kMostCycles = 100'000;
constexpr std::string_view kPodSet = "main";

/// Where jobs of one queue of the log go.
struct Destination {
  const Key* queue = nullptr;
  Text name;  ///< of it, in the memory that all its jobs share
};

/// A list that is made anew time and again, in the memory of its elements before.
template <typename T>
class Refilled {
 public:
  void Clear() { size_ = 0; }
  /// One more element, as it was left.
  T& Next() { return size_++ < elements_.size() ? elements_[size_ - 1] : elements_.emplace_back(); }
  std::span<const T> Get() const { return std::span(elements_).first(size_); }

 private:
  std::vector<T> elements_;
  std::size_t size_ = 0;
};

struct Coming {
  TimeNs at = kNoTime;
  bool leaves = false;  ///< its pods are gone; else it ends
  std::size_t job = 0;
  std::int32_t attempt = 0;  ///< an end counts for the attempt that it belongs to alone
  auto Order() const { return std::tuple(at, leaves, job, attempt); }
  bool operator>(const Coming& other) const { return Order() > other.Order(); }
};

/// Whether what starts is looked at until its pods are ready.
bool WaitsForPods(const manifest::Manifests& cluster) {
  return std::any_of(cluster.objects.begin(), cluster.objects.end(), [](const Object& object) {
    const auto* const config = std::get_if<Configuration>(&object);
    return config != nullptr && config->wait_for_pods_ready.has_value();
  });
}

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool IsLabelValue(std::string_view text) {
  constexpr std::size_t kLongest = 63;
  return !text.empty() && text.size() <= kLongest && IsWord(text.front()) && IsWord(text.back()) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return IsWord(c) || c == '-' || c == '_' || c == '.'; });
}

/// The same cluster, where what has ended is forgotten at once: it is not looked at any more, and
/// takes no memory.
std::vector<Object> ForgettingWhatEnds(std::vector<Object> objects) {
  EngineConfiguration config;
  std::erase_if(objects, [&config](const Object& object) {
    const auto* const given = std::get_if<EngineConfiguration>(&object);
    if (given != nullptr) config = *given;
    return given != nullptr;
  });
  config.keep_finished = 0;
  objects.emplace_back(config);
  return objects;
}

class Simulator {
 public:
  Simulator(const manifest::Manifests& cluster, std::span<const TraceJob> jobs,
            const Mapping& mapping, const Habits& habits, Journal* journal)
      : cluster_(cluster),
        jobs_(jobs),
        mapping_(mapping),
        habits_(habits),
        tells_ready_(journal != nullptr || WaitsForPods(cluster)),
        engine_(journal),
        player_(
            engine_, mapping.origin + jobs.front().submit,
            [this](const lab::CycleOutcome& cycle) { return Take(cycle.result); },
            lab::Detail::kDecisions),
        state_(jobs.size()) {
    run_.fates.resize(jobs.size());
    run_.first = mapping.origin + jobs.front().submit;
    run_.from = run_.first + habits.warm_up;
    run_.until = mapping.origin + jobs.back().submit - habits.drain;
  }

  Result<Run> Play(const Prepare& prepare, const Watcher& watcher) {
    Status status = player_.Apply(ForgettingWhatEnds(cluster_.objects), MissingReference::kAccept);
    if (status.ok() && prepare) status = prepare(engine_, player_.now());
    if (!status.ok()) return status;
    const std::vector<ClusterQueueView> queues = lab::Read(engine_.ClusterQueues());
    use_.emplace(mapping_.resource, run_.from, run_.until);
    use_->SetQueues(queues);
    gangs_.emplace(run_.from, run_.until);
    FindQueues();
    for (TimeNs next = NextTime(); next != kNoTime; next = NextTime()) {
      use_->Pass(next);
      gangs_->Pass(engine_, next);
      CountWaiting(next);
      player_.Pass(next - player_.now());
      status = Tell(next);
      if (status.ok()) status = Decide();
      if (!status.ok()) return status;
      if (watcher && !watcher(ended_)) {
        run_.interrupted = true;
        break;
      }
    }
    gangs_->Pass(engine_, run_.until);
    run_.gangs = gangs_->Finish();
    run_.queues = use_->Finish();
    run_.cycles = static_cast<std::int64_t>(player_.cycles());
    const double span = InSeconds(std::max<DurationNs>(1, run_.until - run_.from));
    run_.waiting_mean = waited_ / span;
    run_.unfinished = jobs_.size() - ended_;
    return std::move(run_);
  }

 private:
  struct State {
    DurationNs left = 0;       ///< of its run
    TimeNs started = kNoTime;  ///< of this attempt; kNoTime: it does not run
    std::int32_t attempt = 0;
    std::vector<Holding> holding;  ///< what it is charged
  };

  /// As many waited until `next` as had arrived and not started.
  void CountWaiting(TimeNs next) {
    const TimeNs begin = std::max(player_.now(), run_.from);
    const TimeNs end = std::min(next, run_.until);
    if (end <= begin) return;
    const auto waiting = static_cast<std::int64_t>(arrived_ - started_);
    waited_ += static_cast<double>(waiting) * InSeconds(end - begin);
    run_.waiting_most = std::max(run_.waiting_most, waiting);
  }

  /// `key` becomes the job's, in the memory that it has: "j000000042".
  void NameJob(std::size_t job, Key& key) const {
    constexpr std::size_t kLeast = 9;
    std::array<char, 1 + kLeast + 20> name;
    name.fill('0');
    char* const digits = name.data() + 1 + kLeast;
    const char* const end = std::to_chars(digits, name.data() + name.size(), job).ptr;
    const auto count = static_cast<std::size_t>(end - digits);
    key.ns = destinations_[job]->queue->ns;
    char* const begin = digits - (kLeast - std::min(kLeast, count)) - 1;
    *begin = 'j';
    key.name.assign(begin, static_cast<std::size_t>(end - begin));
  }
  Key KeyOfJob(std::size_t job) const {
    Key key;
    NameJob(job, key);
    return key;
  }
  /// The inverse.
  static std::size_t JobOf(const Key& key) {
    std::size_t job = 0;
    std::from_chars(key.name.data() + 1, key.name.data() + key.name.size(), job);
    return job;
  }

  void FindQueues() {
    for (const auto& [of_log, queue] : mapping_.queues) {
      queues_.emplace(of_log, Destination{&queue, queue.name});
    }
    std::unordered_map<std::string_view, const Destination*> by_name;
    for (const auto& [of_log, destination] : queues_) by_name.emplace(of_log, &destination);
    const auto otherwise = by_name.find("");
    destinations_.reserve(jobs_.size());
    for (const TraceJob& job : jobs_) {
      auto found = by_name.find(job.queue);
      if (found == by_name.end()) found = otherwise;
      if (found == by_name.end()) {
        throw lab::Refused({StatusCode::kInvalidArgument,
                            "no LocalQueue takes the jobs of \"" + job.queue + "\""});
      }
      destinations_.push_back(found->second);
    }
  }

  /// Names that no label may have are numbered.
  std::string UserLabel(const std::string& user) {
    if (IsLabelValue(user)) return user;
    return "user-" + std::to_string(users_.emplace(user, users_.size() + 1).first->second);
  }

  /// `workload` becomes that of the job: what no job of a log has it never had.
  void Describe(std::size_t index, Workload& workload) {
    const TraceJob& job = jobs_[index];
    NameJob(index, workload.key);
    workload.created = mapping_.origin + job.submit;
    workload.queue = destinations_[index]->name;
    LabelMap labels;
    if (!job.user.empty()) labels["muster.dev/user"] = UserLabel(job.user);
    if (job.requested > 0) labels["muster.dev/requested"] = std::to_string(job.requested / kSecond);
    workload.labels = std::move(labels);
    workload.pod_sets = ShapeOf(job);
  }

  /// What jobs of one size ask for is one piece of memory, which the engine knows again as such.
  const SharedList<PodSet>& ShapeOf(const TraceJob& job) {
    SharedList<PodSet>& shape = shapes_[{job.pods, job.size}];
    if (!shape.empty()) return shape;
    PodSet pods;
    pods.name = kPodSet;
    pods.count = static_cast<std::int32_t>(job.pods);
    pods.pods.containers.push_back(
        {"main", {{mapping_.resource, Quantity::Units(job.size / job.pods)}}, {}, false});
    shape.push_back(std::move(pods));
    return shape;
  }

  /// When something happens next; kNoTime: nothing does.
  TimeNs NextTime() {
    while (!events_.empty() && IsStale(events_.top())) events_.pop();
    TimeNs next = events_.empty() ? kNoTime : events_.top().at;
    const auto sooner = [&next](TimeNs at) {
      if (at != kNoTime && (next == kNoTime || at < next)) next = at;
    };
    if (arrived_ < jobs_.size()) sooner(mapping_.origin + jobs_[arrived_].submit);
    // Deadlines matter to those that live, and there is nothing to wait for without any.
    if (arrived_ > ended_) sooner(lab::Read(engine_.NextDeadline()));
    return next == kNoTime ? next : std::max(next, player_.now());
  }

  bool IsStale(const Coming& event) const {
    const State& state = state_[event.job];
    return !event.leaves && (state.started == kNoTime || state.attempt != event.attempt);
  }

  /// Tells the engine all that happens at `now`.
  Status Tell(TimeNs now) {
    finished_.Clear();
    command::Evicted evicted;
    for (; !events_.empty() && events_.top().at <= now; events_.pop()) {
      const Coming event = events_.top();
      if (IsStale(event)) continue;
      if (event.leaves) {
        evicted.workloads.push_back(KeyOfJob(event.job));
        Release(event.job);
      } else {
        NameJob(event.job, finished_.Next());
        End(event.job, now);
      }
    }
    Status status;
    if (!finished_.Get().empty()) status = player_.Finish(finished_.Get());
    if (status.ok() && !evicted.workloads.empty()) status = player_.Do(std::move(evicted));
    submitted_.Clear();
    for (; arrived_ < jobs_.size() && mapping_.origin + jobs_[arrived_].submit <= now; ++arrived_) {
      Describe(arrived_, submitted_.Next());
      state_[arrived_].left = jobs_[arrived_].run;
      run_.fates[arrived_].submitted = now;
    }
    if (status.ok() && !submitted_.Get().empty()) status = player_.Submit(submitted_.Get());
    return status;
  }

  void End(std::size_t job, TimeNs now) {
    Release(job);
    state_[job] = {};
    run_.fates[job].end = now;
    run_.end = now;
    ++ended_;
  }

  /// Cycles until none would decide anything at this time.
  Status Decide() {
    const lab::Evictions evictions =
        habits_.leave == 0 ? lab::Evictions::kComplete : lab::Evictions::kStayOpen;
    while (true) {
      const Result<bool> rests =
          player_.RunUntilIdle(kMostCycles, evictions, lab::EmptyCycles::kCount);
      if (!rests.ok()) return rests.status();
      if (!*rests) {
        return {StatusCode::kFailedPrecondition,
                "still busy after " + std::to_string(kMostCycles) +
                    " cycles at one instant; the jobs seem to preempt each other in turn"};
      }
      if (reserved_.empty()) return Status::Ok();
      if (Status status = AnswerChecks(); !status.ok()) return status;
    }
  }

  /// What admission checks wait for is there at once.
  Status AnswerChecks() {
    for (const Key& key : std::exchange(reserved_, {})) {
      const WorkloadView view = lab::Read(engine_.GetWorkload(key));
      for (const AdmissionCheckStatus& check : view.spec.status.admission_checks) {
        CheckUpdate ready;
        ready.workload = key;
        ready.check = check.name;
        ready.state = CheckState::kReady;
        if (Status status = player_.Do(ready); !status.ok()) return status;
      }
      if (Status status = player_.Do(command::Ready{{key}}); !status.ok()) return status;
      Start(JobOf(key));
    }
    return Status::Ok();
  }

  Status Take(const CycleResult& result) {
    for (const EvictedWorkload& evicted : result.evicted) {
      Stop(JobOf(evicted.workload), evicted.reason, !evicted.quota_free);
    }
    command::Ready ready;
    for (const AdmittedWorkload& admitted : result.admitted) {
      const std::size_t job = JobOf(admitted.workload);
      State& state = state_[job];
      const std::int32_t queue = use_->IndexOf(admitted.admission.cluster_queue.view());
      state.holding = use_->HoldingsOf(queue, admitted.admission);
      use_->Charge(state.holding);
      run_.fates[job].cluster_queue = queue;
      if (admitted.admitted) {
        if (tells_ready_) ready.workloads.push_back(admitted.workload);
        Start(job);
      } else {
        reserved_.push_back(admitted.workload);
      }
    }
    for (const PreemptedWorkload& preempted : result.preempted) {
      Stop(JobOf(preempted.workload), ReasonName(preempted.reason), true);
    }
    run_.preemptions += static_cast<std::int64_t>(result.preempted.size());
    run_.policy_failures += static_cast<std::int64_t>(result.policy_failures.size());
    if (run_.first_failure.empty() && !result.policy_failures.empty()) {
      run_.first_failure = result.policy_failures.front().message;
    }
    return ready.workloads.empty() ? Status::Ok() : player_.Do(std::move(ready));
  }

  void Start(std::size_t job) {
    State& state = state_[job];
    state.started = player_.now();
    ++state.attempt;
    Fate& fate = run_.fates[job];
    if (fate.first_start == kNoTime) {
      fate.first_start = state.started;
      ++started_;
    }
    events_.push({state.started + state.left, false, job, state.attempt});
  }

  /// It was told to leave. Its pods do no work from now on; they go after a while.
  void Stop(std::size_t job, std::string_view cause, bool pods_leave) {
    State& state = state_[job];
    std::erase(reserved_, KeyOfJob(job));
    Fate& fate = run_.fates[job];
    const DurationNs ran = state.started == kNoTime ? 0 : player_.now() - state.started;
    const DurationNs saved = habits_.checkpoint == 0 ? 0 : ran - ran % habits_.checkpoint;
    state.left -= saved;
    state.started = kNoTime;
    fate.lost += ran - saved;
    use_->Evict(fate.cluster_queue, state.holding, cause, ran, ran - saved);
    ++fate.evictions;
    if (pods_leave && habits_.leave > 0) {
      events_.push({player_.now() + habits_.leave, true, job, state.attempt});
    } else {
      Release(job);
    }
  }

  void Release(std::size_t job) {
    use_->Release(state_[job].holding);
    state_[job].holding.clear();
  }

  const manifest::Manifests& cluster_;
  const std::span<const TraceJob> jobs_;
  const Mapping& mapping_;
  const Habits habits_;
  const bool tells_ready_;  ///< that the pods of a job are: else it decides nothing
  Engine engine_;
  lab::Player player_;
  std::map<std::string, Destination> queues_;     ///< by queue of the log
  std::vector<const Destination*> destinations_;  ///< of each job
  std::map<std::pair<std::int64_t, std::int64_t>, SharedList<PodSet>> shapes_;  ///< by pods, size
  std::map<std::string, std::size_t> users_;  ///< numbers of those whose names are no labels
  std::vector<State> state_;
  std::priority_queue<Coming, std::vector<Coming>, std::greater<>> events_;
  Refilled<Key> finished_;        ///< told now
  Refilled<Workload> submitted_;  ///< the same
  std::vector<Key> reserved_;     ///< have quota and wait for admission checks
  std::optional<UseMeter> use_;
  std::optional<GangMeter> gangs_;
  std::size_t arrived_ = 0;
  std::size_t started_ = 0;
  std::size_t ended_ = 0;
  double waited_ = 0;  ///< job-seconds in the time that counts
  Run run_;
};

}  // namespace

Result<Run> Simulate(const manifest::Manifests& cluster, std::span<const TraceJob> jobs,
                     const Mapping& mapping, const Habits& habits, const Prepare& prepare,
                     const Watcher& watcher, Journal* journal) {
  if (jobs.empty()) return Status(StatusCode::kInvalidArgument, "there is no job to play");
  // A log of one instant has no time in which to count use, but its jobs still count.
  if (jobs.back().submit - jobs.front().submit < habits.warm_up + habits.drain) {
    return Status(StatusCode::kInvalidArgument,
                  "warm-up and drain leave no time between the first and the last arrival");
  }
  try {
    return Simulator(cluster, jobs, mapping, habits, journal).Play(prepare, watcher);
  } catch (const lab::Refused& refused) {
    return refused.status();
  }
}

}  // namespace muster::simulate
