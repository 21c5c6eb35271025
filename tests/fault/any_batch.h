// Three items of any hook, of which the second one, or the subject, may bring out the worst of a
// hostile policy: it has 4 GPUs, a node the weight 4.
#ifndef MUSTER_TESTS_FAULT_ANY_BATCH_H_
#define MUSTER_TESTS_FAULT_ANY_BATCH_H_

#include <cmath>
#include <vector>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {

/// What `hook` is asked about. Owns what the batch points to.
class AnyBatch {
 public:
  AnyBatch(Hook hook, bool trigger)
      : hook_(hook), holdings_(3), nodes_(3), flavors_(3), domains_(3) {
    rows_.AddResource("cpu");
    rows_.AddResource("nvidia.com/gpu");
    for (const char* name : {"first", "second", "third"}) rows_.Add(name).priority = 1;
    for (muster_node& node : nodes_) node.weight = 1;
    if (trigger) rows_[1].gpus = nodes_[1].weight = 4;
    subject_ = rows_[trigger ? 1 : 0];
  }
  AnyBatch(const AnyBatch&) = delete;
  AnyBatch& operator=(const AnyBatch&) = delete;

  const muster_batch& Get() {
    const muster_batch& rows = rows_.Get();
    muster_batch& batch = rows_.header();
    batch.subject = &subject_;
    if (hook_ == Hook::kVictim) batch.holdings = holdings_.data();
    const bool workloads = hook_ == Hook::kQueueOrder || hook_ == Hook::kVictim ||
                           hook_ == Hook::kCycleOrder || hook_ == Hook::kHold ||
                           hook_ == Hook::kBoost;
    if (!workloads) batch.workloads = nullptr;
    if (hook_ == Hook::kShare) batch.nodes = nodes_.data();
    if (hook_ == Hook::kFlavorOrder) batch.flavors = flavors_.data();
    if (hook_ == Hook::kDomainOrder) batch.domains = domains_.data();
    if (hook_ == Hook::kPreemptLimits) batch.count = 1;
    if (hook_ == Hook::kSubmit) batch.count = 0;
    return rows;
  }

 private:
  Hook hook_;
  PolicyBatch rows_;
  std::vector<muster_holding> holdings_;
  std::vector<muster_node> nodes_;
  std::vector<muster_flavor> flavors_;
  std::vector<muster_domain> domains_;
  muster_workload subject_{};
};

/// Whether `hook` may answer so: an order finitely, or with "not this flavor now"; a victim and
/// "until when" also without end.
inline bool Valid(Hook hook, double answer) {
  if (hook == Hook::kBoost) return std::trunc(answer) == answer && std::abs(answer) <= 1e9;
  if (std::isfinite(answer)) return true;
  if (std::isnan(answer) || hook == Hook::kQueueOrder || hook == Hook::kCycleOrder) return false;
  if (hook == Hook::kDomainOrder) return false;
  return hook == Hook::kFlavorOrder ? answer < 0 : answer > 0;
}

}  // namespace muster::luajit::testing

#endif  // MUSTER_TESTS_FAULT_ANY_BATCH_H_
