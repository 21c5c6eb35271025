// Comparing, shrinking, printing.
#include "tests/property/judge.h"

#include <gtest/gtest.h>

#include "bindings/manifest/manifest.h"
#include "muster/engine.h"

namespace muster::testing {
namespace {

// Whether `object` is, or cannot be without, the ClusterQueue `queue`.
bool Needs(const Object& object, const std::string& queue, const World& world) {
  if (const auto* self = std::get_if<ClusterQueue>(&object)) return self->name == queue;
  if (const auto* local = std::get_if<LocalQueue>(&object)) return local->cluster_queue == queue;
  const auto* workload = std::get_if<Workload>(&object);
  if (workload == nullptr) return false;
  for (const Object& other : world) {
    const auto* local = std::get_if<LocalQueue>(&other);
    if (local && local->key.name == workload->queue) return local->cluster_queue == queue;
  }
  return false;
}

}  // namespace

World Drop(const World& world, std::size_t index) {
  World rest;
  const auto* queue = std::get_if<ClusterQueue>(&world[index]);
  for (std::size_t i = 0; i < world.size(); ++i) {
    const bool goes = i == index || (queue && Needs(world[i], queue->name, world));
    if (!goes) rest.push_back(world[i]);
  }
  return rest;
}

bool IsDroppable(const Object& object) {
  const ObjectKind kind = KindOf(object);
  return kind == ObjectKind::kWorkload || kind == ObjectKind::kClusterQueue ||
         kind == ObjectKind::kCohort;
}

oracle::Outcome Decide(const World& world) {
  Engine engine;
  const Status applied = engine.Apply(world, kNow, MissingReference::kAccept);
  EXPECT_TRUE(applied.ok()) << applied.message() << "\n" << ToCase(world);
  const Result<CycleResult> cycle = engine.RunCycle(kNow);
  EXPECT_TRUE(cycle.ok()) << cycle.status().message() << "\n" << ToCase(world);
  const Status invariants = engine.CheckInvariants();
  EXPECT_TRUE(invariants.ok()) << invariants.message() << "\n" << ToCase(world);
  oracle::Outcome outcome;
  if (!cycle.ok()) return outcome;
  for (const AdmittedWorkload& a : cycle->admitted) outcome.admitted[a.workload] = a.admission;
  for (const PreemptedWorkload& p : cycle->preempted) {
    outcome.preempted[p.workload] = {p.reason, p.by};
  }
  for (const PendingWorkload& p : *engine.Pending()) {
    outcome.pending[p.workload] = {p.cluster_queue, p.parked, p.reason};
  }
  return outcome;
}

World PassOn(const World& world) {
  Engine engine;
  EXPECT_TRUE(engine.Apply(world, kNow, MissingReference::kAccept).ok());
  EXPECT_TRUE(engine.RunCycle(kNow).ok());
  EXPECT_TRUE(engine.Evicted(*engine.Evicting(), kNow).ok());
  World next;
  for (const Object& object : world) {
    if (KindOf(object) != ObjectKind::kWorkload) next.push_back(object);
  }
  for (const WorkloadView& workload : *engine.Workloads()) next.emplace_back(workload.spec);
  return next;
}

std::string Describe(const oracle::Outcome& outcome) {
  std::string text;
  for (const auto& [key, admission] : outcome.admitted) {
    text += "  " + key.ToString() + " admitted";
    for (const PodSetAssignment& pod_set : admission.pod_sets) {
      text += " " + pod_set.name + "(" + std::to_string(pod_set.count) + ")";
      for (const auto& [resource, flavor] : pod_set.flavors) {
        const auto usage = pod_set.resource_usage.find(resource);
        const bool known = usage != pod_set.resource_usage.end();
        text += " " + resource + " " + (known ? usage->second.ToString() : "?") + " of " + flavor;
      }
    }
    text += "\n";
  }
  for (const auto& [key, why] : outcome.preempted) {
    text += "  " + key.ToString() + " preempted by " + why.second.ToString() + ": " +
            std::string(ReasonName(why.first)) + "\n";
  }
  for (const auto& [key, fate] : outcome.pending) {
    text += "  " + key.ToString() + (fate.parked ? " parked in " : " waits in ") +
            fate.cluster_queue + " " + std::string(ReasonName(fate.reason)) + "\n";
  }
  return text;
}

std::optional<std::string> FindDisagreement(const World& world) {
  const auto differs = [](const World& w) { return Decide(w) != oracle::RunCycle(w, kNow); };
  if (!differs(world)) return std::nullopt;
  const World small = Shrink(world, differs);
  return ToCase(small) + "# engine\n" + Describe(Decide(small)) + "# oracle\n" +
         Describe(oracle::RunCycle(small, kNow));
}

World Shrink(World world, const std::function<bool(const World&)>& fails) {
  for (bool shrunk = true; shrunk;) {
    shrunk = false;
    for (std::size_t i = 0; i < world.size() && !shrunk; ++i) {
      if (!IsDroppable(world[i])) continue;
      World smaller = Drop(world, i);
      if (!fails(smaller)) continue;
      world = std::move(smaller);
      shrunk = true;
    }
  }
  return world;
}

std::string ToCase(const World& world) {
  std::string text;
  for (const Object& object : world) {
    const std::string yaml = manifest::ToYaml(object);
    text += yaml + (yaml.ends_with('\n') ? "" : "\n") + "---\n";
  }
  return text + "apiVersion: muster.dev/v1\nkind: Scenario\nnow: '" + manifest::FormatTime(kNow) +
         "'\nsteps:\n- {cycle: 1}\n";
}

}  // namespace muster::testing
