// Groups are numbered as their first entries come, so no address can reach the order.
#include "engine/policy/cycle_keys.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace muster {
namespace {

/// One call of each of `chain` about the entries at `members`; false when one failed.
bool AskGroup(PolicyCalls& calls, std::span<Policy* const> chain,
              std::span<const OrderedEntry> entries, std::span<const std::size_t> members,
              std::vector<CycleKeys>& keys) {
  const ClusterQueueState& queue = *entries[members.front()].queue;
  std::size_t offset = 0;
  for (Policy* policy : chain) {
    std::optional<PolicyBatch> batch;
    calls.NewBatch(*policy, Hook::kCycleOrder, &batch);
    for (const std::size_t member : members) {
      batch->AddEntry(*entries[member].workload, entries[member].borrowing_level);
    }
    const auto width = static_cast<std::size_t>(FindHook(*policy, Hook::kCycleOrder)->keys);
    std::vector<double> answers(members.size() * width);
    if (!calls.Ask(*policy, Hook::kCycleOrder, queue, *batch, answers)) return false;
    for (std::size_t i = 0; i < members.size(); ++i) {
      auto& row = keys[members[i]].keys;
      const std::size_t room = std::min(width, row.size() - offset);
      std::copy_n(answers.begin() + static_cast<std::ptrdiff_t>(i * width), room,
                  row.begin() + static_cast<std::ptrdiff_t>(offset));
    }
    offset = std::min(offset + width, keys[members.front()].keys.size());
  }
  return true;
}

}  // namespace

std::vector<CycleKeys> AskCycleKeys(PolicyCalls& calls, std::span<const OrderedEntry> entries) {
  std::vector<CycleKeys> keys(entries.size());
  if (calls.none(Hook::kCycleOrder)) return keys;
  std::vector<std::vector<Policy*>> chains;
  std::vector<std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::vector<Policy*> chain = calls.AllFor(*entries[i].queue, Hook::kCycleOrder);
    if (chain.empty()) continue;
    const auto found = std::find(chains.begin(), chains.end(), chain);
    const auto group = static_cast<std::size_t>(found - chains.begin());
    if (found == chains.end()) {
      chains.push_back(std::move(chain));
      members.emplace_back();
    }
    members[group].push_back(i);
    keys[i].group = static_cast<std::int32_t>(group) + 1;
  }
  for (std::size_t group = 0; group < chains.size(); ++group) {
    if (AskGroup(calls, chains[group], entries, members[group], keys)) continue;
    for (const std::size_t member : members[group]) keys[member].group = 0;
  }
  return keys;
}

}  // namespace muster
