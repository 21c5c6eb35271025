// Groups are numbered as their first entries come, so no address can reach the order.
#include "engine/policy/cycle_keys.h"

#include <algorithm>
#include <optional>

namespace muster {
namespace {

/// One call about the entries at `members`; false when it failed.
bool AskGroup(PolicyCalls& calls, Policy& policy, std::span<const OrderedEntry> entries,
              std::span<const std::size_t> members, std::vector<CycleKeys>& keys) {
  std::optional<PolicyBatch> batch;
  calls.NewBatch(policy, Hook::kCycleOrder, &batch);
  for (const std::size_t member : members) {
    batch->AddEntry(*entries[member].workload, entries[member].borrowing_level);
  }
  const auto width = static_cast<std::size_t>(FindHook(policy, Hook::kCycleOrder)->keys);
  std::vector<double> answers(members.size() * width);
  const ClusterQueueState& queue = *entries[members.front()].queue;
  if (!calls.Ask(policy, Hook::kCycleOrder, queue, *batch, answers)) return false;
  for (std::size_t i = 0; i < members.size(); ++i) {
    std::copy_n(answers.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                keys[members[i]].keys.begin());
  }
  return true;
}

}  // namespace

std::vector<CycleKeys> AskCycleKeys(PolicyCalls& calls, std::span<const OrderedEntry> entries) {
  std::vector<CycleKeys> keys(entries.size());
  if (calls.none(Hook::kCycleOrder)) return keys;
  std::vector<Policy*> policies;
  std::vector<std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Policy* policy = calls.For(*entries[i].queue, Hook::kCycleOrder);
    if (policy == nullptr) continue;
    const auto found = std::find(policies.begin(), policies.end(), policy);
    const auto group = static_cast<std::size_t>(found - policies.begin());
    if (found == policies.end()) {
      policies.push_back(policy);
      members.emplace_back();
    }
    members[group].push_back(i);
    keys[i].group = static_cast<std::int32_t>(group) + 1;
  }
  for (std::size_t group = 0; group < policies.size(); ++group) {
    if (AskGroup(calls, *policies[group], entries, members[group], keys)) continue;
    for (const std::size_t member : members[group]) keys[member].group = 0;
  }
  return keys;
}

}  // namespace muster
