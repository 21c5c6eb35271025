/* A gateway in C: it submits jobs, acts on decisions by their numbers, and dies between two of them
 * when it is told to. What it knows after a start comes from the ledger alone.
 *
 *   gateway LEDGER QUEUES.yaml [NUMBER]    dies after acting on that decision
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "muster.h"

#define SECOND INT64_C(1000000000)
#define NINE (INT64_C(1767258000) * SECOND) /* 2026-01-01T09:00:00Z */
/* What a report says beside the name, which may be another job's by then. A gateway makes one for
 * each job, or takes that of the decision. Of jobs of the same second the smaller comes first. */
#define SWEEP_UID "2026-01-01-0001"
#define TRAIN_UID "2026-01-01-0002"

static const char *job_yaml =
    "apiVersion: batch/v1\n"
    "kind: Job\n"
    "metadata:\n"
    "  namespace: team-a\n"
    "  name: shape\n"
    "  labels: {kueue.x-k8s.io/queue-name: jobs}\n"
    "spec:\n"
    "  template:\n"
    "    spec:\n"
    "      restartPolicy: Never\n"
    "      containers:\n"
    "      - {name: main, image: none, resources: {requests: {cpu: 1}}}\n";

/* Ends the program where a call was refused. The error comes by its address: C may read the
 * arguments before it makes the call that stands among them. */
static void check(muster_code code, muster_error **error) {
  if (code == MUSTER_OK) return;
  fprintf(stderr, "%s: %s\n", muster_code_name(code), muster_error_message(*error));
  muster_error_free(*error);
  exit(1);
}

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *text = malloc(65536);
  if (file == NULL || text == NULL) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  *size = fread(text, 1, 65536, file);
  fclose(file);
  return text;
}

static muster_engine *open_ledger(const char *path) {
  muster_options options;
  muster_engine *engine = NULL;
  muster_error *error = NULL;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.allow_time_jump = 1; /* this day is long ago */
  check(muster_open(path, &options, &engine, &error), &error);
  return engine;
}

static void apply(muster_engine *engine, const char *path) {
  muster_error *error = NULL;
  size_t size = 0;
  char *yaml = read_file(path, &size);
  check(muster_apply(engine, yaml, size, path, MUSTER_REFUSE, NINE, NULL, &error), &error);
  free(yaml);
}

/* Saying it again after a crash changes nothing. */
static void submit(muster_engine *engine) {
  muster_error *error = NULL;
  muster_shape *shape = NULL;
  muster_job jobs[2];
  memset(jobs, 0, sizeof jobs);
  check(muster_shape_parse(job_yaml, strlen(job_yaml), "job", &shape, &error), &error);
  jobs[0].size = jobs[1].size = sizeof *jobs;
  jobs[0].shape = jobs[1].shape = shape;
  jobs[0].ns = jobs[1].ns = "team-a";
  jobs[0].name = "sweep";
  jobs[0].uid = SWEEP_UID;
  jobs[0].count = 3;
  jobs[1].name = "train";
  jobs[1].uid = TRAIN_UID;
  jobs[1].count = 4;
  jobs[0].created = jobs[1].created = NINE;
  check(muster_submit(engine, jobs, 2, NINE, NULL, &error), &error);
  muster_shape_free(shape);
}

static void cycles(muster_engine *engine, int64_t now) {
  muster_error *error = NULL;
  muster_cycle cycle;
  memset(&cycle, 0, sizeof cycle);
  cycle.size = sizeof cycle;
  do {
    check(muster_run_cycle(engine, now, &cycle, NULL, &error), &error);
  } while (!cycle.at_rest);
}

/* Here pods would be started and stopped. Then the decision is acknowledged. */
static void act(muster_engine *engine, const muster_decision *decision, int64_t dies_after) {
  muster_error *error = NULL;
  printf("%lld %s %s", (long long)decision->number, muster_decision_kind(decision->kind),
         decision->name);
  for (size_t i = 0; i < decision->pod_set_count; ++i) {
    printf(": %d pods on %s", (int)decision->pod_sets[i].count,
           decision->pod_sets[i].flavors[0].flavor);
  }
  printf("\n");
  fflush(stdout);
  if (decision->number == dies_after) _Exit(137);
  check(muster_acknowledge(engine, "gateway", decision->number, NINE, NULL, &error), &error);
}

/* All decisions that were not acknowledged; returns how many. */
static size_t take_over(muster_engine *engine, int64_t dies_after) {
  muster_error *error = NULL;
  muster_decisions *decisions = NULL;
  check(muster_decisions_of(engine, "gateway", 100, 0, &decisions, &error), &error);
  const size_t count = muster_decisions_count(decisions);
  const muster_decision *all = muster_decisions_data(decisions);
  for (size_t i = 0; i < count; ++i) act(engine, &all[i], dies_after);
  muster_decisions_free(decisions);
  return count;
}

static void finish(muster_engine *engine, const char *name, const char *uid) {
  muster_error *error = NULL;
  muster_name gone;
  memset(&gone, 0, sizeof gone);
  gone.size = sizeof gone;
  gone.ns = "team-a";
  gone.name = name;
  gone.uid = uid;
  check(muster_finish(engine, &gone, 1, 0, NINE, &error), &error);
  printf("%s is over\n", name);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "gateway LEDGER QUEUES.yaml [NUMBER]\n");
    return 1;
  }
  const int64_t dies_after = argc > 3 ? strtoll(argv[3], NULL, 10) : -1;
  muster_error *error = NULL;
  muster_engine *engine = open_ledger(argv[1]);
  apply(engine, argv[2]);
  check(muster_register_consumer(engine, "gateway", -1, NINE, NULL, &error), &error);
  submit(engine);
  cycles(engine, NINE);
  take_over(engine, dies_after);
  finish(engine, "sweep", SWEEP_UID);
  cycles(engine, NINE);
  take_over(engine, dies_after);
  check(muster_close(engine, &error), &error);
  return 0;
}
