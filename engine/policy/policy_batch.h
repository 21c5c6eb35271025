// PolicyBatch: what a policy hook is called over, as rows of plain numbers and strings.
//
// Rows are copies: the world may change while the batch lives, the batch does not. Units are those
// of the policy API: seconds, cores, bytes, devices.
#ifndef MUSTER_ENGINE_POLICY_POLICY_BATCH_H_
#define MUSTER_ENGINE_POLICY_POLICY_BATCH_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/state/world.h"
#include "muster/batch_abi.h"

namespace muster {

/// Which resources the rows have columns for: those that some queue or cohort has quota for, the
/// first MUSTER_MAX_RESOURCES of them by the name of the queue.
class ResourceColumns {
 public:
  ResourceColumns() = default;
  explicit ResourceColumns(const World& world);  ///< O(queues)
  std::span<const ResourceId> ids() const { return ids_; }
  /// -1: it has none. O(1).
  int SlotOf(ResourceId resource) const {
    return resource.value < slots_.size() ? slots_[resource.value] : -1;
  }

 private:
  void Add(ResourceId resource);
  std::vector<ResourceId> ids_;
  std::vector<int> slots_;
};

class PolicyBatch {
 public:
  /// Empty, for a call of `hook` in the `cycle`-th cycle. World, columns and info must outlive it.
  PolicyBatch(const World& world, const ResourceColumns& columns, const PolicyInfo& info, Hook hook,
              std::int64_t cycle);
  PolicyBatch(const PolicyBatch&) = delete;
  PolicyBatch& operator=(const PolicyBatch&) = delete;

  void Reserve(std::size_t items) { workloads_.reserve(items); }
  /// The ClusterQueue whose batch it is.
  void SetQueue(const ClusterQueueState& queue);
  void AddWorkload(const WorkloadRecord& workload) { workloads_.push_back(Row(workload)); }
  /// A head with the borrowing level of its nomination.
  void AddEntry(const WorkloadRecord& workload, std::int32_t borrowing_level);
  /// A holder of quota; `preemptor` is the queue of who wants it.
  void AddHolder(const WorkloadRecord& holder, QueueId preemptor);
  /// Flavor `index` of a group that `queue` offers, for `workload`.
  void AddFlavor(const WorkloadRecord& workload, const ClusterQueueState& queue,
                 const ResourceGroupState& group, std::size_t index);
  /// The preemptor, or the workload that flavors are for. With no items added the batch is about it
  /// alone.
  void SetSubject(const WorkloadRecord& workload);
  /// The node as it is now. False when it has quota for a resource without a column.
  bool AddNode(const QuotaTree& tree, NodeIndex n);

  /// The batch over everything added; valid until the next change of this object.
  const muster_batch& Get();

 private:
  unsigned int Intern(std::string_view text);
  muster_workload Row(const WorkloadRecord& workload);
  muster_holding Holding(const WorkloadRecord& holder, QueueId preemptor);
  muster_node NodeRow(const QuotaTree& tree, NodeIndex n, bool* complete);
  unsigned int QueueRow(const ClusterQueueState& queue);
  double NodeAccount(const AccountRule& rule, const QuotaTree& tree, NodeIndex n) const;

  const World& world_;
  const ResourceColumns& columns_;
  std::span<const std::string> labels_;
  std::span<const DeclaredAccount> accounts_;  ///< that the hook reads
  bool reads_last_admitted_ = false;
  bool reads_queue_ = false;
  std::map<std::string_view, unsigned int> interned_;  ///< all but the first few of strings_
  std::vector<muster_string> strings_;
  std::vector<unsigned int> resource_names_;
  std::vector<muster_workload> workloads_;
  std::vector<muster_holding> holdings_;
  std::vector<muster_node> nodes_;
  std::vector<muster_flavor> flavors_;
  std::vector<muster_node> queues_;
  std::map<QueueId, unsigned int> queue_rows_;
  muster_workload subject_ = {};
  muster_node queue_ = {};
  muster_batch batch_ = {};
};

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_POLICY_BATCH_H_
