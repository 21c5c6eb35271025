// A made-up batch: what a hook is tried on before it may decide anything.
#ifndef MUSTER_BINDINGS_LUAJIT_REHEARSAL_H_
#define MUSTER_BINDINGS_LUAJIT_REHEARSAL_H_

#include <vector>

#include "muster/batch_abi.h"
#include "muster/policy.h"

namespace muster::luajit {

/// Owns the memory behind its muster_batch. Deterministic; `reversed` lists the items backwards.
class Rehearsal {
 public:
  explicit Rehearsal(Hook hook, bool reversed = false);
  Rehearsal(const Rehearsal&) = delete;
  Rehearsal& operator=(const Rehearsal&) = delete;
  const muster_batch& batch() const { return batch_; }

 private:
  std::vector<muster_workload> workloads_;
  std::vector<muster_holding> holdings_;
  std::vector<muster_node> nodes_;
  std::vector<muster_flavor> flavors_;
  muster_workload subject_{};
  muster_node queue_{};
  std::vector<unsigned int> resources_;
  muster_batch batch_{};
};

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_REHEARSAL_H_
