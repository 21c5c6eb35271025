#include "bindings/cli/show/shards.h"

#include <string>
#include <utility>

namespace muster::cli {
namespace {

/// Whether its lease runs, and of one that none has whether it was given back.
Cell StateOf(const Tree& tree) {
  if (tree.held) return {"served", Tone::kGood};
  if (tree.holder.empty()) return "free";
  return {"lost", Tone::kBad};
}

}  // namespace

Table ShardsTable(const std::vector<Tree>& trees) {
  Table table({"NAME", "STATE", "URL", ">QUEUES", ">COMMITS", ">WRITERS", "HOLDER"});
  for (const Tree& tree : trees) {
    table.Add({tree.name, StateOf(tree), tree.url, std::to_string(tree.queues),
               std::to_string(tree.commits), std::to_string(tree.writers), tree.holder});
  }
  return table;
}

Json ShardsJson(const std::vector<Tree>& trees) {
  Json list = Json::array();
  for (const Tree& tree : trees) {
    list.push_back({{"name", tree.name},
                    {"state", StateOf(tree).text},
                    {"url", tree.url},
                    {"queues", tree.queues},
                    {"commits", tree.commits},
                    {"writers", tree.writers},
                    {"holder", tree.holder}});
  }
  return list;
}

}  // namespace muster::cli
