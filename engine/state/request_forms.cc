// See request_forms.h. A slot is chosen by little, and then everything is compared.
#include "engine/state/request_forms.h"

#include <utility>

namespace muster {

std::size_t RequestForms::SlotOf(const Workload& workload) {
  Hasher128 hasher;
  hasher.Add(static_cast<std::uint64_t>(workload.priority.value_or(0)));
  for (const PodSet& pod_set : workload.pod_sets) {
    hasher.Add(static_cast<std::uint64_t>(pod_set.count));
    for (const Container& container : pod_set.pods.containers) {
      for (const auto& [resource, quantity] : container.requests) {
        hasher.Add(static_cast<std::uint64_t>(quantity.ToAmount(resource)));
      }
    }
  }
  return hasher.Value().low % std::tuple_size_v<decltype(slots_)>;
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
  slots_[SlotOf(workload)] = {true, workload.key.ns, workload.priority.value_or(0),
                              workload.pod_sets, form};
}

}  // namespace muster
