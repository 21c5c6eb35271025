/* Muster's C library: the whole admission engine behind opaque handles. libmuster.so.1
 *
 * THREADS. Any thread may call any function. Calls on one engine take turns: the library holds a
 * lock for as long as a call runs; one that waits for decisions or stages a policy lets the others
 * in. An object that was handed out (bytes, an error, decisions, a shape) is used by one thread at
 * a time. muster_close is the last call on its engine, made when no other is running. A log sink
 * must not call the library. After fork(2) the child may not use engines of its parent: each call
 * on one, muster_close too, is MUSTER_FAILED_PRECONDITION and does nothing. It opens its own. A
 * ledger stays locked until the last process that inherited it has ended or called exec. Fork while
 * no other thread is in a call, but for one that waits.
 *
 * MEMORY. What a function hands out through a pointer to a pointer belongs to the caller, which
 * frees it with the function of its type; freeing NULL does nothing. What is returned as `const`
 * belongs to the object it was asked from and lives as long as that. Texts that go in are copied.
 * Every out parameter may be NULL where the caller does not want it, and is NULL or 0 after an
 * error, unless its function says otherwise.
 *
 * ERRORS. Most functions return a muster_code. MUSTER_OK is 0. With another code nothing has
 * changed, and `*error`, where given, says what is wrong, where, and what to write instead.
 *
 * TIME. `now` is in nanoseconds since the Unix epoch, UTC. INT64_MIN means the system's clock. Time
 * never goes back: an earlier `now` than the last call's is taken as that one's.
 *
 * PLATFORM. 64 bits; structs have that layout.
 *
 * STRUCTS begin with their size: the caller sets it to sizeof before a call, so that fields may be
 * added at the end. In arrays the size of the first element is the distance to the next. Fields
 * that are not used are 0. Enum values never change their number.
 *
 * JSON is that of docs/wire.md. Texts are UTF-8 and end with a NUL byte, where no length is given
 * beside them. NULL stands for an empty text.
 */
#ifndef MUSTER_BINDINGS_C_INCLUDE_MUSTER_H_
#define MUSTER_BINDINGS_C_INCLUDE_MUSTER_H_

#include <stddef.h> /* NOLINT(modernize-deprecated-headers): C reads this, too */
#include <stdint.h> /* NOLINT(modernize-deprecated-headers) */

#include "muster_types.h"

#if UINTPTR_MAX < UINT64_MAX
#error "Muster is made for systems of 64 bits; build for one of those"
#endif

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* What stands between the two marks has no preprocessor in it: LuaJIT's ffi.cdef and cffi take it
 * as it is, behind that of muster_types.h. */
/* muster.h: core begins */

/* ---- the library ---- */

/* Rises when something is added; what was there stays. */
uint32_t muster_abi_version(void);
const char *muster_version(void);
/* The system's clock in whole seconds, as nanoseconds. */
int64_t muster_now(void);
/* "start" of MUSTER_START; "" of what is none. */
const char *muster_decision_kind(int32_t kind);
/* "MUSTER_NOT_FOUND"; "" of what is none. */
const char *muster_code_name(muster_code code);

/* Messages below `least` are dropped. */
void muster_set_log_level(int32_t least);
/* NULL: stderr again. One sink for the process, called by any thread, one at a time. */
void muster_set_log_sink(muster_log_sink sink, void *context);

/* ---- what is handed out ---- */

const char *muster_bytes_data(const muster_bytes *bytes); /* ends with a NUL byte; never NULL */
size_t muster_bytes_size(const muster_bytes *bytes);
void muster_bytes_free(muster_bytes *bytes);

muster_code muster_error_code(const muster_error *error);
/* All of it, a line for each mistake: "place: what; cure". */
const char *muster_error_message(const muster_error *error);
/* The mistakes one by one; `index` from 0. At least one. */
size_t muster_error_count(const muster_error *error);
/* "queues.yaml:3:5", or "". */
const char *muster_error_place(const muster_error *error, size_t index);
const char *muster_error_what(const muster_error *error, size_t index);
/* What to write instead; "" where that is not known. */
const char *muster_error_cure(const muster_error *error, size_t index);
void muster_error_free(muster_error *error);

/* ---- engines ---- */

/* One that forgets everything with the process. `options` may be NULL. */
muster_code muster_open_memory(const muster_options *options, muster_engine **engine,
                               muster_error **error);
/* One that keeps everything in the ledger `path`, and goes on where that stands. What a call did is
 * on disk when it returns. A ledger is a file, or postgresql://USER@HOST/DATABASE#NAME. */
muster_code muster_open(const char *path, const muster_options *options, muster_engine **engine,
                        muster_error **error);
