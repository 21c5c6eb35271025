// Use is constant between two events, so its integral is a sum of rectangles.
#include "bindings/simulate/use.h"

#include <algorithm>
#include <utility>

#include "bindings/simulate/number.h"

namespace muster::simulate {

double UnitsOf(std::string_view resource, Amount amount) {
  return static_cast<double>(amount) / (resource == "cpu" ? 1000 : 1);
}

UseMeter::UseMeter(std::string resource, TimeNs begin, TimeNs last)
    : resource_(std::move(resource)),
      begin_(begin),
      last_(std::max(last, begin + 1)),
      now_(begin) {}

void UseMeter::SetQueues(std::span<const ClusterQueueView> queues) {
  for (Cell& cell : cells_) {
    Settle(cell);
    cell.nominal = 0;
  }
  for (QueueUse& queue : queues_) queue.nominal = 0;
  for (const ClusterQueueView& view : queues) {
    const auto index = static_cast<std::size_t>(IndexOf(view.spec.name));
    if (index >= queues_.size()) {
      index_.emplace(view.spec.name, static_cast<std::int32_t>(queues_.size()));
      queues_.emplace_back().name = view.spec.name;
      queues_.back().series.resize(kSeriesParts);
      cells_of_.emplace_back();
    }
    const std::size_t queue = std::min(index, queues_.size() - 1);
    for (const QuotaView& quota : view.quotas) {
      if (quota.resource != resource_) continue;
      const double nominal = UnitsOf(resource_, quota.nominal);
      queues_[queue].nominal += nominal;
      CellOf(queue, quota.flavor).nominal = nominal;
    }
  }
}

UseMeter::Cell& UseMeter::CellOf(std::size_t queue, std::string_view flavor) {
  for (const std::size_t each : cells_of_[queue]) {
    if (cells_[each].flavor == flavor) return cells_[each];
  }
  cells_of_[queue].push_back(cells_.size());
  return cells_.emplace_back(Cell{queue, std::string(flavor), 0, 0, std::max(begin_, now_)});
}

std::int32_t UseMeter::IndexOf(std::string_view cluster_queue) const {
  const auto found = index_.find(cluster_queue);
  return found == index_.end() ? -1 : found->second;
}

std::vector<Holding> UseMeter::HoldingsOf(std::int32_t queue, const Admission& admission) const {
  std::vector<Holding> holdings;
  for (const PodSetAssignment& pods : std::as_const(admission.pod_sets)) {
    const auto flavor = pods.flavors.find(resource_);
    const auto usage = pods.resource_usage.find(resource_);
    if (queue < 0 || flavor == pods.flavors.end() || usage == pods.resource_usage.end()) continue;
    for (const std::size_t cell : cells_of_[static_cast<std::size_t>(queue)]) {
      if (cells_[cell].flavor != flavor->second) continue;
      holdings.push_back({cell, UnitsOf(resource_, usage->second.ToAmount(resource_))});
    }
  }
  return holdings;
}

void UseMeter::Charge(std::span<const Holding> holdings) {
  for (const Holding& each : holdings) {
    Settle(cells_[each.cell]);
    cells_[each.cell].used += each.units;
  }
}

void UseMeter::Release(std::span<const Holding> holdings) {
  for (const Holding& each : holdings) {
    Settle(cells_[each.cell]);
    cells_[each.cell].used -= each.units;
  }
}

void UseMeter::Evict(std::int32_t queue, std::span<const Holding> holdings, std::string_view cause,
                     DurationNs ran, DurationNs lost) {
  if (queue < 0 || now_ < begin_ || now_ > last_) return;
  QueueUse& use = queues_[static_cast<std::size_t>(queue)];
  ++use.evictions[std::string(cause)];
  for (const Holding& each : holdings) {
    use.preempted += each.units * InSeconds(ran);
    use.lost += each.units * InSeconds(lost);
  }
}

void UseMeter::Settle(Cell& cell) {
  const TimeNs until = std::min(now_, last_);
  const double length = static_cast<double>(last_ - begin_) / kSeriesParts;
  QueueUse& queue = queues_[cell.queue];
  while (cell.since < until) {
    const auto part =
        std::min(kSeriesParts - 1,
                 static_cast<std::size_t>(static_cast<double>(cell.since - begin_) / length));
    const TimeNs end = begin_ + static_cast<TimeNs>(static_cast<double>(part + 1) * length);
    const TimeNs next =
        part + 1 == kSeriesParts ? until : std::min(until, std::max(end, cell.since + 1));
    const double time = InSeconds(next - cell.since);
    queue.used += cell.used * time;
    queue.borrowed += std::max(0.0, cell.used - cell.nominal) * time;
    queue.series[part] += cell.used * time / (length / static_cast<double>(kSecond));
    cell.since = next;
  }
  cell.since = std::max(cell.since, now_);
}

std::vector<QueueUse> UseMeter::Finish() {
  for (Cell& cell : cells_) Settle(cell);
  return std::move(queues_);
}

}  // namespace muster::simulate
