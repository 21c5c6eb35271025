// A cluster for the example: jobs that run for as long as they say, and a clock that is a variable,
// so that every run tells the same day.
#ifndef MUSTER_EXAMPLES_EMBED_CLUSTER_H_
#define MUSTER_EXAMPLES_EMBED_CLUSTER_H_

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "muster/muster.h"

constexpr muster::TimeNs kMinute = 60 * muster::kSecond;
constexpr const char* kMinutes = "lab/minutes";  // annotation: how long a job takes

constexpr muster::TimeNs At(int hours, int minutes) { return (hours * 60 + minutes) * kMinute; }

inline void Must(const muster::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.message().c_str());
  std::exit(1);  // NOLINT(concurrency-mt-unsafe): there is one thread
}

/// A gang of `pods` pods with a GPU each.
inline muster::Workload Job(const std::string& name, const std::string& queue, int pods,
                            int minutes) {
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

class Cluster {
 public:
  explicit Cluster(muster::TimeNs now) : now_(now) {}

  muster::TimeNs now() const { return now_; }
  void PassAMinute() { now_ += kMinute; }

  void Say(const muster::Key& job, const std::string& what) const {
    const int minutes = static_cast<int>(now_ / kMinute);
    std::printf("%02d:%02d  %s %s\n", minutes / 60, minutes % 60, job.name.c_str(), what.c_str());
    std::fflush(stdout);
  }

  /// Has the pods of an admitted job, which run from the moment of its admission.
  void Run(const muster::Workload& job) {
    for (const muster::Condition& condition : job.status.conditions) {
      if (condition.type != "Admitted") continue;
      ends_[job.key] = condition.since + std::stoi(job.annotations.at(kMinutes)) * kMinute;
    }
  }
  void Stop(const muster::Key& job) { ends_.erase(job); }

  /// The jobs that have ended by now; each is told once.
  std::vector<muster::Key> TakeEnded() {
    std::vector<muster::Key> ended;
    for (const auto& [job, end] : ends_) {
      if (end <= now_) ended.push_back(job);
    }
    for (const muster::Key& job : ended) Stop(job);
    return ended;
  }

 private:
  muster::TimeNs now_;
  std::map<muster::Key, muster::TimeNs> ends_;  ///< running jobs
};

#endif  // MUSTER_EXAMPLES_EMBED_CLUSTER_H_
