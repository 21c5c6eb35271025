/* Makes every call of muster.h, most of them with success, and frees all: for memcheck.
 *
 *   every_call FOLDER POLICY CLUSTER JOBS
 *
 * FOLDER is empty and written to; POLICY is a package with tests; CLUSTER and JOBS are of a
 * simulation. Ends with 1 where a call comes out otherwise than it should. */
#include <stdio.h>
#include <string.h>

#include "muster.h"

#define NOON INT64_C(1767268800000000000)
#define TEXT(text) text, strlen(text)

static const char* const queues =
    "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: default}}\n"
    "---\n"
    "{apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: budget},\n"
    " spec: {controllerName: finance}}\n"
    "---\n"
    "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: queue},\n"
    " spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [\n"
    "  {name: default, resources: [{name: cpu, nominalQuota: 4}]}]}]}}\n"
    "---\n"
    "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: checked},\n"
    " spec: {namespaceSelector: {}, admissionChecksStrategy: {admissionChecks: [{name: budget}]},\n"
    "  resourceGroups: [{coveredResources: [cpu], flavors: [\n"
    "   {name: default, resources: [{name: cpu, nominalQuota: 4}]}]}]}}\n"
    "---\n"
    "{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue,\n"
    " metadata: {name: jobs, namespace: team}, spec: {clusterQueue: queue}}\n"
    "---\n"
    "{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue,\n"
    " metadata: {name: checked, namespace: team}, spec: {clusterQueue: checked}}\n";
static const char* const job =
    "{apiVersion: batch/v1, kind: Job, metadata: {name: train, namespace: team,\n"
    "  labels: {kueue.x-k8s.io/queue-name: jobs}}, spec: {template: {spec: {\n"
    "  restartPolicy: Never, containers: [{name: main, image: none,\n"
    "  resources: {requests: {cpu: 1}}}]}}}}\n";
static const char* const done =
    "{apiVersion: batch/v1, kind: Job, metadata: {name: train, namespace: team, uid: u1,\n"
    "  labels: {kueue.x-k8s.io/queue-name: jobs}}, spec: {template: {spec: {\n"
    "  restartPolicy: Never, containers: [{name: main, image: none,\n"
    "  resources: {requests: {cpu: 1}}}]}}}, status: {conditions: [{type: Complete,\n"
    "  status: \"True\", reason: CompletionsReached, message: done}]}}\n";

static int wrong = 0;
static muster_bytes* bytes = NULL;
static muster_error* error = NULL;

/* Notes a call that comes out otherwise, and frees what it handed out. */
static void expect(muster_code wanted, muster_code code, const char* call) {
  if (code != wanted) {
    fprintf(stderr, "%s: %s, not %s: %s\n", call, muster_code_name(code), muster_code_name(wanted),
            error == NULL ? "" : muster_error_message(error));
    wrong = 1;
  }
  if (bytes != NULL && strlen(muster_bytes_data(bytes)) != muster_bytes_size(bytes)) wrong = 1;
  muster_bytes_free(bytes);
  bytes = NULL;
  muster_error_free(error);
  error = NULL;
}
#define GOES(call) expect(MUSTER_OK, call, #call)
#define IS(code, call) expect(code, call, #call)

static void count_message(void* context, int32_t level, const char* message, size_t size) {
  (void)level;
  if (strlen(message) == size) ++*(int*)context;
}

static muster_engine* opened(const char* path) {
  muster_options options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.allow_time_jump = 1;
  options.relaxed = 1;
  muster_engine* engine = NULL;
  GOES(path == NULL ? muster_open_memory(&options, &engine, &error)
                    : muster_open(path, &options, &engine, &error));
  return engine;
}

static muster_name named(const char* name) {
  muster_name each;
  memset(&each, 0, sizeof each);
  each.size = sizeof each;
  each.ns = "team";
  each.name = name;
  return each;
}

/* Queues a job of one pod. */
static void submit(muster_engine* engine, const muster_shape* shape, const char* queue,
                   const char* name) {
  muster_job each;
  size_t created = 0;
  memset(&each, 0, sizeof each);
  each.size = sizeof each;
  each.shape = shape;
  each.ns = "team";
  each.name = name;
  each.queue = queue;
  GOES(muster_submit(engine, &each, 1, NOON, &created, &error));
  if (created != 1) wrong = 1;
  muster_bytes* warnings = NULL;
  GOES(muster_submit_warned(engine, &each, 1, NOON, &created, &warnings, &error));
  if (created != 0 || warnings != NULL) wrong = 1;
}

static void run(muster_engine* engine) {
  muster_cycle cycle;
  memset(&cycle, 0, sizeof cycle);
  cycle.size = sizeof cycle;
  do {
    GOES(muster_run_cycle(engine, NOON, &cycle, &bytes, &error));
  } while (!cycle.at_rest);
}

