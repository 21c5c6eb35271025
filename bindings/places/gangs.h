// GangFollower: the largest gang of whole nodes that has a place in each level, kept beside an
// engine without looking at every workload again. It is told of the commits, so it knows which
// workloads and objects are others, and reads only those.
#ifndef MUSTER_BINDINGS_PLACES_GANGS_H_
#define MUSTER_BINDINGS_PLACES_GANGS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "bindings/places/places.h"
#include "muster/engine.h"
#include "muster/journal.h"

namespace muster::places {

struct Gang {
  std::string topology;
  Largest largest;
};

class GangFollower {
 public:
  /// A commit of the engine that Largest is asked about. O(rows); O(1) before the first Largest.
  void Note(const Commit& commit);

  /// LargestOf of every topology, by its name. Throws lab::Refused when the engine is closed.
  ///
  /// The first time O(workloads + nodes). From then on O(workloads noted x their hosts + domains),
  /// and O(nodes x levels) when a Node, Topology or ResourceFlavor was noted. When more than
  /// kMostNoted workloads were, it is as the first time.
  std::vector<Gang> Largest(const Engine& engine);

 private:
  struct Leaf {
    std::int32_t usable = 0;
    std::int32_t touched = 0;           ///< spots of it with pods
    std::vector<std::int32_t*> within;  ///< `untouched` of its domains
  };
  struct Tree {
    Topology topology;
    std::map<std::vector<std::string>, std::int32_t> untouched;  ///< nodes, by domain
    std::map<std::vector<std::string>, Leaf> leaves;
    std::unordered_map<std::string, Leaf*> leaf_of;  ///< by the name of a Spot
  };
  static constexpr std::size_t kMostNoted = 100'000;

  void ReadObjects(const Engine& engine);
  void ReadWorkloads(const Engine& engine);
  void Take(const Key& key, const WorkloadView* workload);
  void Stand(const std::string& spot, std::int32_t podsets);

  bool read_ = false;
  bool objects_noted_ = false;
  bool many_noted_ = false;
  std::set<std::string> noted_;  ///< "namespace/name"
  std::map<std::string, std::string, std::less<>> topology_of_flavor_;
  std::map<Key, std::vector<std::string>> held_;              ///< names of spots
  std::unordered_map<std::string, std::int32_t> podsets_on_;  ///< only those above 0
  std::map<std::string, Tree> trees_;                         ///< by the topology's name
};

}  // namespace muster::places

#endif  // MUSTER_BINDINGS_PLACES_GANGS_H_
