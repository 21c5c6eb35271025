// Events come one at a time, also those of one second: an arrival before an end, and after each the
// engine is asked. The queue is StrictFIFO while a head is looked for, so that only the first by
// score may start, and BestEffortFIFO while others may pass it; that change wakes what was parked.
#include "tests/published/protocol.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

#include "bindings/lab/player.h"
#include "bindings/simulate/gunzip.h"
#include "bindings/simulate/trace.h"
#include "bindings/simulate/trace_swf.h"
#include "muster/muster.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster::published {
namespace {

constexpr const char* kBinding = "order";
constexpr std::size_t kMostCycles = 1'000'000;

void Need(const Status& status) {
  if (!status.ok()) throw std::runtime_error(std::string(status.message()));
}

class Machine {
 public:
  Machine(std::span<const Job> jobs, std::int64_t processors, const std::filesystem::path& policy,
          Backfill backfill)
      : jobs_(jobs),
        processors_(processors),
        backfill_(backfill),
        now_(jobs.front().submit),
        player_(
            engine_, jobs.front().submit * kSecond,
            [this](const lab::CycleOutcome& cycle) { return Take(cycle.result); },
            lab::Detail::kDecisions),
        starts_(jobs.size(), -1) {
    player_.TraceInto(&trace_);
    const std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                         Queue(QueueingStrategy::kStrictFifo),
                                         testing::MakeLocalQueue("machine")};
    Need(player_.Apply(objects, MissingReference::kRefuse));
    Result<std::shared_ptr<Policy>> loaded = LoadPolicy(policy.string());
    Need(loaded.status());
    package_ = (*loaded)->info().name;
    Need(engine_.ActivatePolicy(*std::move(loaded), player_.now()));
    Bind(std::nullopt, 0);
  }

  Outcome Play() {
    while (started_ < jobs_.size()) {
      if (submitted_ == started_) NextEvent();
      if (submitted_ == started_) continue;
      const std::size_t before = started_;
      Need(player_.Do(command::Cycle{}));
      if (started_ > before) continue;
      if (trace_.workloads.empty()) throw std::runtime_error("no head was tried");
      StayWith(IndexOf(trace_.workloads.front().workload));
    }
    return Measure();
  }

 private:
  struct Running {
    std::size_t job = 0;
    std::int64_t start = 0;
  };

  ClusterQueue Queue(QueueingStrategy strategy) const {
    ClusterQueue queue = testing::MakeQueue("machine", "", {{.nominal = processors_}});
    queue.queueing_strategy = strategy;
    return queue;
  }

  static std::string NameOf(std::size_t job) {
    std::string name = std::to_string(job);
    return "j" + std::string(6 - name.size(), '0') + name;
  }
  static std::size_t IndexOf(const Key& key) { return std::stoul(key.name.substr(1)); }

  /// Binds the package, with the reservation of the job that is stayed with, if there is one.
  void Bind(std::optional<std::size_t> head, std::int64_t reservation) {
    PolicyBinding binding;
    binding.name = kBinding;
    binding.policy = package_;
    binding.hooks = {"queue_order"};
    if (head) {
      binding.hooks.emplace_back("hold");
      binding.params["head"] = NameOf(*head);
      binding.params["reservation"] = std::to_string(reservation);
    }
    std::vector<Object> objects = {std::move(binding)};
    if (backfill_ == Backfill::kAroundTheHead) {
      objects.emplace_back(
          Queue(head ? QueueingStrategy::kBestEffortFifo : QueueingStrategy::kStrictFifo));
    }
    Need(player_.Apply(objects, MissingReference::kRefuse));
  }

  void StayWith(std::size_t head) {
    if (backfill_ == Backfill::kAroundTheHead) {
      Bind(head, ReservationOf(head));
      RunUntilIdle();
    }
    while (starts_[head] < 0) {
      NextEvent(backfill_ == Backfill::kNone);
      Need(player_.Do(command::Cycle{}));
      if (backfill_ == Backfill::kAroundTheHead && starts_[head] < 0) RunUntilIdle();
    }
    if (backfill_ == Backfill::kAroundTheHead) Bind(std::nullopt, 0);
    for (const std::size_t job : std::exchange(held_back_, {})) Submit(job);
  }

  void RunUntilIdle() {
    Result<bool> rests = player_.RunUntilIdle(kMostCycles, lab::Evictions::kStayOpen);
    Need(rests.status());
    if (!*rests) throw std::runtime_error("cycles without an end");
  }

