// Random trees in which heads have to preempt under fair sharing.
#ifndef MUSTER_TESTS_PROPERTY_CROWDED_TREE_H_
#define MUSTER_TESTS_PROPERTY_CROWDED_TREE_H_

#include <vector>

#include "muster/object.h"
#include "tests/testing/choices.h"

namespace muster::testing {

/// One tree of some cohorts and many queues, most of which use more than is theirs.
std::vector<Object> MakeCrowdedTree(Choices& choices);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_PROPERTY_CROWDED_TREE_H_
