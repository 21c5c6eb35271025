// See domain_scores.h.
#include "engine/domains/domain_scores.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "engine/base/amount.h"
#include "engine/state/named_accounts.h"

namespace muster {
namespace {

/// The number of what no host has.
constexpr std::uint32_t kNoNumber = std::numeric_limits<std::uint32_t>::max();

bool IsInTree(const TopologyTree& tree, const PlacedPods& pods) {
  return pods.by_host ? tree.by_host() : pods.flavor == tree.flavor().name;
}

/// A job of which no part of the key is known is like no other.
bool NamesNothing(const std::string& key) {
  return key.find_first_not_of(',') == std::string::npos;
}

}  // namespace

Policy* PolicyOverDomains(const PolicyCalls* calls, const ClusterQueueState& queue) {
  if (calls == nullptr || calls->none(Hook::kDomainOrder)) return nullptr;
  return calls->For(queue, Hook::kDomainOrder);
}

DomainScores::DomainScores(const World& world, PolicyCalls& calls, Policy& policy,
                           const Placing& placing)
    : world_(world),
      calls_(calls),
      policy_(policy),
      hook_(*FindHook(policy, Hook::kDomainOrder)),
      placing_(placing) {
  reads_amounts_ = MayRead("free") || MayRead("total") || MayRead("gpus") || MayRead("free_gpus");
  reads_placed_ = !hook_.per.empty() && ReadsInput(hook_, "placed");
  reads_labels_ = reads_placed_ || MayRead("label");
  reads_hosts_ = MayRead("hosts");
  if (!reads_amounts_) return;
  const auto& numbers = world.capacity.places().numbers().all();
  gpus_.resize(numbers.size());
  for (const auto& [name, number] : numbers) gpus_[number] = IsGpu(name);
  for (const ResourceId resource : calls.columns().ids()) {
    const auto number = numbers.find(world.names.ResourceName(resource));
    columns_.push_back(number == numbers.end() ? kNoNumber : number->second);
  }
}

bool DomainScores::MayRead(std::string_view field) const {
  return !hook_.named ||
         std::find(hook_.named->begin(), hook_.named->end(), field) != hook_.named->end();
}

void DomainScores::AddAmounts(std::uint32_t first, std::uint32_t last, DomainRow* row) const {
  const TopologyTree& tree = placing_.tree;
  for (std::uint32_t leaf = first; leaf < last; ++leaf) {
    const std::span<const Amount> alone = tree.AloneOf(leaf);
    const std::span<const Amount> free = tree.FreeOf(leaf);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i] >= alone.size()) continue;
      row->total[i] = Add(row->total[i], alone[columns_[i]]);
      row->free[i] = Add(row->free[i], free[columns_[i]]);
    }
    for (std::size_t number = 0; number < alone.size() && number < gpus_.size(); ++number) {
      if (!gpus_[number]) continue;
      row->gpus = Add(row->gpus, alone[number]);
      row->free_gpus = Add(row->free_gpus, free[number]);
    }
  }
}

void DomainScores::TakeAssumed(std::uint32_t first, std::uint32_t last, DomainRow* row) const {
  auto taken =
      std::lower_bound(placing_.assumed.begin(), placing_.assumed.end(), first,
                       [](const auto& each, std::uint32_t leaf) { return each.first < leaf; });
  for (; taken != placing_.assumed.end() && taken->first < last; ++taken) {
    for (const HostAmount& each : taken->second) {
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (columns_[i] == each.resource) row->free[i] = Sub(row->free[i], each.amount);
      }
      if (each.resource < gpus_.size() && gpus_[each.resource]) {
        row->free_gpus = Sub(row->free_gpus, each.amount);
      }
    }
  }
}

std::string_view DomainScores::CommonLabel(std::uint32_t first, std::uint32_t last,
                                           const std::string& label) const {
  const std::string* common = nullptr;
  for (std::uint32_t leaf = first; leaf < last; ++leaf) {
    for (const Node* node : placing_.tree.NodesOf(leaf)) {
      const auto value = node->labels.find(label);
      if (value == node->labels.end()) return {};
      if (common == nullptr) common = &value->second;
      if (*common != value->second) return {};
    }
  }
  return common == nullptr ? std::string_view() : *common;
}

DomainRow DomainScores::RowOf(std::size_t level, const DomainCandidate& candidate) const {
  const TopologyTree& tree = placing_.tree;
  DomainRow row;
  row.level = tree.levels()[level].label;
  row.name = tree.levels()[level].values[candidate.domain];
  row.depth = static_cast<double>(level);
  row.room = candidate.room;
  const auto [first, last] = tree.LeavesBelow(level, candidate.domain);
  if (reads_hosts_) {
    for (std::uint32_t leaf = first; leaf < last; ++leaf) {
      row.hosts += static_cast<std::int64_t>(tree.NodesOf(leaf).size());
    }
  }
  if (reads_amounts_) {
    AddAmounts(first, last, &row);
    TakeAssumed(first, last, &row);
  }
  const std::vector<std::string>& labels = policy_.info().labels;
  for (std::size_t i = 0; reads_labels_ && i < labels.size() && i < row.labels.size(); ++i) {
    row.labels[i] = CommonLabel(first, last, labels[i]);
    if (i >= placed_.size() || row.labels[i].empty()) continue;
    const auto count = placed_[i].find(row.labels[i]);
    if (count != placed_[i].end()) row.placed[i] = count->second;
  }
  return row;
}

void DomainScores::Count(const std::vector<PlacedPods>& pods) {
  const TopologyTree& tree = placing_.tree;
  for (const PlacedPods& placed : pods) {
    if (!IsInTree(tree, placed)) continue;
    for (const auto& [key, count] : placed.pods) {
      const std::optional<std::uint32_t> leaf = tree.FindLeaf(key);
      for (std::size_t i = 0; leaf && i < placed_.size(); ++i) {
        placed_[i][CommonLabel(*leaf, *leaf + 1, policy_.info().labels[i])] += count;
      }
    }
  }
}

void DomainScores::CountPlaced() {
  counted_ = true;
  placed_.resize(std::min<std::size_t>(policy_.info().labels.size(), MUSTER_MAX_LABELS));
  Count(placing_.before);
  const std::string key = calls_.KeyOf(placing_.workload, hook_.per);
  if (NamesNothing(key)) return;
  for (const auto& [holder, placed] : world_.capacity.places().holders()) {
    if (calls_.KeyOf(world_.workload(holder), hook_.per) == key) Count(*placed);
  }
}

void DomainScores::Score(std::size_t level, std::span<const DomainCandidate> candidates,
                         std::span<double> scores) {
  if (failed_) return;
  std::optional<PolicyBatch> batch;
  calls_.NewBatch(policy_, Hook::kDomainOrder, &batch);
  batch->SetQueue(placing_.queue);
  batch->SetSubject(placing_.workload);
  if (reads_placed_ && !counted_) CountPlaced();
  for (const DomainCandidate& candidate : candidates) batch->AddDomain(RowOf(level, candidate));
  failed_ = !calls_.Ask(policy_, Hook::kDomainOrder, placing_.queue, *batch, scores);
  if (failed_) std::fill(scores.begin(), scores.end(), 0);
  answered_ = answered_ || !failed_;
}

}  // namespace muster
