/* Objects, commands and batches. */
#include <string.h>

#include "bindings/lua/door.h"

static int state_hash(lua_State *lua) {
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code = lib.muster_state_hash(door_engine(lua, 1), &bytes, &error);
  return door_answered(lua, code, bytes, error);
}

static int check_invariants(lua_State *lua) {
  muster_error *error = NULL;
  const muster_code code = lib.muster_check_invariants(door_engine(lua, 1), &error);
  return door_done(lua, code, error);
}

static int apply(lua_State *lua) {
  size_t size = 0;
  const char *yaml = luaL_checklstring(lua, 2, &size);
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_apply(door_engine(lua, 1), yaml, size, luaL_checkstring(lua, 3),
                       (int32_t)luaL_checkinteger(lua, 4), door_nanos(lua, 5), &bytes, &error);
  return door_answered(lua, code, bytes, error);
}

static int validate(lua_State *lua) {
  size_t size = 0;
  const char *yaml = luaL_checklstring(lua, 2, &size);
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_validate(door_engine(lua, 1), yaml, size, luaL_checkstring(lua, 3),
                          (int32_t)luaL_checkinteger(lua, 4), &error);
  return door_done(lua, code, error);
}

static int observe(lua_State *lua) {
  size_t size = 0;
  const char *yaml = luaL_checklstring(lua, 2, &size);
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_observe(door_engine(lua, 1), yaml, size, luaL_checkstring(lua, 3),
                         door_nanos(lua, 4), &bytes, &error);
  return door_answered(lua, code, bytes, error);
}

/* A refusal also has `answers`, those of the commands before it. */
static int command(lua_State *lua) {
  size_t size = 0;
  const char *json = luaL_checklstring(lua, 2, &size);
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_do(door_engine(lua, 1), json, size, door_nanos(lua, 3), &bytes, &error);
  if (code == MUSTER_OK) return door_answered(lua, code, bytes, error);
  const int results = door_refused(lua, code, error);
  if (bytes != NULL) {
    door_push_bytes(lua, bytes);
    lua_setfield(lua, -2, "answers");
  }
  return results;
}

typedef muster_code (*asking_call)(muster_engine *, const char *, size_t, int64_t, muster_bytes **,
                                   muster_error **);

/* Engine, JSON, time; answered in JSON. */
static int ask(lua_State *lua, asking_call call) {
  size_t size = 0;
  const char *json = luaL_checklstring(lua, 2, &size);
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code =
      call(door_engine(lua, 1), json, size, door_nanos(lua, 3), &bytes, &error);
  return door_answered(lua, code, bytes, error);
}

static int what_if(lua_State *lua) { return ask(lua, lib.muster_what_if); }
static int eta(lua_State *lua) { return ask(lua, lib.muster_eta); }

static int set_caller(lua_State *lua) {
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_set_caller(door_engine(lua, 1), luaL_checkstring(lua, 2), &error);
  return door_done(lua, code, error);
}

static void read_job(lua_State *lua, muster_job *job) {
  int64_t number = 0;
  job->size = sizeof *job;
  lua_getfield(lua, -1, "shape");
  job->shape = *(muster_shape **)luaL_checkudata(lua, -1, DOOR_SHAPE);
  lua_pop(lua, 1);
  job->ns = door_text_field(lua, "ns");
  job->name = door_text_field(lua, "name");
  job->queue = door_text_field(lua, "queue");
  job->uid = door_text_field(lua, "uid");
  if (door_whole_field(lua, "created", &number)) job->created = number * 1000;
  if (door_whole_field(lua, "count", &number)) job->count = (int32_t)number;
  job->has_priority = door_whole_field(lua, "priority", &number);
  if (job->has_priority) job->priority = (int32_t)number;
}

static int submit(lua_State *lua) {
  muster_engine *engine = door_engine(lua, 1);
  const size_t count = door_length(lua, 2);
  const int64_t at = door_nanos(lua, 3);
  muster_job *jobs = door_batch(lua, count, sizeof *jobs);
  for (size_t i = 0; i < count; ++i) {
    lua_rawgeti(lua, 2, (int)i + 1);
    read_job(lua, &jobs[i]);
    lua_pop(lua, 1);
  }
  size_t created = 0;
  muster_bytes *warnings = NULL;
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_submit_warned(engine, jobs, count, at, &created, &warnings, &error);
  if (code != MUSTER_OK) return door_refused(lua, code, error);
  lua_pushinteger(lua, (lua_Integer)created);
  if (warnings == NULL) return 1;
  door_push_bytes(lua, warnings);
  return 2;
}

