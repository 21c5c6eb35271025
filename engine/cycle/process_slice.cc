// Slices among the entries of a cycle: what they take the place of.
#include <algorithm>

#include "engine/cycle/process.h"

namespace muster {

bool EntryProcessor::WantsReplaced(const Entry& entry) const {
  return std::any_of(entry.victims.begin(), entry.victims.end(),
                     [&](const Victim& victim) { return replaced_.contains(victim.workload); });
}

// Kueue counts what a slice replaces among the victims of the entry: it tests all later ones as if
// that were gone, while what the slice needs beside it is charged alone. So it may admit them into
// room that is taken.
void EntryProcessor::NoteReplaced(const Entry& entry) {
  const ClusterQueueState& queue = world_.queue(entry.queue);
  tentative_.push_back(queue.tree);  // the charge is made when the old one ends
  if (!world_.catalog.engine_config.overcommit_as_kueue) {
    if (entry.victims.empty()) replaced_.insert(entry.replaces);
    return;
  }
  Taken& taken = taken_[queue.tree];
  taken.claims.victims.insert(entry.replaces);
  taken.claims.changed.push_back(queue.node);
  if (!taken.cleared) return;
  const WorkloadRecord& replaced = world_.workload(entry.replaces);
  taken.cleared->Release(queue.node, replaced.usage);
}

}  // namespace muster
