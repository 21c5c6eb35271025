// See decider.h.
#include "bindings/lab/decider.h"

namespace muster::lab {

Status PutToWork(const Decider& decider, TimeNs now, Engine& engine) {
  switch (decider.kind) {
    case Decider::Kind::kActive:
      return Status::Ok();
    case Decider::Kind::kNative:
      return engine.RollBackPolicy(kNativeWord, {}, now);
    case Decider::Kind::kPackage:
      return engine.ActivatePolicy(decider.policy, now);
  }
  return Status::Ok();
}

}  // namespace muster::lab
