// See state_hash.h.
#include "engine/record/state_hash.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/codec/byte_writer.h"
#include "engine/codec/codec.h"
#include "engine/record/stored_state.h"

namespace muster {
namespace {

class StateHasher {
 public:
  StateHasher(const World& world, std::span<const std::string> policies)
      : world_(world), policies_(policies) {}

  Hash128 Run() {
    // Not the time: the next call brings its own, and a call that changed nothing is not stored.
    Add(world_.cycle).Add(world_.next_sequence);
    for (const std::string& policy : policies_) Add(policy);
    Catalogue();
    for (const auto& [name, id] : world_.queue_ids) Queue(world_.queue(id));
    for (const auto& [key, id] : world_.local_queue_ids) LocalQueue(world_.local_queue(id));
    for (const WorkloadId id : world_.WorkloadsByName()) Workload(world_.workload(id));
    for (const auto& [rule, account] : world_.accounts.all()) OneAccount(account);
    for (const QuotaTree& tree : world_.capacity.trees()) Tree(tree);
    HandedOver(world_.hand_over);
    return hasher_.Value();
  }

 private:
  StateHasher& Add(std::int64_t value) {
    hasher_.Add(static_cast<std::uint64_t>(value));
    return *this;
  }
  StateHasher& Add(std::string_view text) {
    hasher_.Add(text);
    return *this;
  }
  template <typename Table>
  void Objects(const Table& table) {
    for (const auto& [name, object] : table) Add(Encode(object));
  }

  void Catalogue() {
    const Catalog& catalog = world_.catalog;
    Objects(catalog.flavors);
    Objects(catalog.cohorts);
    Objects(catalog.workload_priority_classes);
    Objects(catalog.priority_classes);
    Objects(catalog.namespaces);
    Objects(catalog.limit_ranges);
    Objects(catalog.runtime_classes);
    Objects(catalog.admission_checks);
    Objects(catalog.topologies);
    Objects(catalog.nodes);
    Objects(catalog.pods);
    Objects(catalog.policy_bindings);
    Add(Encode(catalog.config)).Add(Encode(catalog.engine_config));
  }

  void Queue(const ClusterQueueState& queue) {
    Add(Encode(queue.spec)).Add(queue.active).Add(queue.HasOldOrder());
    Heap(queue);
    Add("parked");
    std::set<std::string> parked;  // by name: ids differ between processes
    for (const PendingKey* key : queue.pending.Parked()) {
      parked.insert(world_.workload(key->workload).spec.key.ToString());
    }
    for (const std::string& key : parked) Add(key);
    if (const auto marked = queue.pending.marked()) {
      Add(world_.workload(*marked).spec.key.ToString()).Add(queue.pending.IsSticky(*marked));
    }
    if (!queue.boosted_by.empty()) Add(queue.boosted_by).Add(queue.boosted_at);
    for (const auto& [form, parked_class] : queue.pending.parked_classes()) {
      Add(static_cast<std::int64_t>(form.high ^ form.low));
      Add(static_cast<std::int64_t>(parked_class.reason));
    }
  }

  void Heap(const ClusterQueueState& queue) {
    std::vector<std::string> uids;
    for (const PendingKey* key : queue.pending.Ordered(world_.UsageOrder(queue))) {
      uids.push_back(key->uid);
    }
    for (const PendingKey* key : queue.pending.Fresh()) uids.push_back(key->uid);
    if (!policies_.empty()) std::sort(uids.begin(), uids.end());
    for (const std::string& uid : uids) Add(uid);
  }

  void LocalQueue(const LocalQueueState& queue) {
    Add(Encode(queue.spec)).Add(queue.fair_usage.last_update());
    List(queue.fair_usage.consumed());
    std::map<Key, const ResourceList*> pending;
    for (const auto& [id, amounts] : queue.fair_usage.pending()) {
      pending[world_.workload(id).spec.key] = &amounts;
    }
    for (const auto& [key, amounts] : pending) {
      Add(key.ToString());
      List(*amounts);
    }
  }

  void List(const ResourceList& list) {
    for (const auto& [name, amount] : list) Add(name).Add(amount.ToString());
  }

  void Workload(const WorkloadRecord& workload) {
    WrittenWorkload stored = ToStored(world_, workload);
    stored.stored_at = 0;
    stored.progress_generation = 0;  // what matters of it is whether it is out of date
    ByteWriter writer;
    VisitFields(writer, stored);
    Add(writer.Take()).Add(workload.key.timestamp).Add(workload.key.sticky);
    if (workload.queue.valid() && workload.progress().pod_sets > 0) {
      Add(world_.IsOutOfDate(workload.progress(), world_.queue(workload.queue)));
    }
    std::uint64_t charged = 0;  // summed: the order of pairs is that of ids
    for (const Usage& usage : workload.usage) charged += static_cast<std::uint64_t>(usage.amount);
    hasher_.Add(charged);
  }

  void OneAccount(const Account& account) {
    Add(account.declared_at).Add(static_cast<std::int64_t>(account.balances.size()));
    for (const auto& [key, balance] : account.balances) {
      const StoredBalance stored = ToStored(account.rule, key, balance);
      ByteWriter writer;
      VisitFields(writer, stored);
      Add(writer.Take()).Add(balance.rate);
    }
  }

  void HandedOver(const HandOver& hand_over) {
    if (hand_over.last() == 0 && !hand_over.on()) return;
    Add("decisions").Add(hand_over.last());
    for (const auto& [name, consumer] : hand_over.consumers()) {
      Add(name).Add(consumer.acknowledged).Add(consumer.registered_at);
      Add(consumer.acknowledged_at);
    }
    for (const Decision& decision : hand_over.kept()) {
      Decision told = decision;
      told.run = 0;  // follows from what came before; ledgers of older versions did not keep it
      ByteWriter writer;
      VisitFields(writer, told);
      Add(writer.Take());
    }
  }

  void Tree(const QuotaTree& tree) {
    for (NodeIndex n = 0; n < tree.size(); ++n) {
      Add(tree.node(n).name);
      std::map<std::pair<std::string, std::string>, Amount> usage;
      for (Column c = 0; c < tree.columns(); ++c) {
        const FlavorResourceId pair = tree.ColumnPair(c);
        usage[{world_.names.FlavorName(world_.names.FlavorOf(pair)),
               world_.names.ResourceName(world_.names.ResourceOf(pair))}] = tree.cell(n, c).usage;
      }
      for (const auto& [name, amount] : usage) {
        if (amount != 0) Add(name.first).Add(name.second).Add(amount);
      }
    }
  }

  const World& world_;
  std::span<const std::string> policies_;
  Hasher128 hasher_;
};

}  // namespace

Hash128 HashState(const World& world, std::span<const std::string> policies) {
  return StateHasher(world, policies).Run();
}

}  // namespace muster
