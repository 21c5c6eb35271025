// The heads of a random world and what they ask of a search for victims.
#ifndef MUSTER_TESTS_PROPERTY_CROWDED_HEADS_H_
#define MUSTER_TESTS_PROPERTY_CROWDED_HEADS_H_

#include <string>
#include <vector>

#include "engine/preempt/preemption_search.h"
#include "engine/state/world.h"
#include "muster/object.h"
#include "tests/testing/choices.h"

namespace muster::testing {

/// Applies these to an empty world, a few seconds after noon.
void Load(const std::vector<Object>& objects, muster::World& world);

/// All that wait in a queue.
std::vector<const WorkloadRecord*> HeadsOf(const muster::World& world);

/// A line for each, with its reason.
std::string ShowVictims(const muster::World& world, const std::vector<Victim>& victims);

/// What a head asks for, on flavor f, and some of it that is short.
struct Asked {
  Asked(muster::World& world, const WorkloadRecord& of, Choices& choices);
  PreemptionRequest Request() const { return {head, queue, demand, contested}; }

  const WorkloadRecord& head;
  const ClusterQueueState& queue;
  std::vector<Usage> demand;
  std::vector<FlavorResourceId> contested;
};

/// The head takes its victims and is charged, as in a cycle; `taken` is of its tree.
void Take(muster::World& world, const Asked& asked, const std::vector<Victim>& victims,
          Claims& taken);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_PROPERTY_CROWDED_HEADS_H_