/* Names of a flat list at `index`, which keeps their texts. */
static muster_name *names(lua_State *lua, int index, size_t *count) {
  *count = door_length(lua, index) / 4;
  muster_name *all = door_batch(lua, *count, sizeof *all);
  for (size_t i = 0; i < *count; ++i) {
    for (int part = 1; part <= 4; ++part) lua_rawgeti(lua, index, (int)(4 * i) + part);
    all[i].size = sizeof *all;
    all[i].ns = luaL_checkstring(lua, -4);
    all[i].name = luaL_checkstring(lua, -3);
    all[i].uid = luaL_checkstring(lua, -2);
    all[i].run = door_whole(lua, -1);
    lua_pop(lua, 4);
  }
  return all;
}

typedef muster_code (*named_call)(muster_engine *, const muster_name *, size_t, int64_t,
                                  muster_error **);
typedef muster_code (*flagged_call)(muster_engine *, const muster_name *, size_t, int32_t, int64_t,
                                    muster_error **);

/* Engine, names, time. */
static int tell(lua_State *lua, named_call call) {
  muster_engine *engine = door_engine(lua, 1);
  size_t count = 0;
  const int64_t at = door_nanos(lua, 3);
  const muster_name *all = names(lua, 2, &count);
  muster_error *error = NULL;
  const muster_code code = call(engine, all, count, at, &error);
  return door_done(lua, code, error);
}

/* Engine, names, flag, time. */
static int tell_whether(lua_State *lua, flagged_call call) {
  muster_engine *engine = door_engine(lua, 1);
  size_t count = 0;
  const int64_t at = door_nanos(lua, 4);
  const muster_name *all = names(lua, 2, &count);
  muster_error *error = NULL;
  const muster_code code = call(engine, all, count, lua_toboolean(lua, 3), at, &error);
  return door_done(lua, code, error);
}

static int finish(lua_State *lua) { return tell_whether(lua, lib.muster_finish); }
static int ready(lua_State *lua) { return tell_whether(lua, lib.muster_ready); }
static int evicted(lua_State *lua) { return tell(lua, lib.muster_evicted); }
static int cancel(lua_State *lua) { return tell(lua, lib.muster_cancel); }

/* The workload of the four values from `index` on: namespace, name, uid, run. */
static muster_name name_at(lua_State *lua, int index) {
  muster_name name;
  memset(&name, 0, sizeof name);
  name.size = sizeof name;
  name.ns = luaL_checkstring(lua, index);
  name.name = luaL_checkstring(lua, index + 1);
  name.uid = luaL_checkstring(lua, index + 2);
  name.run = door_whole(lua, index + 3);
  return name;
}

static int evict(lua_State *lua) {
  const muster_name workload = name_at(lua, 2);
  muster_error *error = NULL;
  const muster_code code = lib.muster_evict_job(
      door_engine(lua, 1), &workload, luaL_checkstring(lua, 6), door_nanos(lua, 7), &error);
  return door_done(lua, code, error);
}

static int check(lua_State *lua) {
  const muster_name workload = name_at(lua, 2);
  int32_t phase = 0;
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_check_job(door_engine(lua, 1), &workload, luaL_checkstring(lua, 6),
                           (int32_t)luaL_checkinteger(lua, 7), luaL_checkstring(lua, 8),
                           door_nanos(lua, 9), &phase, &error);
  if (code != MUSTER_OK) return door_refused(lua, code, error);
  lua_pushinteger(lua, phase);
  return 1;
}

const luaL_Reg door_commands[] = {{"state_hash", state_hash},
                                  {"check_invariants", check_invariants},
                                  {"apply", apply},
                                  {"validate", validate},
                                  {"observe", observe},
                                  {"command", command},
                                  {"what_if", what_if},
                                  {"eta", eta},
                                  {"set_caller", set_caller},
                                  {"submit", submit},
                                  {"finish", finish},
                                  {"ready", ready},
                                  {"evicted", evicted},
                                  {"cancel", cancel},
                                  {"evict", evict},
                                  {"check", check},
                                  {NULL, NULL}};
