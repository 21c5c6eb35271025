// See request_forms.h. A slot is chosen by little, and then everything is compared.
#include "engine/state/request_forms.h"

#include <utility>

namespace muster {

std::size_t RequestForms::SlotOf(const Workload& workload) {
  std::uint64_t sum = static_cast<std::uint64_t>(workload.priority.value_or(0));
  const auto mix = [&](std::uint64_t value) { sum = MixBits(sum ^ value); };
  for (const PodSet& pod_set : workload.pod_sets) {
    mix(static_cast<std::uint64_t>(pod_set.count));
    for (const Container& container : pod_set.pods.containers) {
      for (const auto& [resource, quantity] : container.requests) {
        mix(static_cast<std::uint64_t>(quantity.nano()));
      }
    }
  }
  return sum % std::tuple_size_v<decltype(slots_)>;
}

const SharedList<PodSet>* RequestForms::FindValid(const Workload& workload) const {
  const Slot& slot = slots_[SlotOf(workload)];
  return slot.valid && slot.pod_sets == workload.pod_sets ? &slot.pod_sets : nullptr;
}

void RequestForms::NoteValid(const Workload& workload) {
  Slot& slot = slots_[SlotOf(workload)];
  slot.valid = slot.valid || (slot.used && slot.pod_sets == workload.pod_sets);
}

const RequestForms::Form* RequestForms::Find(Workload& workload) const {
  const Slot& slot = slots_[SlotOf(workload)];
  if (!slot.used || !(slot.pod_sets == std::as_const(workload).pod_sets)) return nullptr;
  workload.pod_sets = slot.pod_sets;
  const bool same = workload.status.reclaimable_pods.empty() &&
                    slot.priority == workload.priority.value_or(0) && slot.ns == workload.key.ns;
  return same ? &slot.form : nullptr;
}

void RequestForms::Remember(const Workload& workload, const Form& form) {
  if (!workload.status.reclaimable_pods.empty()) return;
  slots_[SlotOf(workload)] = {
      true, workload.key.ns, workload.priority.value_or(0), workload.pod_sets, /*valid=*/false,
      form};
}

}  // namespace muster