/* One in memory with the state that a ledger has now, also beside its writer. What is done to it is
 * kept nowhere. */
muster_code muster_read_ledger(const char *path, muster_engine **engine, muster_error **error);
/* One in memory with the state and the policies of `engine`: for questions that begin with "what
 * if". */
muster_code muster_copy(muster_engine *engine, muster_engine **copy, muster_error **error);
/* Lets go of the ledger, and frees the engine, but where another thread is in a call of it: that is
 * MUSTER_FAILED_PRECONDITION, and the engine stays as it is, to be closed later. A call that begins
 * beside this one is a mistake that it cannot see. */
muster_code muster_close(muster_engine *engine, muster_error **error);
/* Why the engine takes no call any more; MUSTER_OK while it does. */
muster_code muster_closed(muster_engine *engine, muster_error **error);
/* 32 hexadecimal digits over all that decides what the engine does next. */
muster_code muster_state_hash(muster_engine *engine, muster_bytes **hash, muster_error **error);
/* Whether a call at this time would be taken: one that is over a year after the last is refused,
 * unless the engine is in memory, or was opened with allow_time_jump. Changes nothing. */
muster_code muster_check_time(muster_engine *engine, int64_t now, muster_error **error);
/* When the newest thing happened that the ledger has; INT64_MIN in a new one. Not for an engine in
 * memory. */
muster_code muster_last_time(muster_engine *engine, int64_t *at, muster_error **error);
/* Looks at every invariant. */
muster_code muster_check_invariants(muster_engine *engine, muster_error **error);

/* ---- objects and commands ---- */

/* Applies manifests (YAML or JSON, several documents). All or nothing. `name` stands for the text
 * in places. `answer`: {"answer":"applied","objects":["created",...]}. */
muster_code muster_apply(muster_engine *engine, const char *yaml, size_t size, const char *name,
                         int32_t missing, int64_t now, muster_bytes **answer, muster_error **error);
/* Every mistake that muster_apply would tell; changes nothing. */
muster_code muster_validate(muster_engine *engine, const char *yaml, size_t size, const char *name,
                            int32_t missing, muster_error **error);
/* What is valid and still will not do what its author wants, as `muster validate` and `apply`
 * warn: jobs that could never start, even alone, names that look misspelt, queues that select no
 * namespace. `json`: {"advice": [{"place", "what", "cure"}]}. What muster_apply would refuse is an
 * error. Changes nothing; tried on a copy of the engine. */
muster_code muster_advise(muster_engine *engine, const char *yaml, size_t size, const char *name,
                          int32_t missing, muster_bytes **json, muster_error **error);
/* Removes an object; a workload is cancelled. `kind` as muster_get has it ("cq"), or a manifest
 * ("ClusterQueue"); `ns` is NULL of what stands in none. MUSTER_FAILED_PRECONDITION while something
 * names it or holds its quota, unless `force`: that waits for its return, and jobs go on uncharged.
 */
muster_code muster_delete(muster_engine *engine, const char *kind, const char *ns, const char *name,
                          int32_t force, int64_t now, muster_error **error);
/* Carries out a command, or a list of them in order, each all or nothing. `answers` is the answer
 * to one command, or a list. Where a command of a list is refused, those before it have happened
 * and `answers` has theirs, also with the error. */
muster_code muster_do(muster_engine *engine, const char *json, size_t size, int64_t now,
                      muster_bytes **answers, muster_error **error);
/* What a command, or a list of them, would change: {"changes":[{"workload","change","clusterQueue",
 * "detail"},...],"different","same"}. Both courses run until idle on copies; the engine stays as it
 * is. A command that is refused makes the whole an error. */
muster_code muster_what_if(muster_engine *engine, const char *json, size_t size, int64_t now,
                           muster_bytes **answer, muster_error **error);
/* When workloads of a ledger that wait will start, as `muster eta -o json` prints it. `json` says
 * which and how: {"workloads": ["ns/name"], "futures": 39, "questions": 40, "arrivals": true}; what
 * is left out is as here, and without workloads it is all that wait. NULL: nothing is said. */
muster_code muster_eta(muster_engine *engine, const char *json, size_t size, int64_t now,
                       muster_bytes **answer, muster_error **error);
/* The ledger keeps this name beside each command from now on; "" or NULL: none. At most 255 bytes
 * of UTF-8 without control characters. An engine in memory keeps no commands, and refuses it. */
muster_code muster_set_caller(muster_engine *engine, const char *caller, muster_error **error);
/* JSON Schema of commands and answers. */
muster_code muster_schema(muster_bytes **schema, muster_error **error);

