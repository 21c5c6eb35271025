// Field lists of answers (muster/command.h). See engine/codec/fields.h.
#ifndef MUSTER_ENGINE_CODEC_FIELDS_ANSWER_H_
#define MUSTER_ENGINE_CODEC_FIELDS_ANSWER_H_

#include "engine/codec/fields.h"
#include "engine/codec/fields_hand_over.h"
#include "muster/command.h"

namespace muster {

template <typename V>
void VisitFields(V& v, Of<AdmittedWorkload> auto& o) {
  VisitRequired(v, "workload", o.workload);
  VisitRequired(v, "admission", o.admission);
  VisitRequired(v, "admitted", o.admitted);
}

template <typename V>
void VisitFields(V& v, Of<PreemptedWorkload> auto& o) {
  VisitRequired(v, "workload", o.workload);
  VisitRequired(v, "reason", o.reason);
  VisitRequired(v, "by", o.by);
}

template <typename V>
void VisitFields(V& v, Of<EvictedWorkload> auto& o) {
  VisitRequired(v, "workload", o.workload);
  VisitRequired(v, "cluster_queue", o.cluster_queue);
  VisitRequired(v, "reason", o.reason);
  VisitRequired(v, "quota_free", o.quota_free);
}

template <typename V>
void VisitFields(V& v, Of<PolicyFailure> auto& o) {
  VisitRequired(v, "policy", o.policy);
  VisitRequired(v, "hook", o.hook);
  v("cluster_queue", o.cluster_queue);
  VisitRequired(v, "message", o.message);
  v("fuel", o.fuel);
  v("late", o.late);
  v("stuck_after", o.stuck_after);
  v("workload", o.workload);
}

template <typename V>
void VisitFields(V& v, Of<PolicyRollback> auto& o) {
  VisitRequired(v, "policy", o.policy);
  VisitRequired(v, "from", o.from);
  VisitRequired(v, "to", o.to);
  VisitRequired(v, "why", o.why);
}

template <typename V>
void VisitFields(V& v, Of<StoppedHook> auto& o) {
  VisitRequired(v, "package", o.package);
  VisitRequired(v, "hook", o.hook);
}

template <typename V>
void VisitFields(V&, Of<answer::Done> auto&) {}

template <typename V>
void VisitFields(V& v, Of<Warning> auto& o) {
  VisitRequired(v, "object", o.object);
  VisitRequired(v, "field", o.field);
  VisitRequired(v, "what", o.what);
  VisitRequired(v, "cure", o.cure);
}

template <typename V>
void VisitFields(V& v, Of<answer::Applied> auto& o) {
  VisitRequired(v, "objects", o.objects);
  VisitRequired(v, "failures", o.failures);
  v("warnings", o.warnings);
}

template <typename V>
void VisitFields(V& v, Of<answer::Phase> auto& o) {
  VisitRequired(v, "phase", o.phase);
}

template <typename V>
void VisitFields(V& v, Of<answer::Activated> auto& o) {
  VisitRequired(v, "stopped", o.stopped);
}

template <typename V>
void VisitFields(V& v, Of<CycleResult> auto& o) {
  VisitRequired(v, "cycle", o.cycle);
  VisitTime(v, "at", o.at);
  VisitRequired(v, "admitted", o.admitted);
  VisitRequired(v, "preempted", o.preempted);
  VisitRequired(v, "evicted", o.evicted);
  VisitRequired(v, "policy_failures", o.policy_failures);
  VisitRequired(v, "rolled_back", o.rolled_back);
  VisitRequired(v, "at_rest", o.at_rest);
}

template <typename V>
void VisitFields(V& v, Of<answer::Cursor> auto& o) {
  VisitRequired(v, "consumer", o.consumer);
  VisitRequired(v, "acknowledged", o.acknowledged);
  VisitRequired(v, "last", o.last);
}

template <typename V>
void VisitFields(V& v, Of<answer::Decisions> auto& o) {
  VisitRequired(v, "decisions", o.decisions);
  VisitRequired(v, "last", o.last);
}

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_FIELDS_ANSWER_H_
