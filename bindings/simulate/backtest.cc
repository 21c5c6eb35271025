// One engine whose journal is read by an Observer: it tells what a call did to each job, in the
// words in which the record does.
#include "bindings/simulate/backtest.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>
#include <utility>

#include "bindings/cpp/late_policy.h"
#include "bindings/lab/player.h"
#include "bindings/lab/read.h"
#include "bindings/simulate/gang_meter.h"
#include "bindings/simulate/use.h"
#include "engine/codec/json_reader.h"
#include "muster/account.h"

namespace muster::simulate {
namespace {

constexpr std::size_t kMostCyclesAtOnce = 100'000;

class Memory final : public Journal {
 public:
  Result<Ticket> Append(Commit commit) override {
    events.insert(events.end(), std::make_move_iterator(commit.events.begin()),
                  std::make_move_iterator(commit.events.end()));
    return ++tickets_;
  }
  Status Durable(Ticket) override { return Status::Ok(); }

  std::vector<Event> events;

 private:
  Ticket tickets_ = 0;
};

/// Why that was evicted of which it tells.
std::string ReasonIn(const Event& event) {
  JsonReader json(event.payload);
  json.BeginObject();
  return json.TakeMember("reason") ? json.String() : std::string();
}

/// What a job does by itself where it does not fare as recorded.
enum class Deed { kReady, kFinish, kGone };

struct Due {
  TimeNs at = kNoTime;
  Deed deed = Deed::kReady;
  std::size_t job = 0;
  std::size_t attempts = 0;  ///< it is about that attempt of the job, counted from 1
  auto Order() const { return std::tuple(at, deed, job, attempts); }
  bool operator>(const Due& other) const { return Order() > other.Order(); }
};

class Backtester {
 public:
  Backtester(const Past& past, const BacktestOptions& options, const LoadPolicy& load)
      : past_(past),
        options_(options),
        engine_(&memory_),
        player_(
            engine_, past.calls.front().at,
            [this](const lab::CycleOutcome& cycle) { return Take(cycle.result); },
            lab::Detail::kDecisions),
        use_(options.resource, From(), past.calls.back().at),
        gangs_(From(), past.calls.back().at) {
    (void)engine_.SetPolicyLoader([this, load](std::string_view hash) {
      Result<std::shared_ptr<Policy>> policy = load(hash);
      if (policy.ok()) policy = late_.Wrap(*std::move(policy));
      return policy;
    });
    for (std::size_t i = 0; i < past.jobs.size(); ++i) recorded_[past.jobs[i].id] = i;
    result_.run.from = From();
    result_.run.first = past.calls.front().at;
    result_.run.until = past.calls.back().at;
  }

  Result<Backtested> Play(const Watcher& watcher) {
    for (std::size_t i = 0; i < past_.calls.size(); ++i) {
      const RecordedCall& call = past_.calls[i];
      Status status = DoWhatIsDueBefore(call.at);
      PassTo(call.at);
      if (status.ok()) status = Make(call);
      if (!status.ok()) return status;
      if (watcher && !watcher(i + 1)) {
        result_.run.interrupted = true;
        break;
      }
    }
    Finish();
    return std::move(result_);
  }

 private:
  TimeNs From() const {
    return options_.since == kNoTime ? past_.calls.front().at
                                     : std::max(options_.since, past_.calls.front().at);
  }

  void PassTo(TimeNs at) {
    if (at <= player_.now()) return;
    use_.Pass(at);
    gangs_.Pass(engine_, at);
    const TimeNs begin = std::max(player_.now(), result_.run.from);
    if (at > begin) {
      waited_ += static_cast<double>(waiting_) * static_cast<double>(at - begin);
      result_.run.waiting_most = std::max(result_.run.waiting_most, waiting_);
    }
    player_.Pass(at - player_.now());
  }

  Status DoWhatIsDueBefore(TimeNs at) {
    while (!due_.empty() && due_.top().at < at) {
      const Due due = due_.top();
      due_.pop();
      const JobPast& job = observer_.jobs()[due.job];
      if (job.attempts.size() != due.attempts) continue;
      const Attempt& attempt = job.attempts.back();
      if (attempt.released != kNoTime ||
          (attempt.evicted != kNoTime) != (due.deed == Deed::kGone)) {
        continue;
      }
      PassTo(due.at);
      Status status = DoDeed(due.deed, job.id);
      if (status.ok()) status = RunUntilIdle();
      if (!status.ok()) return status;
    }
    return Status::Ok();
  }

