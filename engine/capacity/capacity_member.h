// CapacityMember: what limits beside quota which workloads may run together.
//
// It hears of everything that is charged and released, on trial too, and is asked where a decision
// asks for room. It never hears of a trial's end: what was tried is taken back call by call, in
// reverse order.
#ifndef MUSTER_ENGINE_CAPACITY_CAPACITY_MEMBER_H_
#define MUSTER_ENGINE_CAPACITY_CAPACITY_MEMBER_H_

#include <span>

#include "engine/base/ids.h"
#include "muster/types.h"

namespace muster {

class CapacityMember {
 public:
  virtual ~CapacityMember() = default;
  /// `queue` holds this too now. Whether it fits was asked before, or is not to matter.
  virtual void Charge(QueueId queue, std::span<const Usage> usage) = 0;
  /// Takes back what such a call of Charge did; all is then as before that call.
  virtual void Release(QueueId queue, std::span<const Usage> usage) = 0;
  /// Whether it could be charged on top of what is. The flavor walk asks for one pair at a time.
  /// What does not fit fits no sooner than something is released: only then is it tried again.
  virtual bool Fits(QueueId queue, std::span<const Usage> usage) const = 0;
  /// Whether it would fit if nothing were charged; a workload that does not never starts.
  virtual bool FitsAlone(QueueId queue, std::span<const Usage> usage) const = 0;
  /// Whether with less charged no less fits, and of what fits every part does.
  virtual bool IsMonotone() const = 0;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CAPACITY_CAPACITY_MEMBER_H_
