// See neighbours_by.h.
#include "bindings/cli/world/neighbours_by.h"

#include <vector>

#include "bindings/cli/show/shards.h"

namespace muster::cli {

std::function<Result<Json>()> ShardsOf(const std::string& db) {
  return [db]() -> Result<Json> {
    const Result<std::vector<Tree>> trees = ReadTrees(db);
    if (!trees.ok()) return trees.status();
    return ShardsJson(*trees);
  };
}

http::Neighbours NeighboursBy(const TreeKeeper& keeper, const std::string& db) {
  http::Neighbours neighbours;
  neighbours.ledger = keeper.name();
  neighbours.url_of = [&keeper](const Key& queue) { return keeper.UrlOf(queue); };
  neighbours.in_namespace = [&keeper](const std::string& ns) {
    std::vector<http::Neighbour> others;
    for (const TreeKeeper::Other& other : keeper.InNamespace(ns)) {
      others.push_back({other.name, other.url});
    }
    return others;
  };
  neighbours.shards = ShardsOf(db);
  return neighbours;
}

}  // namespace muster::cli
