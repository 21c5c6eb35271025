/* Says of each job why it waits, in C: five submitters are answered with one write of the disk, a
 * loop listens to decisions behind a number that it keeps itself, and asks why the others wait.
 *
 *   why LEDGER QUEUES.yaml
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "muster.h"

#define SECOND INT64_C(1000000000)
#define NINE (INT64_C(1767258000) * SECOND) /* 2026-01-01T09:00:00Z */
#define JOBS 5
#define HUGE 4 /* the number of the job that can never start */

static const char *const names[JOBS] = {"build", "sweep", "train", "report", "huge"};
static const int32_t cpus[JOBS] = {1, 2, 4, 1, 9};

static const char *shape_yaml =
    "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload,\n"
    " metadata: {namespace: team-a, name: shape}, spec: {queueName: jobs, podSets: [\n"
    "  {name: main, count: 1, template: {spec: {restartPolicy: Never,\n"
    "   containers: [{name: main, image: none, resources: {requests: {cpu: 1}}}]}}}]}}\n";

static void check(muster_code code, muster_error **error) {
  if (code == MUSTER_OK) return;
  fprintf(stderr, "%s: %s\n", muster_code_name(code), muster_error_message(*error));
  muster_error_free(*error);
  exit(1);
}

static void apply(muster_engine *engine, const char *path) {
  static char yaml[65536];
  muster_error *error = NULL;
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  const size_t size = fread(yaml, 1, sizeof yaml, file);
  fclose(file);
  check(muster_apply(engine, yaml, size, path, MUSTER_REFUSE, NINE, NULL, &error), &error);
}

/* A call for each submitter, as requests come. None waits for the disk; then all do, once: only now
 * may they be told that their jobs are there. */
static void submit(muster_engine *engine) {
  muster_error *error = NULL;
  muster_shape *shape = NULL;
  int64_t ticket = 0;
  check(muster_shape_parse(shape_yaml, strlen(shape_yaml), "shape", &shape, &error), &error);
  for (int i = 0; i < JOBS; ++i) {
    muster_job job;
    memset(&job, 0, sizeof job);
    job.size = sizeof job;
    job.shape = shape;
    job.ns = "team-a";
    job.name = names[i];
    job.count = cpus[i];
    check(muster_submit(engine, &job, 1, NINE, NULL, &error), &error);
  }
  muster_shape_free(shape);
  check(muster_pipeline_ticket(engine, &ticket, &error), &error);
  check(muster_pipeline_wait(engine, ticket, &error), &error);
  printf("%d jobs are on disk\n", JOBS);
}

static void cycles(muster_engine *engine) {
  muster_error *error = NULL;
  muster_cycle cycle;
  memset(&cycle, 0, sizeof cycle);
  cycle.size = sizeof cycle;
  do {
    check(muster_run_cycle(engine, NINE, &cycle, NULL, &error), &error);
  } while (!cycle.at_rest);
}

/* Prints the text of a field; the answers are written by a program, a field a line. */
static void print_field(const char *json, const char *field) {
  const char *at = strstr(json, field);
  if (at == NULL) return;
  at += strlen(field);
  printf("%.*s", (int)strcspn(at, "\""), at);
}

static void why(muster_engine *engine, const char *name) {
  muster_error *error = NULL;
  muster_bytes *json = NULL;
  int32_t phase = 0;
  check(muster_phase(engine, "team-a", name, &phase, &error), &error);
  if (phase != MUSTER_PHASE_PENDING) return;
  check(muster_explain(engine, "team-a", name, &json, &error), &error);
  printf("  ");
  print_field(muster_bytes_data(json), "\"verdict\": \"");
  printf("\n");
  muster_bytes_free(json);
}

/* The uid of the decision says which job is meant, for its name may be another's by then, and its
 * run which start of it. */
static void finish(muster_engine *engine, const muster_decision *started) {
  muster_error *error = NULL;
  muster_name ended;
  memset(&ended, 0, sizeof ended);
  ended.size = sizeof ended;
  ended.ns = "team-a";
  ended.name = started->name;
  ended.uid = started->uid;
  ended.run = started->run;
  check(muster_finish(engine, &ended, 1, 0, NINE, &error), &error);
}

/* What was decided behind number `after`; what was started ends at once here. Returns the newest
 * number: where it is the old one, nothing was decided. */
static int64_t listen(muster_engine *engine, int64_t after) {
  muster_error *error = NULL;
  muster_decisions *decisions = NULL;
  check(muster_decisions_after(engine, after, 100, 0, &decisions, &error), &error);
  const muster_decision *all = muster_decisions_data(decisions);
  const size_t count = muster_decisions_count(decisions);
  for (size_t i = 0; i < count; ++i) {
    printf("%lld %s %s\n", (long long)all[i].number, muster_decision_kind(all[i].kind),
           all[i].name);
    after = all[i].number;
  }
  for (int i = 0; i < JOBS; ++i) why(engine, names[i]);
  for (size_t i = 0; i < count; ++i) finish(engine, &all[i]);
  muster_decisions_free(decisions);
  return after;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "why LEDGER QUEUES.yaml\n");
    return 1;
  }
  muster_options options;
  muster_engine *engine = NULL;
  muster_error *error = NULL;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.allow_time_jump = 1; /* this day is long ago */
  check(muster_open(argv[1], &options, &engine, &error), &error);
  apply(engine, argv[2]);
  check(muster_register_consumer(engine, "log", -1, NINE, NULL, &error), &error);
  check(muster_pipeline_start(engine, 16, &error), &error);
  submit(engine);
  int64_t heard = 0;
  for (int64_t before = -1; heard != before;) {
    before = heard;
    cycles(engine);
    heard = listen(engine, heard);
    check(muster_acknowledge(engine, "log", heard, NINE, NULL, &error), &error);
  }
  check(muster_pipeline_stop(engine, &error), &error);
  check(muster_close(engine, &error), &error);
  printf("all but %s are over\n", names[HUGE]);
  return 0;
}
