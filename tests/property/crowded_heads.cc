// See crowded_heads.h.
#include "tests/property/crowded_heads.h"

#include <algorithm>

#include "engine/command/applier.h"
#include "tests/testing/builders.h"

namespace muster::testing {

void Load(const std::vector<Object>& objects, muster::World& world) {
  world.now = kNoon + 10 * kSecond;
  Applier applier(world);
  for (const Object& object : objects) applier.Apply(object);
  applier.Finish();
}

std::vector<const WorkloadRecord*> HeadsOf(const muster::World& world) {
  std::vector<const WorkloadRecord*> heads;
  for (const auto& workload : world.workloads) {
    if (workload->queued()) heads.push_back(workload.get());
  }
  return heads;
}

std::string ShowVictims(const muster::World& world, const std::vector<Victim>& victims) {
  std::string text;
  for (const Victim& victim : victims) {
    text += world.workload(victim.workload).spec.key.name + " " +
            std::string(ReasonName(victim.reason)) + "\n";
  }
  return text;
}

Asked::Asked(muster::World& world, const WorkloadRecord& of, Choices& choices)
    : head(of), queue(world.queue(of.queue)) {
  for (const ResourceAmount& ask : of.pod_sets[0].per_pod) {
    const FlavorResourceId pair = world.names.Pair(world.names.Flavor("f"), ask.resource);
    if (world.tree_of(queue).ColumnOf(pair) == kNoColumn) continue;
    demand.push_back({pair, ask.amount});
    if (choices.OneIn(4) && !contested.empty()) continue;
    contested.push_back(pair);
  }
  std::sort(contested.begin(), contested.end());
  std::sort(demand.begin(), demand.end(),
            [](const Usage& a, const Usage& b) { return a.fr < b.fr; });
}

void Take(muster::World& world, const Asked& asked, const std::vector<Victim>& victims,
          Claims& taken) {
  for (const Victim& victim : victims) {
    SimulateRemoval(world, victim.workload);
    taken.victims.insert(victim.workload);
    taken.changed.push_back(world.queue(world.workload(victim.workload).holds_in).node);
  }
  world.capacity.Charge(asked.queue.place(), asked.demand);
  taken.changed.push_back(asked.queue.node);
}

}  // namespace muster::testing