  Status DoDeed(Deed deed, const std::string& id) {
    const Key key = KeyOfJob(id);
    switch (deed) {
      case Deed::kReady: {
        const WorkloadView view = lab::Read(engine_.GetWorkload(key));
        for (const AdmissionCheckStatus& check : view.spec.status.admission_checks) {
          CheckUpdate ready;
          ready.workload = key;
          ready.check = check.name;
          ready.state = CheckState::kReady;
          if (Status status = Do(ready); !status.ok()) return status;
        }
        return Do(command::Ready{{key}});
      }
      case Deed::kFinish: {
        Status status = Do(command::Finish{{key}});
        if (status.ok() && forget_.contains(id)) status = Do(command::Cancel{{key}});
        return status;
      }
      case Deed::kGone:
        return Do(command::Evicted{{key}});
    }
    return Status::Ok();
  }

  /// Makes a recorded call again, as far as it makes sense.
  Status Make(const RecordedCall& call) {
    late_.Read(call.events);
    switch (KindOf(call.command)) {
      case CommandKind::kCycle: {
        if (Status status = PutCandidateToWork(); !status.ok()) return status;
        return differs_ ? RunUntilIdle() : Do(call.command);
      }
      case CommandKind::kActivatePolicy:
      case CommandKind::kRollBackPolicy:
      case CommandKind::kNoteStaged:
        return candidate_decides_ ? Status::Ok() : Do(call.command);
      case CommandKind::kReady:
      case CommandKind::kFinish:
      case CommandKind::kEvicted:
      case CommandKind::kCancel:
      case CommandKind::kAnswerCheck:
        return MakeAboutJobs(call);
      default:
        return Tolerate(Do(call.command));
    }
  }

  /// Once decisions differ, a call may be about what is no more.
  Status Tolerate(const Status& status) {
    if (status.ok() || !differs_ || status.code() == StatusCode::kInternal) return status;
    ++result_.refused;
    return Status::Ok();
  }

  Status MakeAboutJobs(const RecordedCall& call) {
    const std::span<const Key> named = JobsNamedBy(call.command);
    std::vector<Key> kept;
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (Applies(KindOf(call.command), call.about[i], named[i])) {
        kept.push_back(named[i]);
      } else {
        differs_ = true;
      }
    }
    if (kept.empty()) return Status::Ok();
    if (kept.size() == named.size()) return Tolerate(Do(call.command));
    Command some = call.command;
    if (auto* ready = std::get_if<command::Ready>(&some)) ready->workloads = kept;
    if (auto* finish = std::get_if<command::Finish>(&some)) finish->workloads = kept;
    if (auto* gone = std::get_if<command::Evicted>(&some)) gone->workloads = kept;
    if (auto* cancel = std::get_if<command::Cancel>(&some)) cancel->workloads = kept;
    return Tolerate(Do(some));
  }

  /// Whether what the record says of a job is true of it now.
  bool Applies(CommandKind kind, const JobMoment& then, const Key& key) {
    const std::optional<JobMoment> now = observer_.Find(key.ToString());
    if (then.job == kNoJob || !now) return !differs_;
    const JobPast& was = past_.jobs[then.job];
    const JobPast& is = observer_.jobs()[now->job];
    if (kind == CommandKind::kCancel) {
      // Withdrawn by its user, or forgotten because it had ended.
      const bool had_ended = was.finished != kNoTime && was.withdrawn == kNoTime;
      if (!had_ended || is.finished != kNoTime) return true;
      forget_.insert(is.id);
      return false;
    }
    if (then.attempts == 0) return now->attempts == 0;
    if (now->attempts != then.attempts) return false;
    const Attempt& attempt_was = was.attempts[then.attempts - 1];
    const Attempt& attempt_is = is.attempts[then.attempts - 1];
    if (attempt_was.reserved != attempt_is.reserved) return false;
    if (kind == CommandKind::kAnswerCheck) return true;
    if (attempt_was.admitted != attempt_is.admitted) return false;
    return kind != CommandKind::kEvicted || attempt_was.evicted == attempt_is.evicted;
  }

  Status PutCandidateToWork() {
    if (!options_.candidate || candidate_decides_ || player_.now() < From()) return Status::Ok();
    candidate_decides_ = true;
    const Status status = PutToWork(*options_.candidate, player_.now(), engine_);
    Observe();
    return status;
  }

  Status Do(const Command& command) {
    const Status status = player_.Do(command);
    Observe();
    const CommandKind kind = KindOf(command);
    if (kind == CommandKind::kApply || kind == CommandKind::kDelete) {
      use_.SetQueues(lab::Read(engine_.ClusterQueues()));
    }
    return status;
  }

  Status RunUntilIdle() {
    const Result<bool> rests = player_.RunUntilIdle(kMostCyclesAtOnce, lab::Evictions::kStayOpen,
                                                    lab::EmptyCycles::kCount);
    Observe();
    if (!rests.ok()) return rests.status();
    if (*rests) return Status::Ok();
    return {StatusCode::kFailedPrecondition,
            "still busy after " + std::to_string(kMostCyclesAtOnce) +
                " cycles at one instant; the jobs seem to preempt each other in turn"};
  }

