// See policy_changes.h.
#include "engine/policy/policy_changes.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/closest_name.h"
#include "engine/record/payload.h"

namespace muster {
namespace {

/// Builds the batches of one package, hook by hook.
class Exporter {
 public:
  Exporter(World& world, const PolicyInfo& info, std::size_t most)
      : world_(world), info_(info), most_(most), columns_(world) {}

  std::vector<LiveBatch> Run() {
    for (const HookInfo& hook : info_.hooks) {
      left_ = most_;
      if (hook.hook == Hook::kShare) Shares();
      if (hook.hook == Hook::kCycleOrder) Heads();
      for (const auto& [name, id] : world_.queue_ids) {
        if (left_ > 0) OfQueue(hook.hook, world_.queue(id));
      }
    }
    return std::move(batches_);
  }

 private:
  std::unique_ptr<PolicyBatch> NewBatch(Hook hook) const {
    return std::make_unique<PolicyBatch>(world_, columns_, info_, hook, world_.cycle + 1);
  }
  void Keep(Hook hook, PolicyBatch& batch, std::size_t items) {
    if (items == 0) return;
    batches_.emplace_back(hook, batch.Get());
    left_ -= std::min(left_, items);
  }
  std::vector<const PendingKey*> Waiting(const ClusterQueueState& queue) const {
    std::vector<const PendingKey*> keys = queue.pending.Some(most_);
    for (const PendingKey* key : queue.pending.Parked()) {
      if (keys.size() == most_) break;
      keys.push_back(key);
    }
    for (const PendingKey* key : queue.pending.on_hold()) {
      if (keys.size() == most_) break;
      keys.push_back(key);
    }
    return keys;
  }

  void Shares() {
    for (const QuotaTree& tree : world_.capacity.trees()) {
      const auto batch = NewBatch(Hook::kShare);
      const auto count = std::min<std::size_t>(left_, static_cast<std::size_t>(tree.size()));
      for (std::size_t n = 0; n < count; ++n) batch->AddNode(tree, static_cast<NodeIndex>(n));
      Keep(Hook::kShare, *batch, count);
    }
  }
  void Heads() {
    const auto batch = NewBatch(Hook::kCycleOrder);
    std::size_t count = 0;
    for (const auto& [name, id] : world_.queue_ids) {
      const ClusterQueueState& queue = world_.queue(id);
      const PendingKey* head = queue.pending.Head(world_.UsageOrder(queue));
      if (count == left_ || head == nullptr) continue;
      batch->AddEntry(world_.workload(head->workload), 0);
      ++count;
    }
    Keep(Hook::kCycleOrder, *batch, count);
  }

  void OfQueue(Hook hook, const ClusterQueueState& queue) {
    const std::vector<const PendingKey*> waiting = Waiting(queue);
    if (waiting.empty()) return;
    if (hook == Hook::kSubmit) return Arrivals(queue, waiting);
    const WorkloadRecord& first = world_.workload(waiting.front()->workload);
    const auto batch = NewBatch(hook);
    batch->SetQueue(queue);
    std::size_t items = 0;
    const bool about_each =
        hook == Hook::kQueueOrder || hook == Hook::kHold || hook == Hook::kBoost;
    if (about_each) {
      for (const PendingKey* key : waiting) {
        if (items == left_) break;
        batch->AddWorkload(world_.workload(key->workload));
        ++items;
      }
    } else if (hook == Hook::kPreemptLimits) {
      items = 1;
    } else if (hook == Hook::kFlavorOrder) {
      for (const ResourceGroupState& group : queue.groups) {
        for (std::size_t i = 0; i < group.flavors.size(); ++i, ++items) {
          batch->AddFlavor(first, queue, group, i);
        }
      }
    } else if (hook == Hook::kVictim) {
      items = AddHolders(queue, *batch);
    }
    if (!about_each) batch->SetSubject(first);
    Keep(hook, *batch, items);
  }
  /// Those that wait, as if each arrived now.
  void Arrivals(const ClusterQueueState& queue, const std::vector<const PendingKey*>& waiting) {
    for (const PendingKey* key : waiting) {
      if (left_ == 0) return;
      const auto batch = NewBatch(Hook::kSubmit);
      batch->SetQueue(queue);
      batch->SetSubject(world_.workload(key->workload));
      Keep(Hook::kSubmit, *batch, 1);
    }
  }
  std::size_t AddHolders(const ClusterQueueState& queue, PolicyBatch& batch) const {
    std::size_t items = 0;
    for (const WorkloadId id : world_.WorkloadsByName()) {
      const WorkloadRecord& holder = world_.workload(id);
      if (items == left_) break;
      if (!holder.holds() || world_.queue(holder.holds_in).tree != queue.tree) continue;
      batch.AddHolder(holder, queue.id);
      ++items;
    }
    return items;
  }

  World& world_;
  const PolicyInfo& info_;
  const std::size_t most_;
  const ResourceColumns columns_;
  std::size_t left_ = 0;
  std::vector<LiveBatch> batches_;
};

}  // namespace

void RollBackFailing(World& world, PolicyTable& policies, CycleResult& result) {
  const std::int64_t most = world.catalog.engine_config.rollback_after;
  for (const std::string& package : policies.JudgeCycle(result.policy_failures, most)) {
    const std::string message = policies.generations().lines().at(package).last_message;
    const std::optional<std::pair<std::string, std::string>> hashes =
        policies.TakeBack(world, package);
    if (!hashes) {
      for (PolicyFailure& failure : result.policy_failures) {
        if (failure.policy == package) failure.stuck_after = most;
      }
      continue;
    }
    const std::string why =
        "it failed in " + std::to_string(most) + " cycles in a row, last: " + message;
    result.rolled_back.push_back({package, hashes->first, hashes->second, why});
    std::vector<std::string> active;
    for (const PolicyInfo& info : policies.Active()) active.push_back(info.hash);
    world.changes.Report(EventKind::kPolicyRolledBack, Key{"policy", package}, [&] {
      return GenerationsPayload(active, {"the engine", why});
    });
  }
  if (!result.rolled_back.empty()) world.accounts.Declare(world, policies.AccountRules());
}

Status CheckAccountResources(const World& world, const PolicyInfo& info) {
  if (world.queue_ids.empty()) return Status::Ok();
  std::set<std::string> covered;
  for (const auto& [name, id] : world.queue_ids) {
    for (const ResourceGroup& group : world.queue(id).spec.resource_groups) {
      covered.insert(group.covered_resources.begin(), group.covered_resources.end());
    }
  }
  const std::vector<std::string> known(covered.begin(), covered.end());
  for (const DeclaredAccount& account : info.accounts) {
    const std::string& resource = account.rule.resource;
    if (resource.empty() || covered.contains(resource)) continue;
    return Status(StatusCode::kInvalidArgument,
                  "account '" + account.name + "' of package " + info.name + " counts '" +
                      resource + "', for which no ClusterQueue has quota: it would stay 0; " +
                      ClosestNameHint(resource, known));
  }
  return Status::Ok();
}

std::vector<StoppedHook> Stopped(const std::set<std::pair<std::string, Hook>>& before,
                                 const std::set<std::pair<std::string, Hook>>& now) {
  std::vector<StoppedHook> stopped;
  for (const auto& [package, hook] : before) {
    if (!now.contains({package, hook})) stopped.push_back({package, hook});
  }
  return stopped;
}

std::vector<LiveBatch> ExportBatches(World& world, const PolicyInfo& info, std::size_t most) {
  return Exporter(world, info, most).Run();
}

}  // namespace muster
