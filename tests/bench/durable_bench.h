// The engine together with its ledger, while its policies are replaced, and behind its doors;
// registered by the ledger's program.
#ifndef MUSTER_TESTS_BENCH_DURABLE_BENCH_H_
#define MUSTER_TESTS_BENCH_DURABLE_BENCH_H_

#include "tests/bench/measure.h"

namespace muster::bench {

void RegisterDurable(Size size);
void RegisterOpening(Size size);
void RegisterReload(Size size);
void RegisterPostgres(Size size);
void RegisterDoors(Size size);

}  // namespace muster::bench

#endif  // MUSTER_TESTS_BENCH_DURABLE_BENCH_H_
