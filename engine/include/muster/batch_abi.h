/* The batch a policy hook is called over. Plain C without guards' tricks: this text is compiled as
 * C++ by the host and handed to LuaJIT as the ffi.cdef, so the two cannot drift apart.
 *
 * All numbers are doubles (exact to 2^53). Units are those of the views: seconds, cores, bytes,
 * devices. Strings are indices into muster_batch.strings; index 0 is the empty string. */
#ifndef MUSTER_BATCH_ABI_H_
#define MUSTER_BATCH_ABI_H_

/* cdef begin */
enum { MUSTER_MAX_KEYS = 3, MUSTER_MAX_RESOURCES = 16, MUSTER_MAX_LABELS = 8 };

typedef struct muster_string {
  const char* data;
  unsigned int size;
} muster_string;

typedef struct muster_workload {
  double priority;    /* effective priority */
  double created;     /* seconds since the epoch */
  double queued_at;   /* queue-order timestamp, seconds since the epoch */
  double pods;        /* over all podsets */
  double podsets;
  double gpus;        /* sum over resources whose name ends in "/gpu" */
  double attempts;    /* earlier quota reservations */
  double preemptions; /* times it was preempted */
  double max_run;     /* maximumExecutionTimeSeconds; infinity when unset */
  double request[MUSTER_MAX_RESOURCES]; /* total, by the batch's resource table */
  unsigned int name;
  unsigned int namespace_;
  unsigned int local_queue;
  unsigned int cluster_queue;
  unsigned int label[MUSTER_MAX_LABELS]; /* by the package's declared labels */
} muster_workload;

typedef struct muster_batch {
  unsigned int count;
  unsigned int resource_count;
  const muster_workload* workloads; /* count */
  const muster_string* strings;
  const unsigned int* resources;    /* resource_count indices into strings */
  double cycle;                     /* number of the cycle, from 1 */
  double now;                       /* seconds since the epoch */
  unsigned int cluster_queue;       /* whose batch this is, index into strings */
} muster_batch;
/* cdef end */

#endif /* MUSTER_BATCH_ABI_H_ */
