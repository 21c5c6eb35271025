// See virtual_run.h.
#include "tests/bench/virtual_run.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "tests/bench/measure.h"
#include "tests/testing/builders.h"

namespace muster::bench {

VirtualRun::VirtualRun(Engine& engine, const ArrivalSet& set)
    : engine_(engine), set_(set), runs_(set.arrivals.size()) {
  for (std::size_t i = 0; i < set.arrivals.size(); ++i) {
    index_[set.arrivals[i].workload.key.name] = i;
  }
}

double VirtualRun::makespan_seconds() const {
  return static_cast<double>(now_) / static_cast<double>(kSecond);
}

double VirtualRun::bound_seconds() const {
  std::vector<std::pair<TimeNs, std::int64_t>> latest_first = work_;
  std::sort(latest_first.begin(), latest_first.end(), std::greater<>());
  double bound = 0;
  double work = 0;  // from here on
  for (const auto& [since, amount] : latest_first) {
    work += static_cast<double>(amount) / static_cast<double>(set_.nominal);
    bound = std::max(bound, static_cast<double>(since) + work);
  }
  return bound / static_cast<double>(kSecond);
}

void VirtualRun::Play() {
  constexpr TimeNs kNever = std::numeric_limits<TimeNs>::max();
  while (true) {
    const TimeNs arrival =
        next_arrival_ < set_.arrivals.size() ? set_.arrivals[next_arrival_].at : kNever;
    const TimeNs ending = endings_.empty() ? kNever : std::get<TimeNs>(endings_.front());
    if (arrival == kNever && ending == kNever) break;
    now_ = std::min(arrival, ending);
    Report();
    Decide();
  }
  Require(finished_ == set_.arrivals.size(), "a workload of the set never ran");
}

void VirtualRun::Report() {
  std::vector<Key> ended;
  while (!endings_.empty() && std::get<TimeNs>(endings_.front()) == now_) {
    std::pop_heap(endings_.begin(), endings_.end(), std::greater<>());
    const auto [at, index, start] = endings_.back();
    endings_.pop_back();
    if (runs_[index].starts != start) continue;
    const Arrival& arrival = set_.arrivals[index];
    work_.emplace_back(arrival.at, arrival.units * arrival.runtime);
    ended.push_back(arrival.workload.key);
  }
  finished_ += ended.size();
  const TimeNs now = testing::kNoon + now_;
  if (!ended.empty()) Require(engine_.Finish(ended, false, now));
  std::vector<Workload> arrived;
  for (; next_arrival_ < set_.arrivals.size() && set_.arrivals[next_arrival_].at == now_;
       ++next_arrival_) {
    arrived.push_back(set_.arrivals[next_arrival_].workload);
  }
  if (!arrived.empty()) Require(engine_.Submit(arrived, now));
}

void VirtualRun::Decide() {
  const TimeNs now = testing::kNoon + now_;
  while (true) {
    const CycleResult result = Take(engine_.RunCycle(now));
    if (result.cycle == cycle_) return;  // there was no head
    cycle_ = result.cycle;
    for (const AdmittedWorkload& admitted : result.admitted) Started(admitted.workload);
    std::vector<Key> victims;
    for (const PreemptedWorkload& preempted : result.preempted) {
      Preempted(preempted.workload);
      victims.push_back(preempted.workload);
    }
    preemptions_ += static_cast<std::int64_t>(victims.size());
    if (!victims.empty()) Require(engine_.Evicted(victims, now));
  }
}

void VirtualRun::Preempted(const Key& key) {
  const std::size_t index = index_.at(key.name);
  ++runs_[index].starts;
  const TimeNs started = runs_[index].started;
  work_.emplace_back(started, set_.arrivals[index].units * (now_ - started));
}

void VirtualRun::Started(const Key& key) {
  const std::size_t index = index_.at(key.name);
  const Arrival& arrival = set_.arrivals[index];
  Run& run = runs_[index];
  ++admissions_;
  endings_.emplace_back(now_ + arrival.runtime, index, ++run.starts);
  std::push_heap(endings_.begin(), endings_.end(), std::greater<>());
  const bool first = run.started == kNoTime;
  run.started = now_;
  if (!first) return;
  Wait& wait = waits_[arrival.class_name];
  wait.seconds += static_cast<double>(now_ - arrival.at) / static_cast<double>(kSecond);
  ++wait.workloads;
}

}  // namespace muster::bench
