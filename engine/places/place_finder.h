// PlaceFinder: where the pods of an assignment would be, once it has flavors.
//
// Flavors are placed in the order of their names, groups of podsets in their order inside a flavor.
// Each sees what those before it take. The first group without a place ends its flavor.
#ifndef MUSTER_ENGINE_PLACES_PLACE_FINDER_H_
#define MUSTER_ENGINE_PLACES_PLACE_FINDER_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/assign/assignment.h"
#include "engine/placing/placer.h"
#include "engine/policy/policy_calls.h"
#include "engine/state/world.h"

namespace muster {

/// Whether the holders that are left leave room for a place.
enum class Hosts { kAsUsed, kUnused };

/// What was looked for in which tree, and how much of it there was.
struct PlaceGap {
  const TopologyTree* tree = nullptr;
  PlaceResult result;
};

class PlaceFinder {
 public:
  /// `calls`: policies that are asked which domains they want, where the pods really go; may be
  /// null.
  PlaceFinder(World& world, const WorkloadRecord& workload, const ClusterQueueState& queue,
              PolicyCalls* calls);

  /// Whether some podset is to be placed, now or later.
  bool Asks() const { return asks_; }
  /// Finds, for each podset to be placed, its one flavor with a topology; those that wait for an
  /// admission check first are set aside. False: some have none or several.
  bool Begin(Assignment& assignment);
  /// Whether Begin found some that are to be placed now.
  bool AnyNow() const;
  /// Puts the places into the assignment; false where there are none for some podset, which
  /// `failed` then names.
  bool Find(Assignment& assignment, Hosts hosts);
  /// Whether there is one for each. Segments that nothing is placed after are only counted.
  bool Exists(const Assignment& assignment, Hosts hosts = Hosts::kAsUsed);
  /// Those of which Begin found so.
  const std::vector<std::size_t>& without_nodes() const { return without_nodes_; }
  /// The podset that Find found none for, and why.
  std::size_t failed() const { return failed_; }
  const std::string& why() const { return why_; }
  /// The same in figures; it holds until trees change.
  const PlaceGap& gap() const { return gap_; }
  /// Whether the podset is placed now.
  bool IsPlaced(std::size_t pod_set) const { return !parts_[pod_set].flavor.empty(); }

 private:
  struct Part {
    bool asks = false;
    bool delayed = false;
    std::string flavor;  ///< in which it is placed; empty: it is not, or not now
    std::optional<PodNeeds> needs;
  };
  struct Group {
    std::size_t worker = 0;
    std::optional<std::size_t> leader;
  };
  struct Outcome {
    std::vector<std::optional<TopologyAssignment>> topologies;  ///< by podset
    std::vector<PlacedPods> placed;
    std::string proof;  ///< see AssignedPlaces
    bool found = true;
  };

  enum class Extent { kPlaces, kWhether };

  Outcome Search(const Assignment& assignment, Hosts hosts, Extent extent, PolicyCalls* calls);
  std::vector<Group> GroupsIn(const std::string& flavor, const Assignment& assignment) const;
  PlaceRequest RequestFor(const TopologyTree& tree, const Group& group,
                          const Assignment& assignment, Hosts hosts);
  const PodNeeds& NeedsOf(std::size_t pod_set);
  bool IsDelayed(const std::string& flavor) const;
  /// The podset's group; empty: none.
  std::string_view GroupOf(std::size_t pod_set) const;
  /// Those with a topology that it was given, or, where it requests nothing, others of its group.
  std::set<std::string> FlavorsOf(const Assignment& assignment, std::size_t pod_set) const;

  World& world_;
  const WorkloadRecord& workload_;
  const ClusterQueueState& queue_;
  PolicyCalls* calls_;
  bool asks_ = false;
  std::vector<Part> parts_;  ///< by podset
  std::vector<std::size_t> without_nodes_;
  std::size_t failed_ = 0;
  std::string why_;
  PlaceGap gap_;
};

/// Whose pods are placed where, and the policies that are asked; `calls` may be null.
struct PlacingOf {
  const World& world;
  PolicyCalls* calls;
  const WorkloadRecord& workload;
  const ClusterQueueState& queue;
  const TopologyTree& tree;
};
/// Places pods as a policy of the queue wants it, or as without one. `before`: what earlier podsets
/// of the workload take. `placer` is one of the tree.
PlaceResult PlaceAsWanted(const PlacingOf& of, Placer& placer, const PlaceRequest& request,
                          const std::vector<PlacedPods>& before);
/// What the pods of a podset ask of nodes: their template, what admission checks add, and what the
/// flavor tolerates.
NodeFilter FilterFor(const WorkloadRecord& workload, std::size_t pod_set,
                     const ResourceFlavor& flavor);
/// The same before any check.
NodeFilter FilterFor(const PodSet& pod_set, const ResourceFlavor& flavor);
/// The level where the podset's choosing begins, how, and its slices; see PlaceRequest.
void SetLevels(const TopologyTree& tree, const PodSet& pod_set, PlaceRequest& request);
/// Why levels that SetLevels set cannot go together, in Kueue's words; empty: they can. The tree
/// has all that are asked for, of which a topology applied anew since quota was reserved may lack
/// some. Slices are at or below the level of the podset, each layer below the one around it.
std::string LevelConflict(const TopologyTree& tree, const PodSet& pod_set,
                          const PlaceRequest& request);
/// What earlier podsets take, as `tree` sees it.
AssumedPods AssumedIn(const TopologyTree& tree, const std::vector<PlacedPods>& placed);
/// The pods of a place as they are recorded, and as they are used.
TopologyAssignment RecordOf(const TopologyTree& tree, const std::vector<LeafPods>& pods);
PlacedPods PlacedOf(const TopologyTree& tree, PodNeeds needs, const std::vector<LeafPods>& pods);
/// "topology "default" allows to fit only 3 out of 8 pod(s)".
std::string WhyNot(const TopologyTree& tree, const PlaceResult& result);

/// Whether hosts have room for these pods, or for what an assignment puts on them.
bool PlacesFit(const TopologyForest& forest, const std::vector<PlacedPods>& all);
bool PlacesFit(const TopologyForest& forest, const Assignment& assignment);

}  // namespace muster

#endif  // MUSTER_ENGINE_PLACES_PLACE_FINDER_H_