  /// When what runs will have left enough processors, by the times that were asked for.
  std::int64_t ReservationOf(std::size_t head) {
    std::stable_sort(running_.begin(), running_.end(), [&](const Running& a, const Running& b) {
      return a.start + jobs_[a.job].requested < b.start + jobs_[b.job].requested;
    });
    std::int64_t free = processors_, at = now_;
    for (const Running& each : running_) free -= jobs_[each.job].processors;
    for (const Running& each : running_) {
      free += jobs_[each.job].processors;
      at = each.start + jobs_[each.job].requested;
      if (free >= jobs_[head].processors) break;
    }
    return at;
  }

  /// The next arrival, when it is not later than the next end; else that end. An arrival that is
  /// held back is handed in when the head has started.
  void NextEvent(bool hold_back = false) {
    std::stable_sort(running_.begin(), running_.end(), [&](const Running& a, const Running& b) {
      return a.start + jobs_[a.job].run < b.start + jobs_[b.job].run;
    });
    const bool any_runs = !running_.empty();
    const std::int64_t end =
        any_runs ? running_.front().start + jobs_[running_.front().job].run : 0;
    if (arrived_ < jobs_.size() && (!any_runs || jobs_[arrived_].submit <= end)) {
      PassTo(jobs_[arrived_].submit);
      const std::size_t job = arrived_++;
      if (hold_back) {
        held_back_.push_back(job);
      } else {
        Submit(job);
      }
      return;
    }
    if (!any_runs) throw std::runtime_error("jobs wait, and nothing runs or comes");
    PassTo(end);
    const Key key = testing::DefaultKey(NameOf(running_.front().job));
    running_.erase(running_.begin());
    Need(player_.Do(command::Finish{{key}}));
    Need(player_.Do(command::Cancel{{key}}));
  }

  void PassTo(std::int64_t time) {
    if (time <= now_) return;
    player_.Pass((time - now_) * kSecond);
    now_ = time;
  }

  void Submit(std::size_t job) {
    Workload workload =
        testing::MakeWorkload(NameOf(job), "machine", testing::Cpu(jobs_[job].processors));
    workload.created = jobs_[job].submit * kSecond;
    LabelMap labels;
    if (jobs_[job].requested >= 0) {
      labels["muster.dev/requested"] = std::to_string(jobs_[job].requested);
    }
    workload.labels = std::move(labels);
    Need(player_.Do(command::Submit{{std::move(workload)}}));
    ++submitted_;
  }

  Status Take(const CycleResult& result) {
    if (!result.policy_failures.empty()) {
      return {StatusCode::kInternal, result.policy_failures.front().message};
    }
    for (const AdmittedWorkload& admitted : result.admitted) {
      const std::size_t job = IndexOf(admitted.workload);
      starts_[job] = now_;
      running_.push_back({job, now_});
      ++started_;
    }
    return Status::Ok();
  }

  Outcome Measure() const {
    double slowdowns = 0, work = 0;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const auto run = static_cast<double>(jobs_[i].run);
      const auto wait = static_cast<double>(starts_[i] - jobs_[i].submit);
      slowdowns += std::max(1.0, (wait + run) / std::max(run, 10.0));
      work += run * static_cast<double>(jobs_[i].processors);
    }
    const std::int64_t last = *std::max_element(starts_.begin(), starts_.end());
    const auto span = static_cast<double>(last - jobs_.front().submit);
    return {slowdowns / static_cast<double>(jobs_.size()),
            work / (span * static_cast<double>(processors_))};
  }

  const std::span<const Job> jobs_;
  const std::int64_t processors_;
  const Backfill backfill_;
  std::int64_t now_;
  Engine engine_;
  lab::Player player_;
  CycleTrace trace_;
  std::string package_;
  std::vector<std::int64_t> starts_;  ///< of each job; -1: it waits
  std::vector<Running> running_;
  std::vector<std::size_t> held_back_;
  std::size_t arrived_ = 0, submitted_ = 0, started_ = 0;
};

}  // namespace

std::vector<Job> JobsOf(const std::filesystem::path& log) {
  Result<std::string> text = simulate::Gunzip(testing::ReadFile(log));
  Need(text.status());
  const Result<simulate::Trace> trace = simulate::ReadSwf(log.string(), *text);
  Need(trace.status());
  std::vector<Job> jobs;
  for (const simulate::TraceJob& each : trace->jobs) {
    Job job{std::stol(each.id), each.submit / kSecond, each.run / kSecond, each.requested / kSecond,
            each.size};
    if (job.run < 0) job.run = 10;
    if (job.run > 0) jobs.push_back(job);
  }
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const Job& a, const Job& b) { return a.id < b.id; });
  return jobs;
}

Outcome Play(std::span<const Job> jobs, std::int64_t processors,
             const std::filesystem::path& policy, Backfill backfill) {
  return Machine(jobs, processors, policy, backfill).Play();
}

}  // namespace muster::published
