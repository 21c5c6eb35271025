// A small world drawn at random: flavors, cohorts, queues, workloads that hold quota (sometimes
// more than there is) and workloads that wait. Made so that borrowing, preemption and ties are
// frequent.
#ifndef MUSTER_TESTS_PROPERTY_RANDOM_WORLD_H_
#define MUSTER_TESTS_PROPERTY_RANDOM_WORLD_H_

#include <vector>

#include "muster/object.h"
#include "tests/testing/choices.h"

namespace muster::testing {

using World = std::vector<Object>;

/// The clock of every test world: 2026-01-01T12:00:00Z.
inline constexpr TimeNs kNow = 1'767'268'800 * kSecond;

/// At most 3 flavors, 4 cohorts, 5 queues, 7 holders and 6 waiting; resources cpu and gpu.
World MakeRandomWorld(Choices& choices);

/// A workload for `queue` that waits; named and told apart by `number`.
Workload DrawWorkload(Choices& choices, const ClusterQueue& queue, int number);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_PROPERTY_RANDOM_WORLD_H_
