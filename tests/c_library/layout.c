/* muster.h read by a C compiler: what must not change while the library is of version 1. */
#include <stddef.h>
#include <stdio.h>

#include "muster.h"

#define SAME(what, is) _Static_assert((what) == (is), #what)

SAME(sizeof(muster_options), 24);
SAME(sizeof(muster_name), 40);
SAME(sizeof(muster_job), 64);
SAME(sizeof(muster_flavor_use), 32);
SAME(sizeof(muster_pod_set), 32);
SAME(sizeof(muster_decision), 120);
SAME(sizeof(muster_cursor), 24);
SAME(sizeof(muster_cycle), 64);
SAME(sizeof(muster_pod_count), 16);
SAME(sizeof(muster_changes), 96);
SAME(sizeof(muster_place), 16);
SAME(sizeof(muster_topology), 40);
SAME(offsetof(muster_name, uid), 24);
SAME(offsetof(muster_name, run), 32);
SAME(offsetof(muster_changes, counts), 40);
SAME(MUSTER_ACTIVATE, 2);
SAME(offsetof(muster_job, created), 48);
SAME(offsetof(muster_decision, number), 8);
SAME(offsetof(muster_decision, pod_sets), 88);
SAME(offsetof(muster_decision, stop), 104);
SAME(offsetof(muster_decision, run), 112);
SAME(offsetof(muster_cycle, number), 8);
SAME(MUSTER_INTERNAL, 6);
SAME(MUSTER_WITHDRAW, 8);
SAME(MUSTER_PHASE_FINISHED, 5);
SAME(MUSTER_CHECK_REJECTED, 3);
SAME(MUSTER_OFF, 4);

int main(void) {
  if (muster_abi_version() != 5) return 1;
  printf("%s\n", muster_version());
  return 0;
}
