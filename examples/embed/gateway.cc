// A gateway: it takes jobs, asks Muster who may start, starts and stops pods, and reports what it
// saw. It keeps nothing itself: killed at any moment and started again, it goes on from its ledger.
// The cluster is a map of running jobs; time is a variable, so every run tells the same day.
//
//   example_embed LEDGER QUEUES [HH:MM]     killed (SIGKILL) at HH:MM
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "muster/muster.h"

namespace {

constexpr muster::TimeNs kMinute = 60 * muster::kSecond;
constexpr const char* kMinutes = "lab/minutes";  // annotation: how long a job takes

constexpr muster::TimeNs At(int hours, int minutes) { return (hours * 60 + minutes) * kMinute; }

/// A gang of `pods` pods with a GPU each.
muster::Workload Job(const std::string& name, const std::string& queue, int pods, int minutes) {
  muster::Container container;
  container.requests["nvidia.com/gpu"] = muster::Quantity::Units(1);
  muster::Workload job;
  job.key = {"lab", name};
  job.queue = queue;
  job.annotations[kMinutes] = std::to_string(minutes);
  muster::PodSet& workers = job.pod_sets.emplace_back();
  workers.name = "main";
  workers.count = pods;
  workers.pods.containers = {container};
  return job;
}

void Must(const muster::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.message().c_str());
  std::exit(1);
}

class Gateway {
 public:
  Gateway(muster::DurableEngine& ledger, const std::string& queues)
      : engine_(ledger.engine()), now_(std::max(ledger.last_time(), At(9, 0))) {
    Must(muster::ApplyFile(engine_, queues, now_));  // what is there already stays as it is
    for (const muster::WorkloadView& job : engine_.Workloads()) {
      if (job.phase == muster::WorkloadPhase::kAdmitted) Started(job.spec);
    }
  }

  muster::TimeNs now() const { return now_; }

  /// Submitting again what was submitted changes nothing, so nobody has to remember it.
  void Submit(const muster::Workload& job) {
    std::vector<muster::Applied> applied;
    Must(engine_.Submit({&job, 1}, now_, &applied));
    if (applied.front() == muster::Applied::kCreated) Say(job.key, "submitted");
  }

  /// A minute passes: reports what the pods did meanwhile, then does what Muster decides.
  void Tick() {
    now_ += kMinute;
    const std::vector<muster::Key> gone = engine_.Evicting();
    for (const muster::Key& job : gone) Say(job, "its pods are gone");
    Must(engine_.Evicted(gone, now_));
    std::vector<muster::Key> done;
    for (const auto& [job, end] : ends_) {
      if (end <= now_) done.push_back(job);
    }
    Must(engine_.Finish(done, /*failed=*/false, now_));
    for (const muster::Key& job : done) {
      Say(job, "has finished");
      ends_.erase(job);
    }
    while (Decide()) continue;
  }

 private:
  /// One cycle; false when nothing more will happen for now.
  bool Decide() {
    const muster::Result<muster::CycleResult> cycle = engine_.RunCycle(now_);
    Must(cycle.status());
    for (const muster::AdmittedWorkload& job : cycle->admitted) {
      Say(job.workload, "starts " + std::to_string(job.admission.pod_sets[0].count) + " pods");
      Started(engine_.GetWorkload(job.workload)->spec);
    }
    for (const muster::PreemptedWorkload& job : cycle->preempted) {
      Say(job.workload, "has to make room for " + job.by.name);
      ends_.erase(job.workload);
    }
    return !cycle->idle();
  }

  /// Notes when a job that was admitted will end.
  void Started(const muster::Workload& job) {
    for (const muster::Condition& condition : job.status.conditions) {
      if (condition.type != "Admitted") continue;
      ends_[job.key] = condition.since + std::stoi(job.annotations.at(kMinutes)) * kMinute;
    }
  }

  void Say(const muster::Key& job, const std::string& what) const {
    const int minutes = static_cast<int>(now_ / kMinute);
    std::printf("%02d:%02d  %s %s\n", minutes / 60, minutes % 60, job.name.c_str(), what.c_str());
  }

  muster::Engine& engine_;
  muster::TimeNs now_;
  std::map<muster::Key, muster::TimeNs> ends_;  ///< running jobs
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  auto ledger = muster::DurableEngine::Open(argv[1]);
  Must(ledger.status());
  muster::TimeNs killed_at = muster::kNoTime;
  if (argc > 3) killed_at = At(std::atoi(argv[3]), std::atoi(argv[3] + 3));

  Gateway gateway(**ledger, argv[2]);
  while (gateway.now() < At(10, 10)) {
    gateway.Submit(Job("sweep", "batch", 8, 30));  // borrows all that production leaves idle
    if (gateway.now() >= At(9, 10)) gateway.Submit(Job("train", "production", 4, 20));
    gateway.Tick();
    if (gateway.now() == killed_at) std::raise(SIGKILL);
  }
}
