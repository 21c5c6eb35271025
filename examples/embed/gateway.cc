// A gateway: it takes jobs, asks Muster who may start, starts and stops pods, and reports what it
// saw. The cluster is a map of running jobs; time is a variable, so every run tells the same day.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "muster/muster.h"

namespace {

constexpr muster::TimeNs kMinute = 60 * muster::kSecond;

/// A gang of `pods` pods with a GPU each.
muster::Workload Job(const std::string& name, const std::string& queue, int pods) {
  muster::Container container;
  container.requests["nvidia.com/gpu"] = muster::Quantity::Units(1);
  muster::Workload job;
  job.key = {"lab", name};
  job.queue = queue;
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
  explicit Gateway(const std::string& queues) { Must(muster::ApplyFile(engine_, queues, now_)); }

  void Submit(const muster::Workload& job, int minutes) {
    Must(engine_.Submit({&job, 1}, now_));
    minutes_[job.key] = minutes;
    Say(job.key, "submitted");
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
      ends_[job.workload] = now_ + minutes_[job.workload] * kMinute;
    }
    for (const muster::PreemptedWorkload& job : cycle->preempted) {
      Say(job.workload, "has to make room for " + job.by.name);
      ends_.erase(job.workload);
    }
    return !cycle->idle();
  }

  void Say(const muster::Key& job, const std::string& what) const {
    const int minutes = static_cast<int>(now_ / kMinute);
    std::printf("%02d:%02d  %s %s\n", minutes / 60, minutes % 60, job.name.c_str(), what.c_str());
  }

  muster::Engine engine_;
  muster::TimeNs now_ = 9 * 60 * kMinute;
  std::map<muster::Key, int> minutes_;          ///< how long each job takes
  std::map<muster::Key, muster::TimeNs> ends_;  ///< running jobs
};

}  // namespace

int main(int argc, char** argv) {
  Gateway gateway(argc > 1 ? argv[1] : "queues.yaml");
  gateway.Submit(Job("sweep", "batch", 8), 30);  // borrows all that production leaves idle
  for (int minute = 0; minute < 10; ++minute) gateway.Tick();
  gateway.Submit(Job("train", "production", 4), 20);
  for (int minute = 0; minute < 60; ++minute) gateway.Tick();
}
