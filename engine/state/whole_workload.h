// The public Workload of a record, and back.
#ifndef MUSTER_ENGINE_STATE_WHOLE_WORKLOAD_H_
#define MUSTER_ENGINE_STATE_WHOLE_WORKLOAD_H_

#include <optional>

#include "engine/codec/fields.h"
#include "engine/state/workload_record.h"
#include "muster/workload.h"

namespace muster {

Series SeriesOf(const Workload& workload);
/// Whether SeriesOf(workload) is `series`, given that its podsets are.
bool EqualBesidesPodSets(const Workload& workload, const Series& series);

/// What the record keeps of it, as one value. O(its size).
Workload WholeWorkload(const WorkloadRecord& record);
/// Takes over everything that a Workload says; nothing is resolved. Precondition: the record is in
/// no queue. O(its size).
void KeepWorkload(const Workload& workload, WorkloadRecord& record);
/// The same for one whose series is known; `queue`: its own, in the memory that is to be kept.
void KeepWorkload(const Workload& workload, Shared<Series> series, const Text& queue,
                  WorkloadRecord& record);

template <typename V>
void VisitFields(V& v, Of<RareStatus> auto& o) {
  VisitRareFields(v, o);
}

/// The fields of a kept status, as those of the WorkloadStatus are visited; for reading only.
template <typename V>
void VisitFields(V& v, const KeptStatus& o) {
  v("admission", o.admission ? std::optional(*o.admission) : std::nullopt);
  v("conditions", o.conditions);
  VisitFields(v, *o.rare);
}

/// The same for a record and its Workload.
template <typename V>
void VisitFields(V& v, const WorkloadRecord& o) {
  const Series& series = o.series();
  v("key", o.spec.key);
  v("uid", o.uid());
  v("created", o.created());
  v("labels", series.labels);
  v("annotations", series.annotations);
  v("queue", o.spec.queue);
  v("pod_sets", series.pod_sets);
  v("priority", series.priority);
  v("priority_source", series.priority_source);
  v("priority_class", series.priority_class);
  v("active", static_cast<bool>(o.active));
  v("max_execution_seconds", series.max_execution_seconds);
  v("preemption_gates", series.preemption_gates);
  v("variant_of", series.variant_of);
  v("status", o.spec.status);
}

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_WHOLE_WORKLOAD_H_
