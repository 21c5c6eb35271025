// Field lists of decisions and consumers (muster/hand_over.h). See engine/codec/fields.h.
#ifndef MUSTER_ENGINE_CODEC_FIELDS_HAND_OVER_H_
#define MUSTER_ENGINE_CODEC_FIELDS_HAND_OVER_H_

#include "engine/codec/fields.h"
#include "muster/hand_over.h"

namespace muster {

template <typename V>
void VisitFields(V& v, Of<Decision> auto& o) {
  VisitRequired(v, "number", o.number);
  VisitRequired(v, "kind", o.kind);
  VisitTime(v, "at", o.at);
  v("cycle", o.cycle);
  VisitRequired(v, "workload", o.workload);
  v("uid", o.uid);
  v("reason", o.reason);
  v("by", o.by);
  v("stop", o.stop);
  v("admission", o.admission);
  VisitLater(v, 11, "run", o.run);
}

template <typename V>
void VisitFields(V& v, Of<ConsumerView> auto& o) {
  VisitRequired(v, "name", o.name);
  VisitRequired(v, "acknowledged", o.acknowledged);
  VisitRequired(v, "behind", o.behind);
  VisitTime(v, "oldest_at", o.oldest_at);
  VisitTime(v, "registered_at", o.registered_at);
  VisitTime(v, "acknowledged_at", o.acknowledged_at);
}

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_FIELDS_HAND_OVER_H_
