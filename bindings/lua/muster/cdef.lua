-- What muster.h declares, for LuaJIT's FFI. Made of it by tests/lua/cdef.py --write.
return [[
enum {
  MUSTER_OK = 0,
  MUSTER_INVALID_ARGUMENT = 1,
  MUSTER_NOT_FOUND = 2,
  MUSTER_FAILED_PRECONDITION = 3,
  MUSTER_UNAVAILABLE = 4,
  MUSTER_DATA_LOSS = 5,
  MUSTER_INTERNAL = 6
};
typedef int32_t muster_code;
enum {
  MUSTER_REFUSE = 0,
  MUSTER_ACCEPT = 1,
  MUSTER_AS_KUEUE = 2
};
enum {
  MUSTER_START = 1,
  MUSTER_START_AGAIN = 2,
  MUSTER_RESERVE = 3,
  MUSTER_MAKE_ROOM = 4,
  MUSTER_EVICT = 5,
  MUSTER_EXPIRE = 6,
  MUSTER_REFUSED = 7,
  MUSTER_WITHDRAW = 8
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
enum { MUSTER_DEACTIVATE = 1, MUSTER_ACTIVATE = 2 };
typedef struct muster_engine muster_engine;
typedef struct muster_error muster_error;
typedef struct muster_bytes muster_bytes;
typedef struct muster_shape muster_shape;
typedef struct muster_decisions muster_decisions;
typedef struct muster_options {
  uint32_t size;
  int32_t must_exist;
  int32_t allow_time_jump;
  int32_t relaxed;
  int64_t lock_wait_ms;
} muster_options;
typedef struct muster_name {
  uint32_t size;
  uint32_t reserved;
  const char *ns;
  const char *name;
  const char *uid;
  int64_t run;
} muster_name;
typedef struct muster_job {
  uint32_t size;
  int32_t has_priority;
  const muster_shape *shape;
  const char *ns;
  const char *name;
  const char *queue;
  const char *uid;
  int64_t created;
  int32_t priority;
  int32_t count;
} muster_job;
typedef struct muster_pod_count {
  uint32_t size;
  int32_t count;
  const char *pod_set;
} muster_pod_count;
typedef struct muster_changes {
  uint32_t size;
  int32_t has_priority;
  const char *ns;
  const char *name;
  int32_t priority;
  int32_t active;
  int64_t checkpointed;
  const muster_pod_count *counts;
  size_t counts_length;
  const muster_pod_count *reclaimable;
  size_t reclaimable_length;
  const char *open_gates;
  const char *uid;
  int64_t run;
} muster_changes;
typedef struct muster_flavor_use {
  uint32_t size;
  uint32_t reserved;
  const char *resource;
  const char *flavor;
  int64_t amount;
} muster_flavor_use;
typedef struct muster_pod_set {
  uint32_t size;
  int32_t count;
  const char *name;
  const muster_flavor_use *flavors;
  size_t flavor_count;
} muster_pod_set;
typedef struct muster_place {
  uint32_t size;
  int32_t count;
  const char *const *values;
} muster_place;
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
  int32_t kind;
  int64_t number;
  int64_t at;
  int64_t cycle;
  const char *ns;
  const char *name;
  const char *uid;
  const char *reason;
  const char *by_ns;
  const char *by_name;
  const char *cluster_queue;
  const muster_pod_set *pod_sets;
  size_t pod_set_count;
  int32_t stop;
  int32_t reserved;
  int64_t run;
} muster_decision;
typedef struct muster_cursor {
  uint32_t size;
  uint32_t reserved;
  int64_t acknowledged;
  int64_t last;
} muster_cursor;
typedef struct muster_cycle {
  uint32_t size;
  int32_t at_rest;
  int64_t number;
  int64_t at;
  int64_t admitted;
  int64_t preempted;
  int64_t evicted;
  int64_t policy_failures;
  int64_t rolled_back;
} muster_cycle;
typedef void (*muster_log_sink)(void *context, int32_t level, const char *message, size_t size);
uint32_t muster_abi_version(void);
const char *muster_version(void);
int64_t muster_now(void);
const char *muster_decision_kind(int32_t kind);
const char *muster_code_name(muster_code code);
void muster_set_log_level(int32_t least);
void muster_set_log_sink(muster_log_sink sink, void *context);
const char *muster_bytes_data(const muster_bytes *bytes);
size_t muster_bytes_size(const muster_bytes *bytes);
void muster_bytes_free(muster_bytes *bytes);
muster_code muster_error_code(const muster_error *error);
const char *muster_error_message(const muster_error *error);
size_t muster_error_count(const muster_error *error);
const char *muster_error_place(const muster_error *error, size_t index);
const char *muster_error_what(const muster_error *error, size_t index);
const char *muster_error_cure(const muster_error *error, size_t index);
void muster_error_free(muster_error *error);
muster_code muster_open_memory(const muster_options *options, muster_engine **engine,
                               muster_error **error);
muster_code muster_open(const char *path, const muster_options *options, muster_engine **engine,
                        muster_error **error);
muster_code muster_read_ledger(const char *path, muster_engine **engine, muster_error **error);
muster_code muster_copy(muster_engine *engine, muster_engine **copy, muster_error **error);
muster_code muster_close(muster_engine *engine, muster_error **error);
muster_code muster_closed(muster_engine *engine, muster_error **error);
muster_code muster_state_hash(muster_engine *engine, muster_bytes **hash, muster_error **error);
muster_code muster_check_time(muster_engine *engine, int64_t now, muster_error **error);
muster_code muster_last_time(muster_engine *engine, int64_t *at, muster_error **error);
muster_code muster_check_invariants(muster_engine *engine, muster_error **error);
muster_code muster_apply(muster_engine *engine, const char *yaml, size_t size, const char *name,
                         int32_t missing, int64_t now, muster_bytes **answer, muster_error **error);
muster_code muster_validate(muster_engine *engine, const char *yaml, size_t size, const char *name,
                            int32_t missing, muster_error **error);
muster_code muster_advise(muster_engine *engine, const char *yaml, size_t size, const char *name,
                          int32_t missing, muster_bytes **json, muster_error **error);
muster_code muster_delete(muster_engine *engine, const char *kind, const char *ns, const char *name,
                          int32_t force, int64_t now, muster_error **error);
muster_code muster_do(muster_engine *engine, const char *json, size_t size, int64_t now,
                      muster_bytes **answers, muster_error **error);
muster_code muster_what_if(muster_engine *engine, const char *json, size_t size, int64_t now,
                           muster_bytes **answer, muster_error **error);
muster_code muster_eta(muster_engine *engine, const char *json, size_t size, int64_t now,
                       muster_bytes **answer, muster_error **error);
muster_code muster_set_caller(muster_engine *engine, const char *caller, muster_error **error);
muster_code muster_schema(muster_bytes **schema, muster_error **error);
muster_code muster_check_owner(muster_engine *engine, const char *queue, const char *yaml,
                               size_t size, const char *name, muster_error **error);
muster_code muster_start_patch(muster_engine *engine, const char *ns, const char *workload,
                               const char *yaml, size_t size, const char *name,
                               muster_bytes **json, muster_error **error);
muster_code muster_observe(muster_engine *engine, const char *yaml, size_t size, const char *name,
                           int64_t now, muster_bytes **json, muster_error **error);
muster_code muster_shape_parse(const char *yaml, size_t size, const char *name,
                               muster_shape **shape, muster_error **error);
void muster_shape_free(muster_shape *shape);
muster_code muster_submit(muster_engine *engine, const muster_job *jobs, size_t count, int64_t now,
                          size_t *created, muster_error **error);
muster_code muster_submit_warned(muster_engine *engine, const muster_job *jobs, size_t count,
                                 int64_t now, size_t *created, muster_bytes **warnings,
                                 muster_error **error);
muster_code muster_finish(muster_engine *engine, const muster_name *workloads, size_t count,
                          int32_t failed, int64_t now, muster_error **error);
muster_code muster_evicted(muster_engine *engine, const muster_name *workloads, size_t count,
                           int64_t now, muster_error **error);
muster_code muster_cancel(muster_engine *engine, const muster_name *workloads, size_t count,
                          int64_t now, muster_error **error);
muster_code muster_ready(muster_engine *engine, const muster_name *workloads, size_t count,
                         int32_t ready, int64_t now, muster_error **error);
muster_code muster_evict(muster_engine *engine, const char *ns, const char *name,
                         const char *reason, int64_t now, muster_error **error);
muster_code muster_evict_job(muster_engine *engine, const muster_name *workload, const char *reason,
                             int64_t now, muster_error **error);
muster_code muster_update(muster_engine *engine, const muster_changes *changes, int64_t now,
                          muster_error **error);
muster_code muster_check(muster_engine *engine, const char *ns, const char *name, const char *check,
                         int32_t state, const char *message, int64_t now, int32_t *phase,
                         muster_error **error);
muster_code muster_check_job(muster_engine *engine, const muster_name *workload, const char *check,
                             int32_t state, const char *message, int64_t now, int32_t *phase,
                             muster_error **error);
muster_code muster_run_cycle(muster_engine *engine, int64_t now, muster_cycle *cycle,
                             muster_bytes **answer, muster_error **error);
muster_code muster_advance(muster_engine *engine, int64_t now, muster_error **error);
muster_code muster_next_deadline(muster_engine *engine, int64_t *at, muster_error **error);
muster_code muster_register_consumer(muster_engine *engine, const char *consumer, int64_t after,
                                     int64_t now, muster_cursor *cursor, muster_error **error);
muster_code muster_acknowledge(muster_engine *engine, const char *consumer, int64_t upto,
                               int64_t now, muster_cursor *cursor, muster_error **error);
muster_code muster_remove_consumer(muster_engine *engine, const char *consumer, int64_t now,
                                   muster_error **error);
muster_code muster_decisions_of(muster_engine *engine, const char *consumer, size_t limit,
                                int64_t wait_ms, muster_decisions **decisions,
                                muster_error **error);
muster_code muster_decisions_after(muster_engine *engine, int64_t after, size_t limit,
                                   int64_t wait_ms, muster_decisions **decisions,
                                   muster_error **error);
void muster_wake(muster_engine *engine);
size_t muster_decisions_count(const muster_decisions *decisions);
const muster_decision *muster_decisions_data(const muster_decisions *decisions);
int64_t muster_decisions_last(const muster_decisions *decisions);
const muster_topology *muster_decisions_topology(const muster_decisions *decisions, size_t index,
                                                 size_t pod_set);
muster_code muster_decisions_json(const muster_decisions *decisions, muster_bytes **json,
                                  muster_error **error);
void muster_decisions_free(muster_decisions *decisions);
muster_code muster_pipeline_start(muster_engine *engine, size_t in_flight, muster_error **error);
muster_code muster_pipeline_stop(muster_engine *engine, muster_error **error);
muster_code muster_pipeline_ticket(muster_engine *engine, int64_t *ticket, muster_error **error);
muster_code muster_pipeline_wait(muster_engine *engine, int64_t ticket, muster_error **error);
muster_code muster_pipeline_stored(muster_engine *engine, int64_t ticket, int32_t *stored,
                                   muster_error **error);
muster_code muster_get(muster_engine *engine, const char *kind, const char *ns, const char *name,
                       const char *states, const char *sort, muster_bytes **json,
                       muster_error **error);
muster_code muster_explain(muster_engine *engine, const char *ns, const char *name,
                           muster_bytes **json, muster_error **error);
muster_code muster_phase(muster_engine *engine, const char *ns, const char *name, int32_t *phase,
                         muster_error **error);
muster_code muster_pod_set_updates(muster_engine *engine, const char *ns, const char *name,
                                   muster_bytes **json, muster_error **error);
muster_code muster_pod_requests(muster_engine *engine, const char *ns, const char *name,
                                muster_bytes **json, muster_error **error);
muster_code muster_report(const char *verb, const char *json, size_t size, muster_bytes **answer,
                          muster_error **error);
muster_code muster_policy_check(const char *folder, const char *params, muster_bytes **info,
                                muster_error **error);
muster_code muster_policy_test(const char *folder, muster_bytes **report, size_t *failed,
                               muster_error **error);
muster_code muster_policy_activate(muster_engine *engine, const char *folder, const char *params,
                                   const char *by, const char *why, int64_t now,
                                   muster_bytes **answer, muster_error **error);
muster_code muster_policy_stage(muster_engine *engine, const char *folder, const char *params,
                                const char *by, const char *why, int64_t now, muster_bytes **info,
                                muster_error **error);
muster_code muster_policy_activate_staged(muster_engine *engine, const char *hash, const char *by,
                                          const char *why, int64_t now, muster_bytes **answer,
                                          muster_error **error);
muster_code muster_policy_roll_back(muster_engine *engine, const char *by, const char *why,
                                    int64_t now, muster_error **error);
muster_code muster_policy_shadow(muster_engine *engine, const char *folder, const char *params,
                                 muster_error **error);
muster_code muster_policy_shadow_report(muster_engine *engine, muster_bytes **json,
                                        muster_error **error);
muster_code muster_scenario(const char *yaml, size_t size, const char *name, muster_bytes **report,
                            size_t *failed, muster_error **error);
muster_code muster_simulate(const char *json, size_t size, muster_bytes **answer,
                            muster_error **error);
muster_code muster_backtest(const char *json, size_t size, muster_bytes **answer,
                            muster_error **error);
]]
