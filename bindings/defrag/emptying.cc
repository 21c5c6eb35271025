// See emptying.h. A leaf's step changes only where a job that it shares with another leaf goes.
#include "bindings/defrag/emptying.h"

#include <algorithm>

#include "bindings/places/placed.h"

namespace muster::defrag {

Emptying::Emptying(const Ground& ground, std::size_t domain)
    : ground_(ground), domain_(domain), nodes_(ground.Untouched(domain, {})) {
  for (const std::size_t leaf : ground.domains[domain].leaves) {
    const Jobs& jobs = ground.leaves[leaf].jobs;
    if (!jobs.empty()) left_[leaf] = jobs;
    for (const std::size_t job : jobs) on_[job].push_back(leaf);
  }
  for (const auto& [leaf, jobs] : left_) Offer(leaf);
}

bool Emptying::Step() {
  if (steps_.empty()) return false;
  const Jobs going = steps_.begin()->second;
  nodes_ += GainOf(going);
  cost_ += ground_.CostOf(going);
  std::set<std::size_t> touched;
  for (const std::size_t job : going) touched.insert(on_[job].begin(), on_[job].end());
  std::set<std::size_t> changed;
  for (const std::size_t leaf : touched) {
    for (const std::size_t job : left_[leaf]) changed.insert(on_[job].begin(), on_[job].end());
  }
  for (const std::size_t leaf : changed) Withdraw(leaf);
  for (const std::size_t leaf : touched) {
    Jobs& jobs = left_[leaf];
    std::erase_if(jobs, [&going](std::size_t job) { return going.contains(job); });
    if (jobs.empty()) left_.erase(leaf);
  }
  for (const std::size_t job : going) {
    gone_.push_back(job);
    for (const std::size_t leaf : on_[job])
      places::AddTimes(ground_.jobs[job].on.at(leaf), 1, &needed_);
    on_.erase(job);
  }
  for (const std::size_t leaf : changed) {
    if (left_.contains(leaf)) Offer(leaf);
  }
  return true;
}

bool Emptying::HasRoomElsewhere() const { return ground_.IsFreeElsewhere(domain_, needed_); }

std::int32_t Emptying::GainOf(const Jobs& jobs) const {
  std::set<std::size_t> touched;
  for (const std::size_t job : jobs) touched.insert(on_.at(job).begin(), on_.at(job).end());
  std::int32_t nodes = 0;
  for (const std::size_t leaf : touched) {
    const Jobs& there = left_.at(leaf);
    if (std::includes(jobs.begin(), jobs.end(), there.begin(), there.end())) {
      nodes += ground_.leaves[leaf].usable;
    }
  }
  return nodes;
}

void Emptying::Offer(std::size_t leaf) {
  const Jobs& jobs = left_.at(leaf);
  if (!ground_.AreMovable(jobs)) return;
  const double price = ground_.CostOf(jobs) / std::max(GainOf(jobs), 1);
  offered_[leaf] = {price, jobs};
  steps_.insert({price, jobs});
}

/// Leaves with the same jobs have one step, and are withdrawn together.
void Emptying::Withdraw(std::size_t leaf) {
  const auto offered = offered_.find(leaf);
  if (offered == offered_.end()) return;
  steps_.erase(offered->second);
  offered_.erase(offered);
}

}  // namespace muster::defrag
