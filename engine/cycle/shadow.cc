// See shadow.h.
#include "engine/cycle/shadow.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/base/join.h"
#include "engine/cycle/cycle.h"
#include "engine/policy/policy_calls.h"
#include "engine/policy/queue_order.h"

namespace muster {
namespace {

std::string WorkloadName(const World& world, WorkloadId id) {
  return world.workload(id).spec.key.ToString();
}

std::string List(const std::set<std::string>& names) {
  return names.empty() ? "none" : Join(names);
}

std::set<std::string> Without(const std::set<std::string>& all, const std::set<std::string>& gone) {
  std::set<std::string> rest;
  std::set_difference(all.begin(), all.end(), gone.begin(), gone.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

std::set<std::string> NamesOf(const std::set<std::pair<std::string, std::string>>& victims) {
  std::set<std::string> names;
  for (const auto& [victim, by] : victims) names.insert(victim + " for " + by);
  return names;
}

}  // namespace

Shadow::Shadow(std::shared_ptr<Policy> candidate) : candidate_(std::move(candidate)) {
  report_.package = candidate_->info().name;
  report_.hash = candidate_->info().hash;
}

Shadow::Decisions Shadow::DecisionsOf(const World& world, const std::vector<Entry>& entries) {
  Decisions decisions;
  for (const Entry& entry : entries) {
    const std::string name = WorkloadName(world, entry.workload);
    decisions.heads.push_back(name);
    if (entry.outcome == Outcome::kAdmitted) decisions.admitted.insert(name);
    if (entry.outcome != Outcome::kPreempting) continue;
    for (const Victim& victim : entry.victims) {
      if (!world.workload(victim.workload).evicted) {
        decisions.victims.insert({WorkloadName(world, victim.workload), name});
      }
    }
  }
  return decisions;
}

void Shadow::Foresee(World& world, const PolicyTable& active, const std::vector<Entry>& entries) {
  foreseen_ = false;
  std::size_t items = 0;
  for (const Entry& entry : entries) items += world.queue(entry.queue).pending.heap_size();
  if (items > kMostItems) {
    ++report_.skipped;
    return;
  }
  PolicyTable table = active.With(world, candidate_);
  std::optional<PolicyCycle> asking(table);
  PolicyCalls calls(world, table, world.cycle, PolicyCalls::Record::kForget);
  CycleMemory memory;
  std::vector<std::string> heads;
  for (const Entry& entry : entries) {
    const std::optional<WorkloadId> head = PreferredHead(world, calls, world.queue(entry.queue));
    heads.push_back(head ? WorkloadName(world, *head) : "none");
    if (head) memory.entries.emplace_back().Begin(*head, entry.queue);
  }
  if (!calls.TakeFailed()) DecideHeads(world, calls, memory);
  asking.reset();
  if (!calls.failures().empty()) {
    ++report_.failures;
    report_.last_failure = calls.failures().back().message;
    return;
  }
  expected_ = DecisionsOf(world, memory.entries);
  expected_.heads = std::move(heads);
  foreseen_ = true;
}

void Shadow::Sample(const World& world, std::string what, std::string active,
                    std::string candidate) {
  if (report_.samples.size() == kSamples) return;
  report_.samples.push_back(
      {world.cycle, std::move(what), std::move(active), std::move(candidate)});
}

void Shadow::Compare(const World& world, const std::vector<Entry>& entries) {
  if (!std::exchange(foreseen_, false)) return;
  ++report_.cycles;
  const Decisions decided = DecisionsOf(world, entries);
  for (std::size_t i = 0; i < decided.heads.size(); ++i) {
    if (decided.heads[i] == expected_.heads[i]) continue;
    ++report_.other_heads;
    Sample(world, "head of " + world.queue(entries[i].queue).name(), decided.heads[i],
           expected_.heads[i]);
  }
  if (decided.admitted != expected_.admitted) {
    ++report_.other_admissions;
    Sample(world, "admitted", List(Without(decided.admitted, expected_.admitted)),
           List(Without(expected_.admitted, decided.admitted)));
  }
  if (decided.victims != expected_.victims) {
    ++report_.other_victims;
    const auto active = NamesOf(decided.victims), candidate = NamesOf(expected_.victims);
    Sample(world, "preempted", List(Without(active, candidate)), List(Without(candidate, active)));
  }
}

}  // namespace muster
