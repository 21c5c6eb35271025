// Use is constant between two events, so its integral is a sum of rectangles.
#include "bindings/simulate/use.h"

#include <algorithm>
#include <utility>

#include "bindings/simulate/number.h"

namespace muster::simulate {
namespace {

double UnitsOf(std::string_view resource, Amount amount) {
  return static_cast<double>(amount) / (resource == "cpu" ? 1000 : 1);
}
}  // namespace

UseMeter::UseMeter(std::string resource, std::span<const ClusterQueueView> queues, TimeNs begin,
                   TimeNs last)
    : resource_(std::move(resource)), begin_(begin), last_(std::max(last, begin + 1)), now_(begin) {
  for (const ClusterQueueView& view : queues) {
    QueueUse& queue = queues_.emplace_back();
    queue.name = view.spec.name;
    queue.series.resize(kSeriesParts);
    for (const QuotaView& quota : view.quotas) {
      if (quota.resource != resource_) continue;
      const double nominal = UnitsOf(resource_, quota.nominal);
      cells_.push_back({queues_.size() - 1, quota.flavor, nominal, 0, begin});
      queue.nominal += nominal;
    }
  }
}

std::int32_t UseMeter::IndexOf(std::string_view cluster_queue) const {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (queues_[i].name == cluster_queue) return static_cast<std::int32_t>(i);
  }
  return -1;
}

std::vector<Holding> UseMeter::HoldingsOf(const Admission& admission) const {
  std::vector<Holding> holdings;
  const std::int32_t queue = IndexOf(admission.cluster_queue.view());
  for (const PodSetAssignment& pods : std::as_const(admission.pod_sets)) {
    const auto flavor = pods.flavors.find(resource_);
    const auto usage = pods.resource_usage.find(resource_);
    if (queue < 0 || flavor == pods.flavors.end() || usage == pods.resource_usage.end()) continue;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (cells_[i].queue != static_cast<std::size_t>(queue)) continue;
      if (cells_[i].flavor != flavor->second) continue;
      holdings.push_back({i, UnitsOf(resource_, usage->second.ToAmount(resource_))});
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

void UseMeter::Lose(std::span<const Holding> holdings, DurationNs work) {
  for (const Holding& each : holdings) {
    queues_[cells_[each.cell].queue].lost += each.units * InSeconds(work);
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
