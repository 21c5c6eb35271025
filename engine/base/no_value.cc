// What taking the value of a Result that has none comes to: inside the engine a broken invariant,
// which closes it; in a host an exception that says which Status was not looked at.
#include <string>

#include "engine/base/check.h"
#include "muster/status.h"

namespace muster {

void FailNoValue(const Status& status) {
  throw InvariantBroken("the value of a Result was taken, and there is none: " +
                        (status.ok() ? std::string("it has no error either") : status.message()));
}

}  // namespace muster
