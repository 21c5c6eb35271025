// A start is told by the clock and the cycle, its place where that alone differs.
#include "bindings/lab/decision_diff.h"

#include <map>
#include <set>

#include "bindings/lab/words.h"
#include "bindings/manifest/manifest.h"

namespace muster::lab {
namespace {

struct Fate {
  std::string cluster_queue;
  std::string start;
  std::string place;
  std::size_t preempted = 0;
};
using Fates = std::map<std::string, Fate>;

Fates FatesIn(std::span<const CycleOutcome> cycles, std::size_t* starts, std::size_t* preemptions) {
  Fates fates;
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    const CycleResult& result = cycles[i].result;
    for (const AdmittedWorkload& each : result.admitted) {
      Fate& fate = fates[each.workload.ToString()];
      fate.cluster_queue = each.admission.cluster_queue;
      ++*starts;
      if (!fate.start.empty()) continue;
      fate.start = manifest::FormatTime(result.at) + ", cycle " + std::to_string(i + 1);
      fate.place = Assigned(each.admission);
    }
    for (const PreemptedWorkload& each : result.preempted) {
      ++fates[each.workload.ToString()].preempted;
      ++*preemptions;
    }
    for (const PendingWorkload& each : cycles[i].pending) {
      fates[each.workload.ToString()].cluster_queue = each.cluster_queue;
    }
  }
  return fates;
}

/// Where it starts is said where nothing else differs from the other fate.
std::string FateInWords(const Fate& fate, const Fate& other) {
  std::string text = fate.start.empty() ? "waits" : fate.start;
  const bool only_place = fate.start == other.start && fate.preempted == other.preempted;
  if (only_place) text += ", " + fate.place;
  if (fate.preempted == 1) text += "; preempted once";
  if (fate.preempted > 1) text += "; preempted " + std::to_string(fate.preempted) + " times";
  return text;
}

}  // namespace

DecisionDiff CompareRuns(std::span<const CycleOutcome> before,
                         std::span<const CycleOutcome> after) {
  DecisionDiff diff;
  Fates old_fates = FatesIn(before, &diff.starts_before, &diff.preemptions_before);
  Fates new_fates = FatesIn(after, &diff.starts_after, &diff.preemptions_after);
  std::set<std::string> workloads;
  for (const auto& [workload, fate] : old_fates) workloads.insert(workload);
  for (const auto& [workload, fate] : new_fates) workloads.insert(workload);
  for (const std::string& workload : workloads) {
    const Fate& one = old_fates[workload];
    const Fate& other = new_fates[workload];
    if (one.start == other.start && one.place == other.place && one.preempted == other.preempted) {
      ++diff.same;
      continue;
    }
    diff.differences.push_back({workload,
                                one.cluster_queue.empty() ? other.cluster_queue : one.cluster_queue,
                                FateInWords(one, other), FateInWords(other, one)});
  }
  return diff;
}

}  // namespace muster::lab
