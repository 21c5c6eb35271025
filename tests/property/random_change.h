// A random change of one object that is there: quotas up and down, flavors in and out, another
// cohort, stops, other rules.
#ifndef MUSTER_TESTS_PROPERTY_RANDOM_CHANGE_H_
#define MUSTER_TESTS_PROPERTY_RANDOM_CHANGE_H_

#include "tests/property/random_world.h"

namespace muster::testing {

/// Changes one ClusterQueue, Cohort or LocalQueue of `world` and returns what it is now; sometimes
/// the same as before.
Object ChangeSomething(Choices& choices, World& world);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_PROPERTY_RANDOM_CHANGE_H_
