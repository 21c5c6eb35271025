// What the killed process commits: the same cycles in the same order, whatever asks.
#ifndef MUSTER_TESTS_FAULT_LEDGER_KILL_HISTORY_H_
#define MUSTER_TESTS_FAULT_LEDGER_KILL_HISTORY_H_

#include <cstdint>

#include "tests/testing/ledger_world.h"

namespace muster::testing {

/// Commit `number` (from 1), of a world from which those before it were taken.
inline Commit NextOfKillHistory(LedgerWorld* world, std::int64_t number) {
  const int jobs = 1 + static_cast<int>(number % 4);
  return number % 3 == 0 ? world->Submit(jobs) : world->Cycle(jobs);
}

}  // namespace muster::testing

#endif  // MUSTER_TESTS_FAULT_LEDGER_KILL_HISTORY_H_