static void say_what_is_wrong(muster_engine* engine) {
  static const char* const bad = "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueu}";
  if (muster_validate(engine, TEXT(bad), "bad.yaml", MUSTER_REFUSE, &error) == MUSTER_OK) wrong = 1;
  for (size_t i = 0; i < muster_error_count(error); ++i) {
    if (*muster_error_what(error, i) == '\0' || muster_error_place(error, i) == NULL ||
        muster_error_cure(error, i) == NULL) {
      wrong = 1;
    }
  }
  expect(MUSTER_INVALID_ARGUMENT, muster_error_code(error), "muster_validate");
}

static void play_a_day(muster_engine* engine) {
  muster_shape* shape = NULL;
  muster_cursor cursor;
  muster_changes changes;
  const muster_name a = named("a"), b = named("b"), c = named("c");
  int32_t phase = 0;
  int64_t at = 0;
  memset(&cursor, 0, sizeof cursor);
  cursor.size = sizeof cursor;
  memset(&changes, 0, sizeof changes);
  changes.size = sizeof changes;
  changes.ns = "team";
  changes.name = "b";
  changes.has_priority = 1;
  changes.priority = 3;
  GOES(muster_apply(engine, TEXT(queues), "queues", MUSTER_REFUSE, NOON, &bytes, &error));
  GOES(muster_register_consumer(engine, "gateway", 0, NOON, &cursor, &error));
  GOES(muster_shape_parse(TEXT(job), "job", &shape, &error));
  submit(engine, shape, "jobs", "a");
  submit(engine, shape, "jobs", "b");
  submit(engine, shape, "checked", "c");
  GOES(muster_update(engine, &changes, NOON, &error));
  GOES(muster_advise(engine, TEXT(job), "job", MUSTER_REFUSE, &bytes, &error));
  GOES(muster_check_owner(engine, "queue", TEXT(""), "none", &error));
  run(engine);
  GOES(muster_check(engine, "team", "c", "budget", MUSTER_CHECK_PENDING, "", NOON, &phase, &error));
  GOES(muster_check_job(engine, &c, "budget", MUSTER_CHECK_READY, "", NOON, &phase, &error));
  if (phase != MUSTER_PHASE_ADMITTED) wrong = 1;
  GOES(muster_pod_requests(engine, "team", "a", &bytes, &error));
  GOES(muster_pod_set_updates(engine, "team", "a", &bytes, &error));
  GOES(muster_explain(engine, "team", "a", &bytes, &error));
  GOES(muster_get(engine, "workloads", "team", NULL, "admitted", "created", &bytes, &error));
  GOES(muster_what_if(engine, TEXT("{\"command\":\"cycle\"}"), NOON, &bytes, &error));
  GOES(muster_ready(engine, &a, 1, 1, NOON, &error));
  GOES(muster_evict(engine, "team", "b", "Maintenance", NOON, &error));
  GOES(muster_evict_job(engine, &b, "Maintenance", NOON, &error));
  GOES(muster_evicted(engine, &b, 1, NOON, &error));
  GOES(muster_finish(engine, &a, 1, 0, NOON, &error));
  GOES(muster_cancel(engine, &c, 1, NOON, &error));
  GOES(muster_phase(engine, "team", "a", &phase, &error));
  GOES(muster_apply(engine, TEXT(job), "job", MUSTER_REFUSE, NOON, NULL, &error));
  run(engine);
  GOES(muster_start_patch(engine, "team", "job-train", TEXT(job), "job", &bytes, &error));
  GOES(muster_observe(engine, TEXT(done), "job", NOON, &bytes, &error));
  GOES(muster_do(engine, TEXT("[{\"command\":\"advance\"}]"), NOON, &bytes, &error));
  GOES(muster_advance(engine, NOON, &error));
  GOES(muster_next_deadline(engine, &at, &error));
  GOES(muster_check_time(engine, NOON, &error));
  GOES(muster_acknowledge(engine, "gateway", 1, NOON, &cursor, &error));
  GOES(muster_delete(engine, "lq", "team", "checked", 0, NOON, &error));
  GOES(muster_state_hash(engine, &bytes, &error));
  GOES(muster_check_invariants(engine, &error));
  GOES(muster_closed(engine, &error));
  muster_shape_free(shape);
}

