// Is this ledger what it should be? The question every fault test ends with.
#ifndef MUSTER_TESTS_FAULT_LEDGER_LEDGER_CHECK_H_
#define MUSTER_TESTS_FAULT_LEDGER_LEDGER_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "db/store.h"
#include "muster/journal.h"

namespace muster::testing {

/// Empty when the ledger verifies, its commits are the first ones of `history`, word for word, and
/// its rows are what these commits' events say; else what is wrong. `commits` gets their number.
std::string CompareWithHistory(const Store& ledger, const std::vector<Commit>& history,
                               std::int64_t* commits);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_FAULT_LEDGER_LEDGER_CHECK_H_
