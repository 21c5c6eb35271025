// LiveBatch: what a hook would be asked about now, as a copy that outlives the engine's state.
//
// A candidate is tried on them on another thread, before it may decide anything.
#ifndef MUSTER_LIVE_BATCH_H_
#define MUSTER_LIVE_BATCH_H_

#include <string>
#include <vector>

#include "muster/batch_abi.h"
#include "muster/policy.h"

namespace muster {

class LiveBatch {
 public:
  /// Copies everything that `batch` points to. O(batch).
  LiveBatch(Hook hook, const muster_batch& batch);
  LiveBatch(LiveBatch&&) noexcept = default;
  LiveBatch& operator=(LiveBatch&&) noexcept = default;

  Hook hook() const { return hook_; }
  const muster_batch& batch() const { return batch_; }

 private:
  Hook hook_;
  muster_batch batch_;
  std::vector<char> text_;
  std::vector<muster_string> strings_;
  std::vector<unsigned int> resources_;
  std::vector<muster_workload> workloads_;
  std::vector<muster_holding> holdings_;
  std::vector<muster_node> nodes_;
  std::vector<muster_flavor> flavors_;
  std::vector<muster_domain> domains_;
  std::vector<muster_workload> subject_;
  std::vector<muster_node> queues_;
  std::vector<muster_node> queue_;
};

/// Asks every hook that `policy` defines about the batches meant for it, and checks the answers as
/// the engine does: ok, or what is wrong with the first that is.
Status DryCall(Policy& policy, const std::vector<LiveBatch>& batches);

}  // namespace muster

#endif  // MUSTER_LIVE_BATCH_H_
