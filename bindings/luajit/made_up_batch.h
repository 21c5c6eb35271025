// A made-up batch: what a hook is tried on before it may decide anything, and what it is measured
// on.
#ifndef MUSTER_BINDINGS_LUAJIT_MADE_UP_BATCH_H_
#define MUSTER_BINDINGS_LUAJIT_MADE_UP_BATCH_H_

#include <cstddef>
#include <vector>

#include "muster/batch_abi.h"
#include "muster/policy.h"

namespace muster::luajit {

/// Owns the memory behind its muster_batch. Deterministic; `reversed` lists the items backwards.
/// The hooks that are asked about one job at a time get a batch of one. O(items).
class MadeUpBatch {
 public:
  /// Four items in a row differ in everything that a policy can see.
  static constexpr std::size_t kFew = 4;

  explicit MadeUpBatch(Hook hook, std::size_t items = kFew, bool reversed = false);
  MadeUpBatch(const MadeUpBatch&) = delete;
  MadeUpBatch& operator=(const MadeUpBatch&) = delete;
  const muster_batch& batch() const { return batch_; }

 protected:
  std::vector<muster_workload> workloads_;
  std::vector<muster_holding> holdings_;
  std::vector<muster_node> nodes_;
  std::vector<muster_flavor> flavors_;
  std::vector<muster_domain> domains_;
  muster_workload subject_{};
  muster_node queue_{};
  muster_batch batch_{};
};

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_MADE_UP_BATCH_H_
