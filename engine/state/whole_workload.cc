// See whole_workload.h and kept_status.h.
#include "engine/state/whole_workload.h"

#include <utility>

namespace muster {

KeptStatus Keep(const WorkloadStatus& status) {
  static const WorkloadStatus as_new;  // that of most that are submitted
  KeptStatus kept;
  if (status == as_new) return kept;
  if (status.admission) kept.admission = *status.admission;
  kept.conditions = ConditionList(status.conditions);
  RareStatus rare{status.reclaimable_pods,
                  status.admission_checks,
                  status.requeue_state,
                  status.past_execution_seconds,
                  status.open_preemption_gates,
                  status.unhealthy_nodes,
                  status.evictions};
  if (!(rare == RareStatus())) kept.rare = std::move(rare);
  return kept;
}

WorkloadStatus Whole(const KeptStatus& status) {
  WorkloadStatus whole;
  if (status.admission) whole.admission = *status.admission;
  whole.conditions = status.conditions.vector();
  const RareStatus& rare = *status.rare;
  whole.reclaimable_pods = rare.reclaimable_pods;
  whole.admission_checks = rare.admission_checks;
  whole.requeue_state = rare.requeue_state;
  whole.past_execution_seconds = rare.past_execution_seconds;
  whole.open_preemption_gates = rare.open_preemption_gates;
  whole.unhealthy_nodes = rare.unhealthy_nodes;
  whole.evictions = rare.evictions;
  return whole;
}

Series SeriesOf(const Workload& workload) {
  return {workload.pod_sets,
          workload.priority,
          workload.priority_source,
          workload.priority_class,
          workload.max_execution_seconds,
          workload.labels,
          workload.annotations,
          workload.preemption_gates,
          workload.variant_of};
}

bool EqualBesidesPodSets(const Workload& workload, const Series& series) {
  return workload.priority == series.priority &&
         workload.priority_source == series.priority_source &&
         workload.priority_class == series.priority_class &&
         workload.max_execution_seconds == series.max_execution_seconds &&
         workload.labels == series.labels && workload.annotations == series.annotations &&
         workload.preemption_gates == series.preemption_gates &&
         workload.variant_of == series.variant_of;
}

Workload WholeWorkload(const WorkloadRecord& record) {
  const Series& series = record.series();
  Workload whole;
  whole.key = record.spec.key;
  whole.uid = record.uid();
  whole.created = record.created();
  whole.labels = series.labels;
  whole.annotations = series.annotations;
  whole.queue = record.spec.queue;
  whole.pod_sets = series.pod_sets;
  whole.priority = series.priority;
  whole.priority_source = series.priority_source;
  whole.priority_class = series.priority_class;
  whole.active = record.active;
  whole.max_execution_seconds = series.max_execution_seconds;
  whole.preemption_gates = series.preemption_gates;
  whole.variant_of = series.variant_of;
  whole.status = Whole(record.spec.status);
  return whole;
}

void KeepWorkload(const Workload& workload, WorkloadRecord& record) {
  KeepWorkload(workload, Shared<Series>(SeriesOf(workload)), workload.queue, record);
}

void KeepWorkload(const Workload& workload, Shared<Series> series, const Text& queue,
                  WorkloadRecord& record) {
  record.spec.key = workload.key;
  record.key.uid = workload.uid;
  record.key.created = workload.created;
  record.active = workload.active;
  record.spec.queue = queue;
  record.spec.series = std::move(series);
  record.spec.status = Keep(workload.status);
}

}  // namespace muster
