// See request_forms.h. A slot is chosen by little, and then everything is compared.
#include "engine/state/request_forms.h"

namespace muster {

std::size_t RequestForms::SlotOf(const SharedList<PodSet>& pod_sets,
                                 std::optional<std::int32_t> priority) {
  std::uint64_t sum = static_cast<std::uint64_t>(priority.value_or(0));
  const auto mix = [&](std::uint64_t value) { sum = MixBits(sum ^ value); };
  for (const PodSet& pod_set : pod_sets) {
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
  const Slot& slot = slots_[SlotOf(workload.pod_sets, workload.priority)];
  return slot.valid && slot.pod_sets == workload.pod_sets ? &slot.pod_sets : nullptr;
}

void RequestForms::NoteValid(const Workload& workload) {
  Slot& slot = slots_[SlotOf(workload.pod_sets, workload.priority)];
  slot.valid = slot.valid || (slot.used && slot.pod_sets == workload.pod_sets);
}

RequestForms::Found RequestForms::Find(const Series& series, const std::string& ns,
                                       bool gave_up_pods) const {
  const Slot& slot = slots_[SlotOf(series.pod_sets, series.priority)];
  if (!slot.used || !(slot.pod_sets == series.pod_sets)) return {};
  const bool same = !gave_up_pods && slot.priority == series.priority.value_or(0) && slot.ns == ns;
  return {&slot.pod_sets, same ? &slot.form : nullptr};
}

void RequestForms::Remember(const Series& series, const std::string& ns, const Form& form) {
  slots_[SlotOf(series.pod_sets, series.priority)] = {
      true, ns, series.priority.value_or(0), series.pod_sets, /*valid=*/false, form};
}

}  // namespace muster