/* What keeps the owner of ClusterQueue `queue`, or LocalQueue "namespace/name", from applying these
 * manifests: an owner binds policies that order and hold the jobs of that queue alone. The engine
 * knows no users; ask this before muster_apply. Changes nothing. */
muster_code muster_check_owner(muster_engine *engine, const char *queue, const char *yaml,
                               size_t size, const char *name, muster_error **error);

/* Writes what admission gave into the object of a workload: `yaml` is the manifest that it was
 * submitted from, with its JobKind or runtime, if it has one. `json`: {"workload", "objects":
 * [{"patch", "object"}]}, a merge patch and the whole object; pods of a group one by one. */
muster_code muster_start_patch(muster_engine *engine, const char *ns, const char *workload,
                               const char *yaml, size_t size, const char *name,
                               muster_bytes **json, muster_error **error);

/* The way back: `yaml` holds objects of job kinds with the status that their own controllers wrote,
 * and the engine is told what it says of their workloads. Where one has none, nothing is told;
 * telling it twice changes nothing. `json`: {"objects": [{"kind": "Workload", "name", "result"}]},
 * results being finished, failed, evicted, reclaimed, ready, not ready, unchanged, waits of a
 * pod group that has lost a pod before it had all, and cannot start of an object that contradicts
 * its admission, whose workload ends. */
muster_code muster_observe(muster_engine *engine, const char *yaml, size_t size, const char *name,
                           int64_t now, muster_bytes **json, muster_error **error);

/* What workloads of one kind have in common, from the manifest of a Workload or a Job. */
muster_code muster_shape_parse(const char *yaml, size_t size, const char *name,
                               muster_shape **shape, muster_error **error);
void muster_shape_free(muster_shape *shape);

/* The calls of every day, in batches; each batch is all or nothing. A report that may come late
 * gives the uid of its job beside the name: the name may be another job's by then. */
/* Queues workloads; one that is there with the same spec is left alone. `created`: how many were
 * not. */
muster_code muster_submit(muster_engine *engine, const muster_job *jobs, size_t count, int64_t now,
                          size_t *created, muster_error **error);
/* They ended. One that has ended already is left alone. */
muster_code muster_finish(muster_engine *engine, const muster_name *workloads, size_t count,
                          int32_t failed, int64_t now, muster_error **error);
/* The pods of these, which were told to stop, are gone. */
muster_code muster_evicted(muster_engine *engine, const muster_name *workloads, size_t count,
                           int64_t now, muster_error **error);
/* They were withdrawn, and are to be forgotten. */
muster_code muster_cancel(muster_engine *engine, const muster_name *workloads, size_t count,
                          int64_t now, muster_error **error);
/* Their pods are all ready, or (ready 0) no longer. */
muster_code muster_ready(muster_engine *engine, const muster_name *workloads, size_t count,
                         int32_t ready, int64_t now, muster_error **error);
/* Orders an eviction; `reason` is one word. */
muster_code muster_evict(muster_engine *engine, const char *ns, const char *name,
                         const char *reason, int64_t now, muster_error **error);
/* The same of the job of that uid. */
muster_code muster_evict_job(muster_engine *engine, const muster_name *workload, const char *reason,
                             int64_t now, muster_error **error);
/* Changes what may change of a workload: priority, active, sizes, gates, its checkpoint. */
muster_code muster_update(muster_engine *engine, const muster_changes *changes, int64_t now,
                          muster_error **error);
/* An admission check answers. `phase`: what the workload is now. */
muster_code muster_check(muster_engine *engine, const char *ns, const char *name, const char *check,
                         int32_t state, const char *message, int64_t now, int32_t *phase,
                         muster_error **error);
/* The same about the job of that uid. */
muster_code muster_check_job(muster_engine *engine, const muster_name *workload, const char *check,
                             int32_t state, const char *message, int64_t now, int32_t *phase,
                             muster_error **error);

/* ---- time and decisions ---- */

/* One cycle. `answer`, where wanted: {"answer":"cycle",...}. */
muster_code muster_run_cycle(muster_engine *engine, int64_t now, muster_cycle *cycle,
                             muster_bytes **answer, muster_error **error);
/* Does what is due without deciding. */
muster_code muster_advance(muster_engine *engine, int64_t now, muster_error **error);
/* When the next time limit or backoff ends; INT64_MIN when none runs. */
muster_code muster_next_deadline(muster_engine *engine, int64_t *at, muster_error **error);

/* Decisions are numbered and kept for `consumer` from now on, behind number `after`, or with a
 * negative one behind the newest. One that is known is left where it is. */
