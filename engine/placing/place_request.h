// PlaceRequest: what is to be placed in one tree, and what was found.
#ifndef MUSTER_ENGINE_PLACING_PLACE_REQUEST_H_
#define MUSTER_ENGINE_PLACING_PLACE_REQUEST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/placing/domain_scorer.h"
#include "engine/topology/pod_shape.h"
#include "engine/topology/topology_tree.h"
#include "muster/spec.h"
#include "muster/workload.h"

namespace muster {

enum class Spread : std::uint8_t {
  kRequired,       ///< one domain of the level, or none
  kPreferred,      ///< the same, else one of a higher level, else several at the top
  kUnconstrained,  ///< wherever
};

/// Its pods, the workers, are of the shape.
struct PlaceRequest : PodShape {
  std::int32_t count = 0;  ///< workers
  bool leader = false;     ///< one pod more, in the same domain
  PodNeeds leader_needs;
  Spread spread = Spread::kUnconstrained;
  std::size_t level = 0;     ///< where choosing begins
  bool balanced = false;     ///< pods spread evenly over the fewest domains, if preferred
  bool by_affinity = false;  ///< nodes that the pods prefer come first
  /// Only leaves below this domain; level -1: all.
  int only_level = -1;
  std::uint32_t only_domain = 0;
  DomainScorer* scorer = nullptr;  ///< null: domains are wanted alike
  /// The slices are segments: on the fewest domains, evenly (engine/segments). No leader then.
  bool segmented = false;
};

/// Pods on a leaf, or room for them in another domain.
struct LeafPods {
  std::uint32_t leaf = 0;
  std::int32_t count = 0;
  bool operator==(const LeafPods&) const = default;
};

/// How few domains of one level have the segments, and why fewer cannot.
struct SegmentsProof {
  std::size_t level = 0;
  std::int32_t size = 0;      ///< pods of a segment
  std::int64_t segments = 0;  ///< of all pods
  std::int32_t domains = 0;   ///< that have them
  std::int64_t fewer = 0;     ///< segments that the best of one domain less have room for
  bool exact = true;          ///< false: there may be fewer, below the fewest of the level above
  bool operator==(const SegmentsProof&) const = default;
};

struct PlaceResult {
  bool found = false;
  std::vector<LeafPods> workers;  ///< ascending by leaf
  std::vector<LeafPods> leader;
  // Where none was found, for what level and how much of it there is room for.
  std::size_t level = 0;
  std::int32_t most = 0;    ///< in slices
  std::int32_t wanted = 0;  ///< in slices
  bool in_slices = false;
  std::int32_t segment = 0;               ///< pods of one, where slices are segments
  std::vector<SegmentsProof> proof = {};  ///< where they were found, outermost first
  /// The domains of that level with most room, where one had to have it all: at most two.
  std::vector<LeafPods> best;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PLACING_PLACE_REQUEST_H_
