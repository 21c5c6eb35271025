/* The batch a policy hook is called over. Plain C without guards' tricks: this text is compiled as
 * C++ by the host and handed to LuaJIT as the ffi.cdef, so the two cannot drift apart.
 *
 * All numbers are doubles (exact to 2^53). Units are those of the views: seconds, cores, bytes,
 * devices. Strings are indices into muster_batch.strings; index 0 is the empty string. */
#ifndef MUSTER_BATCH_ABI_H_
#define MUSTER_BATCH_ABI_H_

/* cdef begin */
enum {
  MUSTER_MAX_KEYS = 3,
  MUSTER_MAX_RESOURCES = 16,
  MUSTER_MAX_LABELS = 8,
  MUSTER_MAX_ACCOUNTS = 8
};

typedef struct muster_string {
  const char* data;
  unsigned int size;
} muster_string;

typedef struct muster_workload {
  double priority;  /* effective priority; in boost without its boost */
  double created;   /* seconds since the epoch */
  double queued_at; /* queue-order timestamp, seconds since the epoch */
  double pods;      /* over all podsets */
  double podsets;
  double gpus;                          /* sum over resources whose name ends in "/gpu" */
  double attempts;                      /* earlier quota reservations; may be 0 if not named */
  double preemptions;                   /* times it was preempted; may be 0 if not named */
  double max_run;                       /* execution time limit; infinity: unset; 0: not named */
  double borrowing_level;               /* of its nomination in this cycle; cycle_order only */
  double last_admitted;                 /* of its LocalQueue, if the hook reads it; 0: never */
  double account[MUSTER_MAX_ACCOUNTS];  /* by the package's accounts, if the hook reads them */
  double request[MUSTER_MAX_RESOURCES]; /* total, by the batch's resource table */
  unsigned int name;
  unsigned int namespace_;
  unsigned int local_queue;
  unsigned int cluster_queue;
  unsigned int node; /* of its ClusterQueue in muster_batch.queues, if the hook reads it */
  unsigned int label[MUSTER_MAX_LABELS]; /* by the package's declared labels */
} muster_workload;

/* What a holder of quota has beyond being a workload. */
typedef struct muster_holding {
  double reserved_at;  /* seconds since the epoch */
  double checkpointed; /* when this run last saved what it did; 0: never */
  double borrowing;    /* 1: its ClusterQueue is beyond nominal quota of something it uses */
  double same_queue;   /* 1: it runs in the preemptor's ClusterQueue */
  double uses[MUSTER_MAX_RESOURCES];         /* charged, by the batch's resource table */
  unsigned int flavor[MUSTER_MAX_RESOURCES]; /* that serves the resource; 0: none */
} muster_holding;

/* A ClusterQueue or cohort, as used or as it could be. In batch.queue, use not declared is 0. */
typedef struct muster_node {
  double is_cohort;
  double weight;                       /* fair sharing */
  double depth;                        /* 0: the root of its tree */
  double last_admitted;                /* if the hook reads it; 0: never */
  double account[MUSTER_MAX_ACCOUNTS]; /* those by ClusterQueue, if the hook reads them */
  double native_share; /* dominant resource share; infinity for a borrower of weight 0 */
  double nominal[MUSTER_MAX_RESOURCES]; /* its own quota, over all flavors */
  double usage[MUSTER_MAX_RESOURCES];
  double borrowed[MUSTER_MAX_RESOURCES];       /* beyond what its subtree owns, flavor by flavor */
  double lendable[MUSTER_MAX_RESOURCES];       /* the most its parent could ever use; 0 at a root */
  double borrowed_ratio[MUSTER_MAX_RESOURCES]; /* borrowed in thousandths of lendable, or 0 */
  unsigned int name;
} muster_node;

/* A flavor that a ClusterQueue offers. */
typedef struct muster_flavor {
  double index;                      /* in the declared order, from 0 */
  double borrowing_level;            /* that the workload would have there */
  double free[MUSTER_MAX_RESOURCES]; /* available to the queue now */
  unsigned int name;
  unsigned int label[MUSTER_MAX_LABELS]; /* node labels, by the package's declared labels */
} muster_flavor;

/* A topology domain that has room for some of the pods to be placed. */
typedef struct muster_domain {
  double depth;                          /* of its level; 0: the highest */
  double room;                           /* pods of the podset that fit now */
  double hosts;                          /* nodes in it */
  double gpus;                           /* over resources whose name ends in "/gpu" */
  double free_gpus;                      /* of them, those that no job has */
  double total[MUSTER_MAX_RESOURCES];    /* what jobs may have in it */
  double free[MUSTER_MAX_RESOURCES];     /* of that, what none has; maybe below 0 */
  double placed[MUSTER_MAX_LABELS];      /* pods of jobs with the key of `per`, where the label is
                                            as here */
  unsigned int level;                    /* label of its level */
  unsigned int name;                     /* value of that label */
  unsigned int label[MUSTER_MAX_LABELS]; /* that all its nodes have alike, else 0 */
} muster_domain;

typedef struct muster_batch {
  unsigned int count;
  unsigned int resource_count;
  /* The items of the hook, count of them: workloads for queue_order, cycle_order, hold, boost and
   * victim, which has holdings beside them; nodes for share; flavors for flavor_order;
   * domains for domain_order; else null. */
  const muster_workload* workloads;
  const muster_holding* holdings;
  const muster_node* nodes;
  const muster_flavor* flavors;
  const muster_domain* domains;
  const muster_workload* subject; /* the preemptor, or the workload of flavors or domains */
  const muster_node* queues;      /* of the workloads and the subject; null if not read */
  const muster_node* queue;       /* whose batch this is; null in share and cycle_order */
  const muster_string* strings;
  const unsigned int* resources; /* resource_count indices into strings */
  double cycle;                  /* number of the cycle, from 1 */
  double now;                    /* seconds since the epoch */
} muster_batch;
/* cdef end */

#endif /* MUSTER_BATCH_ABI_H_ */
