// The fields of every object, declared once: whatever walks an object (bytes, JSON) walks these.
//
// VisitFields(visitor, object) calls visitor(name, member) for each member in a fixed order; the
// object may be const. Adding, removing or moving a line changes the encoding: raise kCodecVersion.
#ifndef MUSTER_ENGINE_CODEC_FIELDS_H_
#define MUSTER_ENGINE_CODEC_FIELDS_H_

#include "engine/codec/fields_spec.h"
#include "engine/codec/fields_workload.h"

#endif  // MUSTER_ENGINE_CODEC_FIELDS_H_
