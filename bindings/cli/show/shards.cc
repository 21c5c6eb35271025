#include "bindings/cli/show/shards.h"

#include <cstdint>
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

/// The newest number that it has, and how many it refused.
Cell ShownObjects(const Tree& tree) {
  const std::string number = std::to_string(tree.objects);
  if (tree.refused.empty()) return number;
  return {number + ", " + std::to_string(tree.refused.size()) + " refused", Tone::kBad};
}

}  // namespace

Table ShardsTable(const std::vector<Tree>& trees) {
  Table table({"NAME", "STATE", "URL", ">STANDBYS", ">QUEUES", ">OBJECTS", ">COMMITS", ">WRITERS",
               "HOLDER"});
  for (const Tree& tree : trees) {
    table.Add({tree.name, StateOf(tree), tree.url, std::to_string(tree.standbys.size()),
               std::to_string(tree.queues), ShownObjects(tree), std::to_string(tree.commits),
               std::to_string(tree.writers), tree.holder});
  }
  return table;
}

Json ShardsJson(const std::vector<Tree>& trees) {
  Json list = Json::array();
  for (const Tree& tree : trees) {
    Json refused = Json::array();
    for (const RefusedForAll& each : tree.refused) {
      refused.push_back({{"number", each.number}, {"why", each.why}});
    }
    list.push_back({{"name", tree.name},
                    {"state", StateOf(tree).text},
                    {"url", tree.url},
                    {"standbys", tree.standbys},
                    {"queues", tree.queues},
                    {"objects", tree.objects},
                    {"refused", std::move(refused)},
                    {"commits", tree.commits},
                    {"writers", tree.writers},
                    {"holder", tree.holder}});
  }
  return list;
}

std::optional<std::vector<Tree>> ShardsFrom(const Json& json) {
  std::vector<Tree> trees;
  if (!json.is_array()) return std::nullopt;
  for (const Json& each : json) {
    if (!each.is_object() || !each.contains("name")) return std::nullopt;
    Tree& tree = trees.emplace_back();
    tree.name = each.value("name", "");
    tree.commits = each.value("commits", std::int64_t{0});
    tree.writers = each.value("writers", std::int64_t{0});
    tree.holder = each.value("holder", "");
    tree.held = each.value("state", "") == "served";
    tree.url = each.value("url", "");
    for (const Json& one : each.value("standbys", Json::array())) {
      if (!one.is_string()) return std::nullopt;
      tree.standbys.push_back(one.get<std::string>());
    }
    tree.queues = each.value("queues", std::int64_t{0});
    tree.objects = each.value("objects", std::int64_t{0});
    for (const Json& one : each.value("refused", Json::array())) {
      if (!one.is_object()) return std::nullopt;
      tree.refused.push_back({one.value("number", std::int64_t{0}), one.value("why", "")});
    }
  }
  return trees;
}

}  // namespace muster::cli
