// Trees of a few hosts below racks, blocks and zones.
#ifndef MUSTER_TESTS_TESTING_SMALL_TREE_H_
#define MUSTER_TESTS_TESTING_SMALL_TREE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/topology/topology_forest.h"
#include "tests/testing/random_choices.h"

namespace muster::testing {

/// By zone, block and rack the pods that each host has room for.
using Rooms = std::vector<std::vector<std::vector<std::vector<int>>>>;

/// Hosts below racks, blocks and zones, each with room for some pods.
class SmallTree {
 public:
  explicit SmallTree(const Rooms& rooms) {
    int host = 0;
    for (std::size_t z = 0; z < rooms.size(); ++z) {
      for (std::size_t b = 0; b < rooms[z].size(); ++b) {
        for (std::size_t r = 0; r < rooms[z][b].size(); ++r) {
          for (const int room : rooms[z][b][r]) Add({z, b, r}, host++, room);
        }
      }
    }
    topologies_["t"] = {.name = "t", .levels = {"zone", "block", "rack"}};
    topologies_["t"].levels.emplace_back(kHostnameLabel);
    flavors_["f"].name = "f";
    flavors_["f"].topology_name = "t";
    forest_.Rebuild(flavors_, topologies_, nodes_, {});
  }

  SmallTree(const SmallTree&) = delete;
  SmallTree& operator=(const SmallTree&) = delete;

  const TopologyTree& tree() const { return *forest_.Find("f"); }
  int RoomOf(std::uint32_t leaf) const { return static_cast<int>(tree().FreeOf(leaf)[0]); }

 private:
  static constexpr std::array kLevels = {"zone", "block", "rack"};

  void Add(std::array<std::size_t, 3> path, int host, int room) {
    Node node;
    node.name = "n" + std::to_string(100 + host);
    std::string value = "d";
    for (std::size_t l = 0; l < path.size(); ++l) {
      value += std::to_string(path[l]);
      node.labels[kLevels[l]] = value;
    }
    node.labels[std::string(kHostnameLabel)] = node.name;
    node.allocatable = {{"pods", Quantity::Units(room)}};
    node.ready = true;
    nodes_.emplace(node.name, node);
  }

  std::map<std::string, ResourceFlavor> flavors_;
  std::map<std::string, Topology> topologies_;
  std::map<std::string, Node> nodes_;
  TopologyForest forest_;
};

/// Two to five racks of up to two hosts.
inline Rooms AnyRooms(RandomChoices& choices) {
  Rooms zones;
  int racks = 0;
  const int most = 2 + choices.Below(4);
  while (racks < most) {
    if (zones.empty() || choices.Below(4) == 0) zones.emplace_back();
    if (zones.back().empty() || choices.Below(3) == 0) zones.back().emplace_back();
    std::vector<int>& hosts = zones.back().back().emplace_back();
    for (int i = choices.Below(2); i < 2; ++i) hosts.push_back(choices.Below(5));
    ++racks;
  }
  return zones;
}

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_SMALL_TREE_H_
