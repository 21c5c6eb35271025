// The only clock near a policy.
#include "bindings/luajit/cycle_time.h"

#include <ctime>

namespace muster::luajit {

double ThreadSeconds() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// A cycle whose end was not told, as that of a generation that was taken back in it, ends here.
void CycleTime::Begin(const std::shared_ptr<PolicyTime>& all) {
  End(all);
  cycles_.push_back({all});
}

void CycleTime::End(const std::shared_ptr<PolicyTime>& all) {
  std::erase_if(cycles_, [&all](const Cycle& cycle) { return cycle.all == all; });
}

std::int64_t CycleTime::Count(Hook hook, std::int64_t batches) {
  return cycles_.empty() ? 0 : cycles_.back().asked[static_cast<std::size_t>(hook)] += batches;
}

bool CycleTime::Late(double seconds, double limit) const {
  if (cycles_.empty()) return seconds >= limit;
  const Cycle& cycle = cycles_.back();
  const double own = (cycle.seconds + seconds) * static_cast<double>(cycle.all->packages);
  return cycle.all->seconds + seconds >= limit && own >= limit;
}

bool CycleTime::Pressed(double limit) const {
  return !cycles_.empty() && cycles_.back().all->seconds >= limit / 4;
}

bool CycleTime::watched() const {
  constexpr std::int64_t kUnwatched = 16'384;
  return !cycles_.empty() && cycles_.back().all->fuel > kUnwatched;
}

void CycleTime::Add(double seconds) {
  if (cycles_.empty()) return;
  cycles_.back().seconds += seconds;
  cycles_.back().all->seconds += seconds;
}

void CycleTime::Burn(std::int64_t fuel) {
  if (!cycles_.empty()) cycles_.back().all->fuel += fuel;
}

}  // namespace muster::luajit
