// See request_forms.h. A slot is chosen by little, and then everything is compared.
#include "engine/state/request_forms.h"

#include "engine/codec/equivalence.h"
#include "engine/state/whole_workload.h"

namespace muster {

Hash128 RequestForms::HashOf(const std::string& text, std::int64_t priority) {
  return Hasher128().Add(EquivalenceForm(priority, text)).Value();
}

std::size_t RequestForms::HomeOf(const SharedList<PodSet>& pod_sets,
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

RequestForms::Slot* RequestForms::Find(const SharedList<PodSet>& pod_sets,
                                       std::optional<std::int32_t> priority) {
  Slot& latest = slots_[latest_];
  if (HasPodSets(latest, pod_sets) && latest.series.get()->priority == priority) return &latest;
  latest_ = HomeOf(pod_sets, priority);
  Slot& home = slots_[latest_];
  return HasPodSets(home, pod_sets) ? &home : nullptr;
}

const RequestForms::Form* RequestForms::Find(Shared<Series>& series, const std::string& ns,
                                             std::int64_t priority, bool gave_up_pods) {
  const Series& asked = *series.get();
  Slot* const slot = Find(asked.pod_sets, asked.priority);
  if (slot == nullptr) return nullptr;
  const bool same = slot->known && !gave_up_pods && slot->ns == ns;
  if (series.IsSameAs(slot->series) || asked == *slot->series.get()) {
    series = slot->series;
  } else {
    series.Mutable().pod_sets = slot->series.get()->pod_sets;
    slot->series = series;
  }
  if (!same) return nullptr;
  if (slot->priority != priority) {
    slot->priority = priority;
    slot->form.hash = HashOf(slot->form.text, priority);
  }
  return &slot->form;
}

bool RequestForms::FindValid(const Workload& workload, Shared<Series>& series) {
  const Slot* const slot = Find(workload.pod_sets, workload.priority);
  if (slot == nullptr || !slot->valid) return false;
  if (EqualBesidesPodSets(workload, *slot->series.get())) series = slot->series;
  return true;
}

void RequestForms::NoteValid(const Workload& workload, Shared<Series>& series) {
  Slot& slot = slots_[HomeOf(workload.pod_sets, workload.priority)];
  if (!HasPodSets(slot, workload.pod_sets)) {
    slot = {};
    series = Shared<Series>(SeriesOf(workload));
    slot.series = series;
  }
  slot.valid = true;
}

void RequestForms::Remember(const Shared<Series>& series, const std::string& ns,
                            std::int64_t priority, const Form& form) {
  const Series& asked = *series.get();
  Slot& slot = slots_[HomeOf(asked.pod_sets, asked.priority)];
  slot.valid = slot.valid && HasPodSets(slot, asked.pod_sets);
  slot.series = series;
  slot.known = true;
  slot.ns = ns;
  slot.priority = priority;
  slot.form = form;
}

}  // namespace muster