muster_code muster_register_consumer(muster_engine *engine, const char *consumer, int64_t after,
                                     int64_t now, muster_cursor *cursor, muster_error **error);
/* It has acted on all decisions up to number `upto`. A cursor never goes back. */
muster_code muster_acknowledge(muster_engine *engine, const char *consumer, int64_t upto,
                               int64_t now, muster_cursor *cursor, muster_error **error);
muster_code muster_remove_consumer(muster_engine *engine, const char *consumer, int64_t now,
                                   muster_error **error);

/* At most `limit` decisions behind the cursor of `consumer`. Where there is none yet, waits up to
 * `wait_ms` (0: not at all, negative: without end) for one; none is an answer too. All are on
 * disk. */
muster_code muster_decisions_of(muster_engine *engine, const char *consumer, size_t limit,
                                int64_t wait_ms, muster_decisions **decisions,
                                muster_error **error);
/* The same behind number `after`. */
muster_code muster_decisions_after(muster_engine *engine, int64_t after, size_t limit,
                                   int64_t wait_ms, muster_decisions **decisions,
                                   muster_error **error);
/* Ends all that is waiting on this engine now, as if its time were over. */
void muster_wake(muster_engine *engine);
size_t muster_decisions_count(const muster_decisions *decisions);
/* An array in the order of numbers; NULL when there is none. */
const muster_decision *muster_decisions_data(const muster_decisions *decisions);
int64_t muster_decisions_last(const muster_decisions *decisions); /* the newest number given */
/* Where the pods of `pod_set` of decision `index` go, both from 0; NULL where that is not said. A
 * start of a job whose pods run already, by the uid, moves those whose places are others now: a
 * node failed. */
const muster_topology *muster_decisions_topology(const muster_decisions *decisions, size_t index,
                                                 size_t pod_set);
/* {"answer":"decisions",...} */
muster_code muster_decisions_json(const muster_decisions *decisions, muster_bytes **json,
                                  muster_error **error);
void muster_decisions_free(muster_decisions *decisions);

/* ---- ahead of the disk ---- */

/* With a pipeline the disk takes one call while the engine computes the next, and one write of the
 * disk stores several: for gateways with more to decide than a disk confirms one after another.
 * muster_submit, _finish, _evicted, _cancel, _ready, _evict, _advance and _acknowledge return
 * before what they did is on disk; so do _do, _check and _run_cycle where no answer or phase is
 * asked for. All others wait for what was called before, and decisions are handed out when they
 * are on disk. At most `in_flight` calls (0: 8) are ahead. When the disk fails, so does every call
 * from then on: open the ledger again, and go on from what was stored. Not for an engine in
 * memory. */
muster_code muster_pipeline_start(muster_engine *engine, size_t in_flight, muster_error **error);
/* Waits until all is on disk; from then on every call is when it returns. */
muster_code muster_pipeline_stop(muster_engine *engine, muster_error **error);
/* Stands behind every call on this engine that has returned; never goes back. */
muster_code muster_pipeline_ticket(muster_engine *engine, int64_t *ticket, muster_error **error);
/* Waits until all before `ticket` is on disk; other threads call meanwhile. */
muster_code muster_pipeline_wait(muster_engine *engine, int64_t ticket, muster_error **error);
/* `stored`: 1 where muster_pipeline_wait would return at once. */
muster_code muster_pipeline_stored(muster_engine *engine, int64_t ticket, int32_t *stored,
                                   muster_error **error);

/* ---- reading ---- */

/* What `muster get KIND -o json` prints: one object where `name` is given, else a List. `kind` as
 * there ("workloads", "cq", "accounts", "consumers", ...). `ns`, `states` ("pending,parked") and
 * `sort` ("created") may be NULL. */
muster_code muster_get(muster_engine *engine, const char *kind, const char *ns, const char *name,
                       const char *states, const char *sort, muster_bytes **json,
                       muster_error **error);
/* Why the workload waits, as `muster explain -o json` has it. */
muster_code muster_explain(muster_engine *engine, const char *ns, const char *name,
                           muster_bytes **json, muster_error **error);
muster_code muster_phase(muster_engine *engine, const char *ns, const char *name, int32_t *phase,
                         muster_error **error);

/* What the pods of a workload with quota get at start, for a program that makes them itself:
 * {"podSets": [{"name", "labels", "annotations", "nodeSelector", "tolerations"}]}, as podSetUpdates
 * of docs/wire.md. muster_start_patch writes it into an object. MUSTER_FAILED_PRECONDITION without
 * quota. */
muster_code muster_pod_set_updates(muster_engine *engine, const char *ns, const char *name,
                                   muster_bytes **json, muster_error **error);
