/* Types and numbers of muster.h, which says what holds for all of them; include that. */
#ifndef MUSTER_BINDINGS_C_INCLUDE_MUSTER_TYPES_H_
#define MUSTER_BINDINGS_C_INCLUDE_MUSTER_TYPES_H_

#include <stddef.h> /* NOLINT(modernize-deprecated-headers): C reads this, too */
#include <stdint.h> /* NOLINT(modernize-deprecated-headers) */

#ifdef __cplusplus
extern "C" {
#endif

/* What stands between the two marks has no preprocessor in it: LuaJIT's ffi.cdef and cffi take it
 * as it is, before that of muster.h. */
/* muster.h: core begins */

enum {
  MUSTER_OK = 0,
  MUSTER_INVALID_ARGUMENT = 1,    /* the input breaks a rule */
  MUSTER_NOT_FOUND = 2,           /* no such object */
  MUSTER_FAILED_PRECONDITION = 3, /* legal input that this state refuses */
  MUSTER_UNAVAILABLE = 4,         /* held by another process, or I/O failed, or no memory */
  MUSTER_DATA_LOSS = 5,           /* damage in stored state */
  MUSTER_INTERNAL = 6             /* an invariant of the engine broke; it is closed */
};
typedef int32_t muster_code;

/* What Apply does about a reference to something that is not there. */
enum {
  MUSTER_REFUSE = 0, /* an error; a missing Namespace is created */
  MUSTER_ACCEPT = 1, /* stored, and inactive until it appears, as in Kueue */
  MUSTER_AS_KUEUE = 2
};

enum {
  MUSTER_START = 1,       /* start its pods, all of them */
  MUSTER_START_AGAIN = 2, /* the same, of a workload that was told to leave before */
  MUSTER_RESERVE = 3,     /* quota is reserved; its admission checks are to be answered */
  MUSTER_MAKE_ROOM = 4,   /* preempted: stop its pods */
  MUSTER_EVICT = 5,       /* it has to leave: on request, its queue is stopped, a check retries */
  MUSTER_EXPIRE = 6,      /* it has to leave: a time limit */
  MUSTER_REFUSED = 7,     /* it will not be started */
  MUSTER_WITHDRAW = 8     /* cancelled while it held quota: stop its pods */
};

enum {
  MUSTER_PHASE_PENDING = 0,
  MUSTER_PHASE_RESERVED = 1,
  MUSTER_PHASE_ADMITTED = 2,
  MUSTER_PHASE_EVICTING = 3,
  MUSTER_PHASE_INACTIVE = 4,
  MUSTER_PHASE_FINISHED = 5
};

enum {
  MUSTER_CHECK_PENDING = 0,
  MUSTER_CHECK_READY = 1,
  MUSTER_CHECK_RETRY = 2,
  MUSTER_CHECK_REJECTED = 3
};

enum { MUSTER_DEBUG = 0, MUSTER_INFO = 1, MUSTER_WARNING = 2, MUSTER_ERROR = 3, MUSTER_OFF = 4 };

/* What becomes of a workload that is not to run for a while. */
enum { MUSTER_DEACTIVATE = 1, MUSTER_ACTIVATE = 2 };

typedef struct muster_engine muster_engine;
typedef struct muster_error muster_error;
typedef struct muster_bytes muster_bytes;
typedef struct muster_shape muster_shape;
typedef struct muster_decisions muster_decisions;

typedef struct muster_options {
  uint32_t size;
  int32_t must_exist;      /* a ledger that is not there is MUSTER_NOT_FOUND, not created */
  int32_t allow_time_jump; /* take calls over a year after the last one, as in memory always */
  int32_t relaxed;         /* a power cut may take the last calls; a kill never does */
  int64_t lock_wait_ms;    /* how long a ledger that another process holds is waited for */
} muster_options;

/* A workload, by name. */
typedef struct muster_name {
  uint32_t size;
  uint32_t reserved;
  const char *ns;
  const char *name;
  const char *uid; /* which job of that name is meant, as in muster_decision; NULL or "": whichever
                      there is. Where another has the name: MUSTER_FAILED_PRECONDITION */
  int64_t run;     /* which run of the job is meant, as in muster_decision; 0: whichever it is in.
                      Where that is not its newest: MUSTER_FAILED_PRECONDITION */
} muster_name;

/* A workload to submit. Texts that are NULL and numbers behind a 0 are those of its shape. */
typedef struct muster_job {
  uint32_t size;
  int32_t has_priority;
  const muster_shape *shape; /* its pods, labels and all that is not said here */
  const char *ns;
  const char *name;
  const char *queue; /* LocalQueue of the same namespace */
  const char *uid;   /* NULL: the engine gives one */
  int64_t created;   /* 0: the time of the call */
  int32_t priority;  /* counts where has_priority is not 0 */
  int32_t count;     /* pods of the first podset; 0: as its shape has it */
} muster_job;

typedef struct muster_pod_count {
  uint32_t size;
  int32_t count;
  const char *pod_set;
} muster_pod_count;

/* New values of a workload. What is NULL or 0 stays as it is. */
typedef struct muster_changes {
  uint32_t size;
  int32_t has_priority;
  const char *ns;
  const char *name;
  int32_t priority; /* counts where has_priority is not 0 */
  int32_t active;   /* MUSTER_DEACTIVATE, MUSTER_ACTIVATE; 0: as it is */
  int64_t checkpointed; /* when its run saved what it had done, between its start and now */
  const muster_pod_count *counts; /* sizes of podsets; with quota they may only shrink */
  size_t counts_length;
  const muster_pod_count *reclaimable; /* pods that have ended and are not replaced */
  size_t reclaimable_length;
  const char *open_gates; /* preemption gates that are open, "a,b"; others are closed */
  const char *uid;        /* as in muster_name */
  int64_t run;            /* as in muster_name */
} muster_changes;

typedef struct muster_flavor_use {
  uint32_t size;
  uint32_t reserved;
  const char *resource;
  const char *flavor;
  int64_t amount; /* of all pods together: milli-cores of cpu, else bytes, devices, pods */
} muster_flavor_use;

typedef struct muster_pod_set {
  uint32_t size;
  int32_t count; /* pods to start */
  const char *name;
  const muster_flavor_use *flavors;
  size_t flavor_count;
} muster_pod_set;

/* Pods that go to one domain of a topology. */
typedef struct muster_place {
  uint32_t size;
  int32_t count;             /* pods */
  const char *const *values; /* one for each of the levels: "block-1", "rack-7" */
} muster_place;

/* Where the pods of a podset go. `levels` are labels of nodes, the widest first; where the
 * narrowest is the node's own name, that one alone. */
typedef struct muster_topology {
  uint32_t size;
  uint32_t reserved;
  const char *const *levels;
  size_t level_count;
  const muster_place *domains;
  size_t domain_count;
} muster_topology;

typedef struct muster_decision {
  uint32_t size;
  int32_t kind;   /* MUSTER_START, ... */
  int64_t number; /* from 1, without gaps; never used twice in a ledger */
  int64_t at;
  int64_t cycle;
  const char *ns;
  const char *name;
  const char *uid;
  const char *reason;  /* why it leaves: "Preempted", "PodsReadyTimeout", ...; else "" */
  const char *by_ns;   /* of MUSTER_MAKE_ROOM: the workload that takes its place; else "" */
  const char *by_name;
  const char *cluster_queue; /* of a start or reservation; else "" */
  const muster_pod_set *pod_sets; /* the same */
  size_t pod_set_count;
  int32_t stop; /* stop its pods, and report muster_evicted when they are gone; after
                   MUSTER_WITHDRAW there is nothing to report */
  int32_t reserved;
  int64_t run; /* which run of the job this is about, from 1: higher after each time that it was
                  told to leave. 0: it only waited */
} muster_decision;

typedef struct muster_cursor {
  uint32_t size;
  uint32_t reserved;
  int64_t acknowledged; /* the number up to which the consumer has acted; 0: none */
  int64_t last;         /* the newest number that was given */
} muster_cursor;

typedef struct muster_cycle {
  uint32_t size;
  int32_t at_rest; /* no cycle decides anything before another call or a later time */
  int64_t number;
  int64_t at;
  int64_t admitted; /* how many reservations, ... */
  int64_t preempted;
  int64_t evicted;
  int64_t policy_failures;
  int64_t rolled_back;
} muster_cycle;

/* What a log sink is called with: a message without a line end. */
typedef void (*muster_log_sink)(void *context, int32_t level, const char *message, size_t size);

/* muster.h: core ends */

#ifdef __cplusplus
}
#endif

#endif /* MUSTER_BINDINGS_C_INCLUDE_MUSTER_TYPES_H_ */
