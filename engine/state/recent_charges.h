// RecentCharges: what the latest admissions came to, for the next one that has the same lists.
//
// What an admission charges follows from its podsets, those of the workload and the pods that it
// gave up, and from nothing else: a name has one id for ever. Lists that are the same memory, as
// those read one after the other mostly are, charge the same. The lists are held here, so that
// nothing changes them and their memory is given to no other. Where a slot is depends on addresses;
// what is found does not.
#ifndef MUSTER_ENGINE_STATE_RECENT_CHARGES_H_
#define MUSTER_ENGINE_STATE_RECENT_CHARGES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/base/hash.h"
#include "engine/state/workload_record.h"
#include "muster/shared_list.h"

namespace muster {

class RecentCharges {
 public:
  /// Null when it is not known, and for those that gave up pods. Precondition: the workload has an
  /// admission. O(1).
  const SharedList<Usage>* Find(const WorkloadRecord& workload) const {
    const Slot& slot = slots_[SlotOf(workload)];
    const bool same = slot.used && workload.spec.status.rare->reclaimable_pods.empty() &&
                      slot.granted.data() == workload.spec.status.admission->pod_sets.data() &&
                      slot.asked.data() == workload.series().pod_sets.data();
    return same ? &slot.charge : nullptr;
  }
  /// `charge` is what the admission of `workload` comes to; replaces another.
  void Remember(const WorkloadRecord& workload, const SharedList<Usage>& charge) {
    if (!workload.spec.status.rare->reclaimable_pods.empty()) return;
    slots_[SlotOf(workload)] = {true, workload.spec.status.admission->pod_sets,
                                workload.series().pod_sets, charge};
  }

 private:
  struct Slot {
    bool used = false;
    SharedList<PodSetAssignment> granted;
    SharedList<PodSet> asked;
    SharedList<Usage> charge;
  };
  static constexpr std::size_t kSlots = 64;

  static std::size_t SlotOf(const WorkloadRecord& workload) {
    const auto number = [](const void* at) { return reinterpret_cast<std::uintptr_t>(at); };
    const auto granted = number(workload.spec.status.admission->pod_sets.data());
    return MixBits(MixBits(granted) ^ number(workload.series().pod_sets.data())) % kSlots;
  }

  std::array<Slot, kSlots> slots_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_RECENT_CHARGES_H_