  /// `counts`: evictions among the events are counted here; a cycle says more of its own.
  void Observe(bool counts = true) {
    for (const Event& event : std::exchange(memory_.events, {})) {
      observer_.Note({&event, 1}, player_.now(), [&](EventKind kind, std::size_t job) {
        if (kind == EventKind::kEvicted && counts) {
          CountEviction(KeyOfJob(observer_.jobs()[job].id), ReasonIn(event));
        }
        Take(kind, job);
      });
    }
  }

  /// Something became of a job: unless it is as recorded, it goes on by itself.
  void Take(EventKind kind, std::size_t index) {
    const JobPast& job = observer_.jobs()[index];
    if (kind == EventKind::kSubmitted) AddJob(job);
    if (kind == EventKind::kQuotaReserved && job.attempts.size() == 1) --waiting_;
    if (kind == EventKind::kCancelled && job.attempts.empty()) --waiting_;
    if (job.attempts.empty()) return;
    const std::size_t attempts = job.attempts.size();
    const Attempt& is = job.attempts.back();
    if (is.released != kNoTime) {
      use_.Release(holding_[index]);
      holding_[index].clear();
      return;
    }
    const auto found = recorded_.find(job.id);
    const JobPast* was = found == recorded_.end() ? nullptr : &past_.jobs[found->second];
    const bool known = was != nullptr && was->attempts.size() >= attempts;
    const Attempt recorded = known ? was->attempts[attempts - 1] : Attempt();
    switch (kind) {
      case EventKind::kQuotaReserved:
        if (recorded.reserved == is.reserved) return;
        differs_ = true;
        due_.push({player_.now(), Deed::kReady, index, attempts});
        return;
      case EventKind::kAdmitted:
        // As recorded it also ends as recorded, unless it was evicted there and is not here.
        if (recorded.admitted == is.admitted && recorded.reserved == is.reserved) {
          if (recorded.evicted == kNoTime) return;
        } else {
          differs_ = true;
        }
        FinishLater(index, was);
        return;
      case EventKind::kEvicted:
        if (recorded.evicted == is.evicted && recorded.reserved == is.reserved) return;
        differs_ = true;
        due_.push({player_.now(), Deed::kGone, index, attempts});
        return;
      default:
        return;
    }
  }

  void AddJob(const JobPast& job) {
    ++waiting_;
    holding_.emplace_back();
    const WorkloadView view = lab::Read(engine_.GetWorkload(KeyOfJob(job.id)));
    TraceJob& added = result_.jobs.emplace_back();
    added.id = job.id;
    added.queue = view.spec.key.ns + "/" + view.spec.queue;
    added.submit = job.submitted;
    const auto user = view.spec.labels.find(kUserLabel);
    if (user != view.spec.labels.end()) added.user = user->second;
    added.pods = 0;
    added.size = 0;
    for (const PodSet& pods : std::as_const(view.spec.pod_sets)) {
      added.pods += pods.count;
      for (const auto& container : std::as_const(pods.pods.containers)) {
        const auto request = container.requests.find(options_.resource);
        if (request == container.requests.end()) continue;
        const Quantity all = request->second * Quantity::Units(pods.count);
        added.size += static_cast<std::int64_t>(
            std::ceil(UnitsOf(options_.resource, all.ToAmount(options_.resource))));
      }
    }
    const auto found = recorded_.find(job.id);
    if (found == recorded_.end()) return;
    const std::optional<Need> need = NeedOf(past_.jobs[found->second]);
    if (need) added.run = need->run;
  }

  void FinishLater(std::size_t index, const JobPast* was) {
    const std::optional<Need> need = was == nullptr ? std::nullopt : NeedOf(*was);
    const JobPast& job = observer_.jobs()[index];
    if (!need) {
      endless_.insert(index);
      return;
    }
    DurationNs left = need->run;
    for (const Attempt& before : job.attempts) {
      if (!need->saves || before.admitted == kNoTime || before.evicted == kNoTime) continue;
      left -= before.evicted - before.admitted;
    }
    due_.push(
        {player_.now() + std::max<DurationNs>(left, 0), Deed::kFinish, index, job.attempts.size()});
  }

  Status Take(const CycleResult& result) {
    Observe(/*counts=*/false);
    for (const AdmittedWorkload& admitted : result.admitted) {
      const std::optional<JobMoment> job = observer_.Find(admitted.workload.ToString());
      if (!job) continue;
      const std::int32_t queue = use_.IndexOf(admitted.admission.cluster_queue.view());
      holding_[job->job] = use_.HoldingsOf(queue, admitted.admission);
      use_.Charge(holding_[job->job]);
      cluster_queue_[job->job] = queue;
    }
    for (const PreemptedWorkload& each : result.preempted) {
      CountEviction(each.workload, ReasonName(each.reason));
    }
    for (const EvictedWorkload& each : result.evicted) CountEviction(each.workload, each.reason);
    Run& run = result_.run;
    run.preemptions += static_cast<std::int64_t>(result.preempted.size());
    run.policy_failures += static_cast<std::int64_t>(result.policy_failures.size());
    if (run.first_failure.empty() && !result.policy_failures.empty()) {
      run.first_failure = result.policy_failures.front().message;
    }
    return Status::Ok();
  }

