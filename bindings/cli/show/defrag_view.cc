// See defrag_view.h.
#include "bindings/cli/show/defrag_view.h"

#include <string>

#include "bindings/cli/show/age.h"
#include "bindings/cli/table.h"
#include "bindings/report/svg.h"
#include "engine/base/join.h"

namespace muster::cli {
namespace {

constexpr double kNanosOfHour = 3600e9;
constexpr std::size_t kNodesNamed = 6;

std::string GangText(const places::Largest& largest) {
  return std::to_string(largest.nodes) + (largest.nodes > 0 ? " in " + largest.domain : "");
}

/// "b0/cpu 5"
std::string GoesTo(const defrag::Move& move) {
  std::vector<std::string> places;
  for (const auto& [domain, pods] : move.to) places.push_back(domain + " " + std::to_string(pods));
  return Join(places);
}

std::string HoldsText(const defrag::Move& move) {
  std::vector<std::string> amounts;
  for (const auto& [resource, amount] : move.holds) {
    if (resource != "pods") amounts.push_back(amount.ToString() + " " + resource);
  }
  return Join(amounts);
}

std::string NodesNamed(const std::vector<std::string>& nodes) {
  if (nodes.size() <= kNodesNamed) return Join(nodes);
  return Join(std::vector<std::string>(nodes.begin(), nodes.begin() + kNodesNamed)) + " and " +
         std::to_string(nodes.size() - kNodesNamed) + " more";
}

Json LargestJson(const places::Largest& largest) {
  return {{"nodes", largest.nodes}, {"domain", largest.domain}};
}

/// Resource -> what was held of it, times the hours that are lost.
Json LostJson(const defrag::Move& move) {
  Json lost = Json::object();
  for (const auto& [resource, amount] : move.holds) {
    constexpr double kNano = 1e9;
    lost[resource] = static_cast<double>(amount.nano()) / kNano *
                     (static_cast<double>(move.lost) / kNanosOfHour);
  }
  return lost;
}

}  // namespace

void PrintPlan(const defrag::Plan& plan, std::int32_t wanted, Io& io) {
  io.out << "Most nodes that no workload is on, in one " << plan.level << " of " << plan.topology
         << ": " << GangText(plan.before);
  if (plan.moves.empty()) {
    const bool enough = wanted > 0 && plan.before.nodes >= wanted;
    io.out << ".\n"
           << (enough ? "That is enough; no job has to move.\n"
                      : "No moves were found that make place for " +
                            (wanted > 0 ? std::to_string(wanted) : std::string("more")) +
                            (plan.exact ? ", and every set of jobs, for each " + plan.level +
                                              " that is emptied, was thought of.\n"
                                        : ".\n"));
    return;
  }
  io.out << "; with these moves " << GangText(plan.after) << ".\n\n";
  Table table({"WORKLOAD", "CLUSTERQUEUE", "HOLDS", ">LOSES", ">NODE HOURS", "GOES TO"});
  for (const defrag::Move& move : plan.moves) {
    table.Add({move.workload.ToString(), move.cluster_queue, HoldsText(move), AgeOf(move.lost),
               simulate::Fixed(move.node_hours, 1), GoesTo(move)});
  }
  table.Print(io.out, io.paint, "  ");
  io.out << "  Work that is lost in all: " << simulate::Fixed(plan.node_hours, 1)
         << " node hours, since the start of each job or its last checkpoint.\n"
         << "\nNothing was done. To do it:\n  1. cordon " << NodesNamed(plan.cordon)
         << ", and tell Muster (muster apply)\n  2. muster evict";
  for (const defrag::Move& move : plan.moves) io.out << ' ' << move.workload.ToString();
  io.out << " --reason Defragmentation\n  3. when their pods are gone: muster evicted";
  for (const defrag::Move& move : plan.moves) io.out << ' ' << move.workload.ToString();
  io.out << "\n  4. when they run again: uncordon\n";
}

Json PlanJson(const defrag::Plan& plan) {
  Json moves = Json::array();
  for (const defrag::Move& move : plan.moves) {
    moves.push_back({{"workload", move.workload.ToString()},
                     {"clusterQueue", move.cluster_queue},
                     {"lostSeconds", move.lost / kSecond},
                     {"lost", LostJson(move)},
                     {"nodeHours", move.node_hours},
                     {"to", Json(move.to)}});
  }
  return {{"topology", plan.topology},
          {"level", plan.level},
          {"before", LargestJson(plan.before)},
          {"after", LargestJson(plan.after)},
          {"domain", plan.domain},
          {"cordon", plan.cordon},
          {"moves", std::move(moves)},
          {"nodeHours", plan.node_hours},
          {"exact", plan.exact},
          {"tried", plan.tried}};
}

}  // namespace muster::cli
