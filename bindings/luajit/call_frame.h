/* What the host and the prelude share during one call of a hook. Like batch_abi.h this text is both
 * C++ and the ffi.cdef. Only the trusted prelude sees it. */
#ifndef MUSTER_BINDINGS_LUAJIT_CALL_FRAME_H_
#define MUSTER_BINDINGS_LUAJIT_CALL_FRAME_H_

#include "muster/batch_abi.h"

/* cdef begin */
typedef struct muster_fuel {
  int left;      /* ticks that may still pass before the host looks; below zero once exhausted */
  int reserve;   /* that comes after them */
  int slice;     /* ticks between two looks of the host */
  int item;      /* that one item may use */
  int begun;     /* what there was of both when the item being looked at began */
  int odd_begun; /* `begun` of the item that `odd` is about */
  int odd;       /* numbers it has written to as keys that are no place in a list */
  double keys;   /* at most so many it has added to tables */
} muster_fuel;

/* One of several batches that are asked about in one call. */
typedef struct muster_turn {
  const muster_batch* batch;
  int fuel; /* that it may use; once it was asked about, what is left */
} muster_turn;

typedef struct muster_call {
  const muster_batch* batch;
  /* The item being looked at, whichever the hook has. */
  const muster_workload* workload;
  const muster_holding* holding;
  const muster_node* node;
  const muster_flavor* flavor;
  const muster_domain* domain;
  double* keys;             /* batch->count rows; of all turns where there are some */
  muster_turn* turns;       /* each a batch that is not empty */
  double turn_items;        /* rows of all turns */
  double resources_version; /* changes when the batch's resource table does */
  double rehearsal;         /* not 0: a made-up batch, every resource exists */
  double random_seed;       /* of this generation */
  double (*power)(double, double);
  /* In [0, 1), of a stream: for the cycle, or for the period of that length and begin. */
  double (*random)(const struct muster_call*, const char*, unsigned int, double, double);
  /* Seconds east of Greenwich in a zone of the package at a time. */
  double (*zone_offset)(const struct muster_call*, unsigned int, double);
  const void* zones;                         /* std::vector<TimeZone> */
  double (*hash)(const char*, unsigned int); /* a whole number below 2^53 */
} muster_call;
/* cdef end */

#endif /* MUSTER_BINDINGS_LUAJIT_CALL_FRAME_H_ */