static void hand_over(muster_engine* engine) {
  muster_decisions* told = NULL;
  muster_wake(engine);
  GOES(muster_decisions_after(engine, 1, 2, 0, &told, &error));
  if (told == NULL) return;
  if (muster_decisions_count(told) != 2 || muster_decisions_last(told) < 3) wrong = 1;
  if (muster_decisions_topology(told, 0, 0) != NULL) wrong = 1;
  if (*muster_decision_kind(muster_decisions_data(told)->kind) == '\0') wrong = 1;
  muster_decisions_free(told);
  GOES(muster_decisions_of(engine, "gateway", 100, 0, &told, &error));
  if (told == NULL) return;
  GOES(muster_decisions_json(told, &bytes, &error));
  muster_decisions_free(told);
  GOES(muster_remove_consumer(engine, "gateway", NOON, &error));
}

/* The hash in {"hash": "..."}, into `hash`. */
static void find_hash(const char* json, char* hash, size_t room) {
  const char* mark = strstr(json, "\"hash\": \"");
  const char* begin = mark == NULL ? "" : mark + strlen("\"hash\": \"");
  snprintf(hash, room, "%.*s", (int)strcspn(begin, "\""), begin);
}

static void use_policies(muster_engine* engine, const char* folder) {
  char hash[128];
  size_t failed = 0;
  GOES(muster_policy_check(folder, NULL, &bytes, &error));
  GOES(muster_policy_test(folder, &bytes, &failed, &error));
  GOES(muster_policy_activate(engine, folder, NULL, "me", "why", NOON, &bytes, &error));
  GOES(muster_policy_roll_back(engine, "me", "why", NOON, &error));
  const muster_code staged =
      muster_policy_stage(engine, folder, NULL, "me", "why", NOON, &bytes, &error);
  find_hash(bytes == NULL ? "" : muster_bytes_data(bytes), hash, sizeof hash);
  IS(MUSTER_OK, staged);
  GOES(muster_policy_activate_staged(engine, hash, "me", "why", NOON, &bytes, &error));
  GOES(muster_policy_shadow(engine, folder, NULL, &error));
  run(engine);
  GOES(muster_policy_shadow_report(engine, &bytes, &error));
  GOES(muster_policy_shadow(engine, NULL, NULL, &error));
}

static void use_the_ledger(muster_engine* engine, const char* ledger) {
  char json[600];
  int64_t number = 0;
  int32_t stored = 0;
  muster_engine* other = NULL;
  GOES(muster_set_caller(engine, "me", &error));
  GOES(muster_last_time(engine, &number, &error));
  GOES(muster_pipeline_start(engine, 4, &error));
  GOES(muster_advance(engine, NOON, &error));
  GOES(muster_pipeline_ticket(engine, &number, &error));
  GOES(muster_pipeline_wait(engine, number, &error));
  GOES(muster_pipeline_stored(engine, number, &stored, &error));
  if (stored != 1) wrong = 1;
  GOES(muster_pipeline_stop(engine, &error));
  GOES(muster_eta(engine, TEXT("{\"futures\":2,\"questions\":1}"), NOON, &bytes, &error));
  GOES(muster_read_ledger(ledger, &other, &error));
  GOES(muster_close(other, &error));
  GOES(muster_copy(engine, &other, &error));
  GOES(muster_close(other, &error));
  snprintf(json, sizeof json, "{\"db\":\"%s\"}", ledger);
  GOES(muster_report("usage", TEXT(json), &bytes, &error));
  GOES(muster_backtest(TEXT(json), &bytes, &error));
}

static void simulate(const char* cluster, const char* jobs) {
  static const char* const scenario = "steps: [{cycle: 1, expect: {admitted: {}}}]";
  char json[1200];
  size_t failed = 0;
  snprintf(json, sizeof json, "{\"filename\":[\"%s\"],\"jobs\":\"%s\",\"first\":20}", cluster,
           jobs);
  GOES(muster_simulate(TEXT(json), &bytes, &error));
  GOES(muster_scenario(TEXT(scenario), "scenario", &bytes, &failed, &error));
}

int main(int count, char** words) {
  char ledger[400];
  int messages = 0;
  if (count != 5) return 2;
  if (muster_abi_version() == 0 || *muster_version() == '\0' || muster_now() <= 0) return 1;
  muster_set_log_level(MUSTER_DEBUG);
  muster_set_log_sink(count_message, &messages);
  GOES(muster_schema(&bytes, &error));
  snprintf(ledger, sizeof ledger, "%s/ledger", words[1]);
  muster_engine* engine = opened(NULL);
  say_what_is_wrong(engine);
  play_a_day(engine);
  use_policies(engine, words[2]);
  GOES(muster_close(engine, &error));
  engine = opened(ledger);
  play_a_day(engine);
  hand_over(engine);
  use_policies(engine, words[2]);
  use_the_ledger(engine, ledger);
  GOES(muster_close(engine, &error));
  simulate(words[3], words[4]);
  muster_set_log_sink(NULL, NULL);
  return wrong == 0 && messages > 0 ? 0 : 1;
}
