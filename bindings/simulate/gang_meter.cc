// Between two events nothing changes, so one look serves every part whose middle lies there.
#include "bindings/simulate/gang_meter.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "bindings/lab/read.h"
#include "bindings/places/places.h"

namespace muster::simulate {
namespace {

GangSeries& SeriesOf(const std::string& topology, const std::string& level,
                     std::vector<GangSeries>* all) {
  const auto found = std::find_if(all->begin(), all->end(), [&](const GangSeries& each) {
    return each.topology == topology && each.level == level;
  });
  if (found != all->end()) return *found;
  return all->emplace_back(GangSeries{topology, level, std::vector<double>(kSeriesParts)});
}

}  // namespace

GangMeter::GangMeter(TimeNs begin, TimeNs last) : begin_(begin), last_(std::max(last, begin + 1)) {}

TimeNs GangMeter::MiddleOf(std::size_t part) const {
  const double length = static_cast<double>(last_ - begin_) / kSeriesParts;
  return begin_ + static_cast<TimeNs>((static_cast<double>(part) + 0.5) * length);
}

void GangMeter::Pass(const Engine& engine, TimeNs next) {
  std::size_t end = part_;
  while (end < kSeriesParts && MiddleOf(end) < next) ++end;
  if (end > part_) Look(engine, end);
  part_ = end;
}

void GangMeter::Look(const Engine& engine, std::size_t end) {
  for (const Object& object : lab::Read(engine.Objects(ObjectKind::kTopology))) {
    const auto& topology = std::get<Topology>(object);
    for (const places::Largest& largest :
         places::LargestOf(places::PlacesOf(engine, topology), topology)) {
      std::vector<double>& series = SeriesOf(topology.name, largest.level, &gangs_).series;
      for (std::size_t part = part_; part < end; ++part) {
        series[part] = static_cast<double>(largest.nodes);
      }
    }
  }
}

std::vector<GangSeries> GangMeter::Finish() {
  std::stable_sort(gangs_.begin(), gangs_.end(), [](const GangSeries& a, const GangSeries& b) {
    return a.topology < b.topology;
  });
  return std::move(gangs_);
}

}  // namespace muster::simulate
