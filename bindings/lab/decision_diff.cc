// A start is told by the clock and the cycle, its place where that alone differs.
#include "bindings/lab/decision_diff.h"

#include <map>
#include <set>

#include "bindings/lab/words.h"
#include "bindings/manifest/manifest.h"

namespace muster::lab {
namespace {

struct Outcome {
  std::string cluster_queue;
  std::string start;
  std::string place;
  std::size_t preempted = 0;
};
using Outcomes = std::map<std::string, Outcome>;

Outcomes OutcomesIn(std::span<const CycleOutcome> cycles, std::size_t* starts,
                    std::size_t* preemptions) {
  Outcomes outcomes;
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    const CycleResult& result = cycles[i].result;
    for (const AdmittedWorkload& each : result.admitted) {
      Outcome& outcome = outcomes[each.workload.ToString()];
      outcome.cluster_queue = each.admission.cluster_queue;
      ++*starts;
      if (!outcome.start.empty()) continue;
      outcome.start = manifest::FormatTime(result.at) + ", cycle " + std::to_string(i + 1);
      outcome.place = Assigned(each.admission);
    }
    for (const PreemptedWorkload& each : result.preempted) {
      ++outcomes[each.workload.ToString()].preempted;
      ++*preemptions;
    }
    for (const PendingWorkload& each : cycles[i].pending) {
      outcomes[each.workload.ToString()].cluster_queue = each.cluster_queue;
    }
  }
  return outcomes;
}

/// Where it starts is said where nothing else differs from the other outcome.
std::string OutcomeInWords(const Outcome& outcome, const Outcome& other) {
  std::string text = outcome.start.empty() ? "waits" : outcome.start;
  const bool only_place = outcome.start == other.start && outcome.preempted == other.preempted;
  if (only_place) text += ", " + outcome.place;
  if (outcome.preempted == 1) text += "; preempted once";
  if (outcome.preempted > 1) text += "; preempted " + std::to_string(outcome.preempted) + " times";
  return text;
}

}  // namespace

DecisionDiff CompareRuns(std::span<const CycleOutcome> before,
                         std::span<const CycleOutcome> after) {
  DecisionDiff diff;
  Outcomes old_outcomes = OutcomesIn(before, &diff.starts_before, &diff.preemptions_before);
  Outcomes new_outcomes = OutcomesIn(after, &diff.starts_after, &diff.preemptions_after);
  std::set<std::string> workloads;
  for (const auto& [workload, outcome] : old_outcomes) workloads.insert(workload);
  for (const auto& [workload, outcome] : new_outcomes) workloads.insert(workload);
  for (const std::string& workload : workloads) {
    const Outcome& one = old_outcomes[workload];
    const Outcome& other = new_outcomes[workload];
    if (one.start == other.start && one.place == other.place && one.preempted == other.preempted) {
      ++diff.same;
      continue;
    }
    diff.differences.push_back({workload,
                                one.cluster_queue.empty() ? other.cluster_queue : one.cluster_queue,
                                OutcomeInWords(one, other), OutcomeInWords(other, one)});
  }
  return diff;
}

}  // namespace muster::lab