/* What one pod of each podset is charged for, with the defaults of its namespace and the overhead
 * of its runtime: {"podSets": [{"name", "requests": {"cpu": "500m"}}]}. */
muster_code muster_pod_requests(muster_engine *engine, const char *ns, const char *name,
                                muster_bytes **json, muster_error **error);
/* What a verb prints that reads and changes nothing: "usage", "policy list", "describe", "eta
 * calibration", "defrag", "test", "ledger query", "ledger export" and so on; an unknown verb is
 * told all. Tests that fail are no error: the answer says so. `json` has its options under their
 * long names, as muster_simulate takes them: {"db": "cluster.ledger", "since": "2026-03-01", "by":
 * "user"}; "arguments" is a list of the words before the options. The ledger may be open, here too:
 * what is on disk is read. `answer` is JSON as of `muster VERB -o json`; of "convert" a list, of
 * "ledger export" JSON Lines, the history. */
muster_code muster_report(const char *verb, const char *json, size_t size, muster_bytes **answer,
                          muster_error **error);

/* ---- policies ---- */

/* Reads, checks and loads the package in `folder`. `params`: a JSON object of texts, or NULL. */
muster_code muster_policy_check(const char *folder, const char *params, muster_bytes **info,
                                muster_error **error);
/* Runs the tests of the package; `report` as `muster policy test -o json`. `failed`: how many. */
muster_code muster_policy_test(const char *folder, muster_bytes **report, size_t *failed,
                               muster_error **error);
/* Stores the package and makes it the active generation. `answer`: {"answer":"activated",...}. */
muster_code muster_policy_activate(muster_engine *engine, const char *folder, const char *params,
                                   const char *by, const char *why, int64_t now,
                                   muster_bytes **answer, muster_error **error);
/* Checks the package, runs its tests, and asks its hooks about what the engine holds now, as
 * `muster policy activate` does first. Nothing decides otherwise; other calls go on meanwhile, and
 * what came of its tests and of asking is an event; a package that does not load leaves none. One
 * that passes is kept until another passes or it is activated.
 * `info`: as muster_policy_check, and "doubt", why its tests show nothing, or "". */
muster_code muster_policy_stage(muster_engine *engine, const char *folder, const char *params,
                                const char *by, const char *why, int64_t now, muster_bytes **info,
                                muster_error **error);
/* Makes what was staged the active generation, as it was tried; its folder is not read again.
 * `hash`: that of `info`; MUSTER_FAILED_PRECONDITION where another one is staged, or none. */
muster_code muster_policy_activate_staged(muster_engine *engine, const char *hash, const char *by,
                                          const char *why, int64_t now, muster_bytes **answer,
                                          muster_error **error);
/* Undoes the newest activation; of an engine in memory, the newest of this handle. */
muster_code muster_policy_roll_back(muster_engine *engine, const char *by, const char *why,
                                    int64_t now, muster_error **error);
/* From now on cycles compare what the package would decide; NULL ends that. */
muster_code muster_policy_shadow(muster_engine *engine, const char *folder, const char *params,
                                 muster_error **error);
/* What the comparison has found: cycles, differences, the first ones of them. */
muster_code muster_policy_shadow_report(muster_engine *engine, muster_bytes **json,
                                        muster_error **error);

/* ---- scenarios ---- */

/* Plays a scenario on an engine of its own and compares it with its expectations. `report`: JSON as
 * `muster test -o json`. `failed`: how many of its cycles, or 1 where it could not be played. */
muster_code muster_scenario(const char *yaml, size_t size, const char *name, muster_bytes **report,
                            size_t *failed, muster_error **error);

/* ---- the lab ---- */

/* Plays a log of jobs under policies, as `muster simulate` does. `json` has its options under their
 * long names, "warmUp" for --warm-up: {"filename": ["cluster.yaml"], "jobs": "log.csv", "policy":
 * ["native", "policies/aging"]}. `answer` is what `muster simulate -o json` prints. Files are read
 * and, with "report" and "eachJob", written where the process is. Blocks; any thread may call. */
muster_code muster_simulate(const char *json, size_t size, muster_bytes **answer,
                            muster_error **error);
/* The past of a ledger once more, as `muster backtest` does: {"db": "cluster.ledger", "policy":
 * ["policies/aging"], "since": "2026-10-01T00:00:00Z"}. The ledger may be open. */
muster_code muster_backtest(const char *json, size_t size, muster_bytes **answer,
                            muster_error **error);

/* muster.h: core ends */

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif /* MUSTER_BINDINGS_C_INCLUDE_MUSTER_H_ */
