// What happens to an object when it is created or changed: the marks it gets, and the rules it
// must keep.
#ifndef MUSTER_BINDINGS_OBJECTS_WEBHOOK_H_
#define MUSTER_BINDINGS_OBJECTS_WEBHOOK_H_

#include "bindings/objects/kind.h"
#include "bindings/objects/setting.h"
#include "bindings/objects/value.h"

namespace muster::objects {

/// Whether the object is to be held back until it is admitted; an error of its owners says no.
bool IsToBeQueued(const Value& object, const Setting& setting);

/// Default queue and class, suspension, and what its kind adds. Of kinds that are not enabled
/// nothing changes.
void Prepare(const KindRow& row, Value& object, const Setting& setting);

/// What makes a new object wrong. Of kinds that are not enabled nothing is checked.
FieldErrors CheckCreate(const KindRow& row, const Value& object, const Setting& setting);

/// What makes a change wrong.
FieldErrors CheckUpdate(const KindRow& row, const Value& before, const Value& after,
                        const Setting& setting);

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_WEBHOOK_H_
