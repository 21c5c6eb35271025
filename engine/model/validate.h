// The rules of the object model that one object can break by itself, or by changing.
//
// Every problem names the field as the manifest spells it
// ("spec.resourceGroups[0].flavors[1].name"), what is wrong, and what to write instead. References
// between objects are not looked at here.
#ifndef MUSTER_ENGINE_MODEL_VALIDATE_H_
#define MUSTER_ENGINE_MODEL_VALIDATE_H_

#include <cstddef>
#include <vector>

#include "muster/object.h"
#include "muster/status.h"

namespace muster {

/// Appends every mistake in `object`; `index` becomes Problem::object. O(object).
void ValidateObject(const Object& object, std::size_t index, std::vector<Problem>& out);

/// Appends every immutable field that differs between `before` and `after`, two versions of one
/// object (same kind and key). What holds only while quota is reserved looks at before's status.
void ValidateChange(const Object& before, const Object& after, std::size_t index,
                    std::vector<Problem>& out);

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_VALIDATE_H_
