// PolicyBatch: pending workloads as the columns that a policy hook is called over.
#ifndef MUSTER_ENGINE_CYCLE_POLICY_BATCH_H_
#define MUSTER_ENGINE_CYCLE_POLICY_BATCH_H_

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/state/world.h"
#include "muster/batch_abi.h"

namespace muster {

class PolicyBatch {
 public:
  /// Rows for `workloads`, in order, with the `labels` a package declared. O(workloads).
  PolicyBatch(const World& world, const ClusterQueueState& queue,
              std::span<const WorkloadId> workloads, std::span<const std::string> labels);
  PolicyBatch(const PolicyBatch&) = delete;
  PolicyBatch& operator=(const PolicyBatch&) = delete;

  /// Valid as long as this object.
  const muster_batch& batch() const { return batch_; }

 private:
  unsigned int Intern(std::string_view text);
  muster_workload Row(const World& world, const WorkloadRecord& workload,
                      std::span<const std::string> labels);

  std::map<std::string_view, unsigned int> interned_;
  std::vector<muster_string> strings_;
  std::vector<ResourceId> resource_ids_;
  std::vector<unsigned int> resource_names_;
  std::vector<muster_workload> rows_;
  muster_batch batch_ = {};
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_POLICY_BATCH_H_
