// Signs and colours go by five degrees of use, so that the map can be read without colours, too.
#include "bindings/cli/show/heat_view.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>

#include "bindings/cli/show/describe_places.h"
#include "bindings/cli/show/lines.h"
#include "bindings/lab/read.h"
#include "engine/base/join.h"

namespace muster::cli {
namespace {

constexpr std::size_t kWidestName = 24;

struct Degree {
  std::int32_t up_to;  ///< percent in use
  char sign;
  Tone tone;
};
constexpr std::array<Degree, 6> kDegrees = {{{places::kTakesNone, 'x', Tone::kStrong},
                                             {0, '.', Tone::kFaint},
                                             {33, ':', Tone::kGood},
                                             {66, '+', Tone::kGood},
                                             {99, '*', Tone::kWarning},
                                             {100, '#', Tone::kBad}}};
constexpr std::string_view kLegend =
    "  . free, : to a third used, + to two thirds, * more, # all, x takes no pods";

const Degree& DegreeOf(const places::Room& room, const std::set<std::string>& resources) {
  const std::int32_t used = places::UsedPercent(room, resources);
  return *std::find_if(kDegrees.begin(), kDegrees.end() - 1,
                       [used](const Degree& each) { return used <= each.up_to; });
}

/// A line of the map before it is drawn: a domain, and the rooms of those right below it.
struct HeatRow {
  std::string name;
  std::string nodes;
  std::vector<const places::Room*> below;
};

/// The domains of `level` (from 1), each with those below it.
std::vector<HeatRow> HeatRowsOf(const Heat& heat, std::size_t level) {
  std::vector<HeatRow> rows;
  for (const places::Place& place : heat.domains) {
    if (heat.topology.levels.size() == 1) {  // its domains are the leaves
      if (rows.empty()) rows.push_back({"all", "", {}});
      rows.front().below.push_back(&place.room);
    } else if (place.values.size() == level) {
      rows.push_back({Join(place.values, "/"),
                      std::to_string(place.room.untouched) + "/" + std::to_string(place.room.nodes),
                      {}});
      for (const places::Room& leaf : place.leaves) rows.back().below.push_back(&leaf);
    } else if (place.values.size() == level + 1) {
      rows.back().below.push_back(&place.room);
    }
  }
  return rows;
}

std::string EndOfName(const std::string& name, std::size_t width) {
  if (name.size() <= width) return name + std::string(width - name.size(), ' ');
  return "~" + name.substr(name.size() - width + 1);  // its end tells domains apart
}

/// Signs of `rooms`, one escape for a run of one tone.
std::string Signs(const std::vector<const places::Room*>& rooms, std::size_t begin, std::size_t end,
                  const Heat& heat, const Paint& paint) {
  std::string signs;
  std::string run;
  Tone tone = Tone::kPlain;
  for (std::size_t i = begin; i < end; ++i) {
    const Degree& degree = DegreeOf(*rooms[i], heat.resources);
    if (degree.tone != tone) signs += paint(tone, std::exchange(run, {}));
    tone = degree.tone;
    run += degree.sign;
  }
  return signs + paint(tone, run);
}

std::vector<std::string> DrawHeat(const Heat& heat, const std::vector<HeatRow>& rows,
                                  std::size_t width, const Paint& paint) {
  std::size_t names = 0;
  std::size_t nodes = 0;
  for (const HeatRow& row : rows) {
    names = std::max(names, std::min({row.name.size(), kWidestName, width / 3}));
    nodes = std::max(nodes, row.nodes.size());
  }
  const std::size_t before = 2 + names + 1 + nodes + 1;
  const std::size_t signs = std::max<std::size_t>(width > before ? width - before : 0, 8);
  std::vector<std::string> lines;
  for (const HeatRow& row : rows) {
    for (std::size_t at = 0; at == 0 || at < row.below.size(); at += signs) {
      const std::string head = at == 0 ? "  " + EndOfName(row.name, names) + " " +
                                             std::string(nodes - row.nodes.size(), ' ') +
                                             row.nodes + " "
                                       : std::string(before, ' ');
      lines.push_back(head +
                      Signs(row.below, at, std::min(at + signs, row.below.size()), heat, paint));
    }
  }
  return lines;
}

std::string Gangs(const Heat& heat) {
  std::string text;
  for (const places::Largest& each : heat.largest) {
    text += (text.empty() ? "  Most nodes that no workload is on, in one " : ", ") + each.level +
            ": " + std::to_string(each.nodes);
    if (each.nodes > 0) text += " in " + each.domain;
  }
  return text;
}

Json AmountsJson(const ResourceList& list, const std::set<std::string>& resources) {
  Json json = Json::object();
  for (const std::string& resource : resources) {
    json[resource] = AmountIn(list, resource).ToString();
  }
  return json;
}

}  // namespace

std::vector<Heat> HeatOf(const Engine& engine) {
  std::vector<Heat> heats;
  for (const Object& object : lab::Read(engine.Objects(ObjectKind::kTopology))) {
    Heat heat;
    heat.topology = std::get<Topology>(object);
    heat.domains = places::PlacesOf(engine, heat.topology);
    if (heat.domains.empty()) continue;
    heat.resources = places::ResourcesOf(engine, heat.topology);
    heat.largest = places::LargestOf(heat.domains, heat.topology);
    heats.push_back(std::move(heat));
  }
  return heats;
}

Json HeatJson(const std::vector<Heat>& heats) {
  Json topologies = Json::array();
  for (const Heat& heat : heats) {
    Json domains = Json::array();
    for (const places::Place& place : heat.domains) {
      const places::Room& room = place.room;
      Json domain = {{"path", place.values},
                     {"nodes", room.nodes},
                     {"usable", room.usable},
                     {"untouched", room.untouched},
                     {"used", places::UsedPercent(room, heat.resources)},
                     {"allocatable", AmountsJson(room.allocatable, heat.resources)},
                     {"inUse", AmountsJson(room.used, heat.resources)},
                     {"below", Json::array()}};
      for (std::size_t i = 0; i < place.leaves.size(); ++i) {
        domain["below"].push_back({{"name", place.leaf_names[i]},
                                   {"used", places::UsedPercent(place.leaves[i], heat.resources)}});
      }
      domains.push_back(std::move(domain));
    }
    Json largest = Json::array();
    for (const places::Largest& each : heat.largest) {
      largest.push_back({{"level", each.level}, {"nodes", each.nodes}, {"domain", each.domain}});
    }
    topologies.push_back({{"name", heat.topology.name},
                          {"levels", heat.topology.levels},
                          {"resources", heat.resources},
                          {"largestGangs", std::move(largest)},
                          {"domains", std::move(domains)}});
  }
  return {{"topologies", std::move(topologies)}};
}

std::vector<std::string> HeatLines(const std::vector<Heat>& heats, std::size_t width,
                                   std::size_t height, const Paint& paint) {
  std::vector<std::string> lines;
  if (heats.empty()) return lines;
  constexpr std::size_t kWords = 3;  // of each topology: its name, the legend, its gangs
  const std::size_t room = height / heats.size() > kWords + 1 ? height / heats.size() - kWords : 1;
  for (const Heat& heat : heats) {
    std::size_t level = std::max<std::size_t>(heat.topology.levels.size(), 2) - 1;
    std::vector<std::string> drawn = DrawHeat(heat, HeatRowsOf(heat, level), width, paint);
    while (height > 0 && drawn.size() > room && level > 1) {
      drawn = DrawHeat(heat, HeatRowsOf(heat, --level), width, paint);
    }
    if (height > 0) CutLines(&drawn, room, "line");
    const std::size_t below = std::min(level, heat.topology.levels.size() - 1);
    lines.push_back(WithoutEnd(Fitted(
        "Places of " + heat.topology.name + ", a sign for each " + heat.topology.levels[below],
        width)));
    lines.push_back(WithoutEnd(Fitted(std::string(kLegend), width)));
    lines.insert(lines.end(), drawn.begin(), drawn.end());
    if (!heat.largest.empty()) lines.push_back(WithoutEnd(Fitted(Gangs(heat), width)));
  }
  if (height > 0) CutLines(&lines, height, "line");
  return lines;
}

}  // namespace muster::cli