  void CountEviction(const Key& key, std::string_view cause) {
    const std::optional<JobMoment> moment = observer_.Find(key.ToString());
    if (!moment || moment->attempts == 0) return;
    const Attempt& attempt = observer_.jobs()[moment->job].attempts.back();
    const DurationNs ran = attempt.admitted == kNoTime ? 0 : player_.now() - attempt.admitted;
    use_.Evict(cluster_queue_[moment->job], holding_[moment->job], cause, ran,
               Saves(moment->job) ? 0 : ran);
  }

  bool Saves(std::size_t index) const {
    const auto found = recorded_.find(observer_.jobs()[index].id);
    if (found == recorded_.end()) return false;
    const std::optional<Need> need = NeedOf(past_.jobs[found->second]);
    return need && need->saves;
  }

  void Finish() {
    Run& run = result_.run;
    const std::vector<JobPast>& jobs = observer_.jobs();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const JobPast& job = jobs[i];
      Fate& fate = run.fates.emplace_back();
      fate.submitted = job.submitted;
      fate.end = job.finished;
      fate.cluster_queue = cluster_queue_.contains(i) ? cluster_queue_.at(i) : -1;
      for (const Attempt& attempt : job.attempts) {
        if (fate.first_start == kNoTime) fate.first_start = attempt.admitted;
        if (attempt.evicted == kNoTime) continue;
        ++fate.evictions;
        if (attempt.admitted != kNoTime && !Saves(i))
          fate.lost += attempt.evicted - attempt.admitted;
      }
      if (fate.end == kNoTime) ++run.unfinished;
      if (fate.end != kNoTime) run.end = std::max(run.end, fate.end);
    }
    gangs_.Pass(engine_, run.until);
    run.gangs = gangs_.Finish();
    run.queues = use_.Finish();
    run.cycles = static_cast<std::int64_t>(player_.cycles());
    const TimeNs span = std::max<TimeNs>(1, run.until - run.from);
    run.waiting_mean = waited_ / static_cast<double>(span);
    result_.same = jobs == past_.jobs;
    for (const std::size_t index : endless_) {
      const auto found = recorded_.find(jobs[index].id);
      // One that fared as recorded to the end ran no longer than the record knows.
      const bool same = found != recorded_.end() && past_.jobs[found->second] == jobs[index];
      if (!same) ++result_.endless;
    }
    result_.pasts = jobs;
  }

  const Past& past_;
  const BacktestOptions& options_;
  LateCalls late_;
  Memory memory_;
  Engine engine_;
  lab::Player player_;
  Observer observer_;
  UseMeter use_;
  GangMeter gangs_;
  std::map<std::string, std::size_t> recorded_;  ///< job of the record by id
  std::vector<std::vector<Holding>> holding_;    ///< of each job
  std::map<std::size_t, std::int32_t> cluster_queue_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::set<std::string> forget_;  ///< jobs that were withdrawn after their end, and have not ended
  std::set<std::size_t> endless_;
  bool candidate_decides_ = false;
  bool differs_ = false;
  std::int64_t waiting_ = 0;
  double waited_ = 0;
  Backtested result_;
};

}  // namespace

Result<Backtested> Backtest(const Past& past, const BacktestOptions& options,
                            const LoadPolicy& load, const Watcher& watcher) {
  if (past.calls.empty()) return Status(StatusCode::kInvalidArgument, "the ledger has no past");
  try {
    Result<Backtested> done = Backtester(past, options, load).Play(watcher);
    if (done.ok() && !options.candidate && !done->run.interrupted && !done->same) {
      return Status(StatusCode::kDataLoss,
                    "the ledger's own policies come to other decisions than it recorded");
    }
    return done;
  } catch (const lab::Refused& refused) {
    return refused.status();
  }
}

std::set<std::string> ResourcesOf(const Past& past) {
  std::set<std::string> resources;
  for (const RecordedCall& call : past.calls) {
    const auto* apply = std::get_if<command::Apply>(&call.command);
    if (apply == nullptr) continue;
    for (const Object& object : apply->objects) {
      const auto* queue = std::get_if<ClusterQueue>(&object);
      if (queue == nullptr) continue;
      for (const ResourceGroup& group : queue->resource_groups) {
        resources.insert(group.covered_resources.begin(), group.covered_resources.end());
      }
    }
  }
  return resources;
}

}  // namespace muster::simulate
