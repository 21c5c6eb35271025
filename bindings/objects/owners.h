// Owners: whether an object belongs to another that is queued itself.
#ifndef MUSTER_BINDINGS_OBJECTS_OWNERS_H_
#define MUSTER_BINDINGS_OBJECTS_OWNERS_H_

#include <string>

#include "bindings/objects/setting.h"
#include "bindings/objects/value.h"

namespace muster::objects {

/// The controller reference; a null value for none.
const Value& ControllerOf(const Value& object);

/// Whether `object`, of the kind and name of `reference`, is the one that it means. One that was
/// written by hand has no uid yet.
bool IsMeant(const Value& object, const Value& reference);

/// Whether a queue is asked for it, where its kind is one of jobs.
bool IsQueued(const Value& object, const Setting& setting);

struct Ancestor {
  const Value* object = nullptr;  ///< the topmost that is queued; null for none
  std::string error = {};         ///< why the owners cannot be followed
  /// The reference to the owner that is not there, where that is why; it is the object's, or that
  /// of one of its owners.
  const Value* missing = nullptr;
};

/// Follows the controller references upwards as far as kinds are known.
Ancestor ManagedAncestor(const Value& object, const Setting& setting);

/// Whether the direct controller is of a kind that is enabled.
bool IsOwnedByManagedKind(const Value& object, const Setting& setting);

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_OWNERS_H_
