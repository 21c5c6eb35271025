/* Time, decisions, views, policies and scenarios. */
#include <string.h>

#include "bindings/lua/door.h"

static int run_cycle(lua_State *lua) {
  muster_cycle cycle;
  memset(&cycle, 0, sizeof cycle);
  cycle.size = sizeof cycle;
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_run_cycle(door_engine(lua, 1), door_nanos(lua, 2), &cycle, NULL, &error);
  if (code != MUSTER_OK) return door_refused(lua, code, error);
  lua_createtable(lua, 0, 8);
  door_push_micros(lua, cycle.at);
  lua_setfield(lua, -2, "at");
  door_set_flag(lua, "at_rest", cycle.at_rest);
  door_set_whole(lua, "number", cycle.number);
  door_set_whole(lua, "admitted", cycle.admitted);
  door_set_whole(lua, "preempted", cycle.preempted);
  door_set_whole(lua, "evicted", cycle.evicted);
  door_set_whole(lua, "policy_failures", cycle.policy_failures);
  door_set_whole(lua, "rolled_back", cycle.rolled_back);
  return 1;
}

static int advance(lua_State *lua) {
  muster_error *error = NULL;
  const muster_code code = lib.muster_advance(door_engine(lua, 1), door_nanos(lua, 2), &error);
  return door_done(lua, code, error);
}

/* false where none runs. */
static int next_deadline(lua_State *lua) {
  int64_t at = 0;
  muster_error *error = NULL;
  const muster_code code = lib.muster_next_deadline(door_engine(lua, 1), &at, &error);
  return door_moment(lua, code, at, error);
}

/* ---- decisions ---- */

/* What was acknowledged and the newest number, or what a refused call says. */
static int cursor_told(lua_State *lua, muster_code code, const muster_cursor *cursor,
                       muster_error *error) {
  if (code != MUSTER_OK) return door_refused(lua, code, error);
  lua_pushinteger(lua, (lua_Integer)cursor->acknowledged);
  lua_pushinteger(lua, (lua_Integer)cursor->last);
  return 2;
}

static int register_consumer(lua_State *lua) {
  muster_cursor cursor;
  memset(&cursor, 0, sizeof cursor);
  cursor.size = sizeof cursor;
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_register_consumer(door_engine(lua, 1), luaL_checkstring(lua, 2),
                                   door_whole(lua, 3), door_nanos(lua, 4), &cursor, &error);
  return cursor_told(lua, code, &cursor, error);
}

static int acknowledge(lua_State *lua) {
  muster_cursor cursor;
  memset(&cursor, 0, sizeof cursor);
  cursor.size = sizeof cursor;
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_acknowledge(door_engine(lua, 1), luaL_checkstring(lua, 2), door_whole(lua, 3),
                             door_nanos(lua, 4), &cursor, &error);
  return cursor_told(lua, code, &cursor, error);
}

static int remove_consumer(lua_State *lua) {
  muster_error *error = NULL;
  const muster_code code = lib.muster_remove_consumer(door_engine(lua, 1), luaL_checkstring(lua, 2),
                                                      door_nanos(lua, 3), &error);
  return door_done(lua, code, error);
}

static void push_texts(lua_State *lua, const char *const *texts, size_t count) {
  lua_createtable(lua, (int)count, 0);
  for (size_t i = 0; i < count; ++i) {
    lua_pushstring(lua, texts[i]);
    lua_rawseti(lua, -2, (int)i + 1);
  }
}

static void push_topology(lua_State *lua, const muster_topology *topology) {
  lua_createtable(lua, 0, 2);
  push_texts(lua, topology->levels, topology->level_count);
  lua_setfield(lua, -2, "levels");
  lua_createtable(lua, (int)topology->domain_count, 0);
  for (size_t i = 0; i < topology->domain_count; ++i) {
    const muster_place *domain = &topology->domains[i];
    lua_createtable(lua, 0, 2);
    push_texts(lua, domain->values, topology->level_count);
    lua_setfield(lua, -2, "values");
    door_set_whole(lua, "count", domain->count);
    lua_rawseti(lua, -2, (int)i + 1);
  }
  lua_setfield(lua, -2, "domains");
}

/* Of decision `index`. */
static void push_pod_sets(lua_State *lua, const muster_decisions *decisions, size_t index,
                          const muster_decision *decision) {
  lua_createtable(lua, (int)decision->pod_set_count, 0);
  for (size_t i = 0; i < decision->pod_set_count; ++i) {
    const muster_pod_set *set = &decision->pod_sets[i];
    lua_createtable(lua, 0, 5);
    door_set_text(lua, "name", set->name);
    door_set_whole(lua, "count", set->count);
    lua_createtable(lua, 0, (int)set->flavor_count);
    for (size_t j = 0; j < set->flavor_count; ++j) {
      door_set_text(lua, set->flavors[j].resource, set->flavors[j].flavor);
    }
    lua_setfield(lua, -2, "flavors");
    lua_createtable(lua, 0, (int)set->flavor_count);
    for (size_t j = 0; j < set->flavor_count; ++j) {
      door_set_whole(lua, set->flavors[j].resource, set->flavors[j].amount);
    }
    lua_setfield(lua, -2, "amounts");
    const muster_topology *topology = lib.muster_decisions_topology(decisions, index, i);
    if (topology != NULL) {
      push_topology(lua, topology);
      lua_setfield(lua, -2, "topology");
    }
    lua_rawseti(lua, -2, (int)i + 1);
  }
}

static void push_decision(lua_State *lua, const muster_decisions *decisions, size_t index,
                          const muster_decision *decision) {
  lua_createtable(lua, 0, 16);
  door_set_whole(lua, "number", decision->number);
  door_set_whole(lua, "kind", decision->kind);
  door_push_micros(lua, decision->at);
  lua_setfield(lua, -2, "at");
  door_set_whole(lua, "cycle", decision->cycle);
  door_set_text(lua, "namespace", decision->ns);
  door_set_text(lua, "name", decision->name);
  door_set_text(lua, "uid", decision->uid);
  door_set_whole(lua, "run", decision->run);
  door_set_text(lua, "reason", decision->reason);
  door_set_text(lua, "by_namespace", decision->by_ns);
  door_set_text(lua, "by_name", decision->by_name);
  door_set_text(lua, "cluster_queue", decision->cluster_queue);
  door_set_flag(lua, "stop", decision->stop);
  push_pod_sets(lua, decisions, index, decision);
  lua_setfield(lua, -2, "pod_sets");
}

static int decisions_told(lua_State *lua, muster_code code, muster_decisions *decisions,
                          muster_error *error) {
  if (code != MUSTER_OK) return door_refused(lua, code, error);
  const size_t count = lib.muster_decisions_count(decisions);
  const muster_decision *all = lib.muster_decisions_data(decisions);
  lua_createtable(lua, (int)count, 0);
  for (size_t i = 0; i < count; ++i) {
    push_decision(lua, decisions, i, &all[i]);
    lua_rawseti(lua, -2, (int)i + 1);
  }
  lib.muster_decisions_free(decisions);
  return 1;
}

static int decisions_of(lua_State *lua) {
  muster_decisions *decisions = NULL;
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_decisions_of(door_engine(lua, 1), luaL_checkstring(lua, 2),
                              (size_t)door_whole(lua, 3), door_whole(lua, 4), &decisions, &error);
  return decisions_told(lua, code, decisions, error);
}

static int decisions_after(lua_State *lua) {
  muster_decisions *decisions = NULL;
  muster_error *error = NULL;
  const muster_code code = lib.muster_decisions_after(door_engine(lua, 1), door_whole(lua, 2),
                                                      (size_t)door_whole(lua, 3),
                                                      door_whole(lua, 4), &decisions, &error);
  return decisions_told(lua, code, decisions, error);
}

static int wake(lua_State *lua) {
  lib.muster_wake(door_engine(lua, 1));
  return 0;
}

/* ---- reading ---- */

static int get(lua_State *lua) {
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_get(door_engine(lua, 1), luaL_checkstring(lua, 2), luaL_optstring(lua, 3, NULL),
                     luaL_optstring(lua, 4, NULL), luaL_optstring(lua, 5, NULL),
                     luaL_optstring(lua, 6, NULL), &bytes, &error);
  return door_answered(lua, code, bytes, error);
}

static int explain(lua_State *lua) {
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code = lib.muster_explain(door_engine(lua, 1), luaL_checkstring(lua, 2),
                                              luaL_checkstring(lua, 3), &bytes, &error);
  return door_answered(lua, code, bytes, error);
}

static int start_patch(lua_State *lua) {
  size_t size = 0;
  const char *yaml = luaL_checklstring(lua, 4, &size);
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code = lib.muster_start_patch(door_engine(lua, 1), luaL_checkstring(lua, 2),
                                                  luaL_checkstring(lua, 3), yaml, size,
                                                  luaL_checkstring(lua, 5), &bytes, &error);
  return door_answered(lua, code, bytes, error);
}

static int phase(lua_State *lua) {
  int32_t at = 0;
  muster_error *error = NULL;
  const muster_code code = lib.muster_phase(door_engine(lua, 1), luaL_checkstring(lua, 2),
                                            luaL_checkstring(lua, 3), &at, &error);
  if (code != MUSTER_OK) return door_refused(lua, code, error);
  lua_pushinteger(lua, at);
  return 1;
}

/* ---- policies and scenarios ---- */

/* A report and how many of it failed, or what a refused call says. */
static int reported(lua_State *lua, muster_code code, muster_bytes *bytes, size_t failed,
                    muster_error *error) {
  if (code != MUSTER_OK) return door_refused(lua, code, error);
  door_push_bytes(lua, bytes);
  lua_pushinteger(lua, (lua_Integer)failed);
  return 2;
}

static int policy_check(lua_State *lua) {
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code = lib.muster_policy_check(luaL_checkstring(lua, 1),
                                                   luaL_optstring(lua, 2, NULL), &bytes, &error);
  return door_answered(lua, code, bytes, error);
}

static int policy_test(lua_State *lua) {
  muster_bytes *bytes = NULL;
  size_t failed = 0;
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_policy_test(luaL_checkstring(lua, 1), &bytes, &failed, &error);
  return reported(lua, code, bytes, failed, error);
}

static int scenario(lua_State *lua) {
  size_t size = 0;
  const char *yaml = luaL_checklstring(lua, 1, &size);
  muster_bytes *bytes = NULL;
  size_t failed = 0;
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_scenario(yaml, size, luaL_checkstring(lua, 2), &bytes, &failed, &error);
  return reported(lua, code, bytes, failed, error);
}

static int policy_activate(lua_State *lua) {
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code = lib.muster_policy_activate(
      door_engine(lua, 1), luaL_checkstring(lua, 2), luaL_optstring(lua, 3, NULL),
      luaL_checkstring(lua, 4), luaL_checkstring(lua, 5), door_nanos(lua, 6), &bytes, &error);
  return door_answered(lua, code, bytes, error);
}

static int policy_stage(lua_State *lua) {
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code = lib.muster_policy_stage(
      door_engine(lua, 1), luaL_checkstring(lua, 2), luaL_optstring(lua, 3, NULL),
      luaL_checkstring(lua, 4), luaL_checkstring(lua, 5), door_nanos(lua, 6), &bytes, &error);
  return door_answered(lua, code, bytes, error);
}

static int policy_activate_staged(lua_State *lua) {
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code = lib.muster_policy_activate_staged(
      door_engine(lua, 1), luaL_checkstring(lua, 2), luaL_checkstring(lua, 3),
      luaL_checkstring(lua, 4), door_nanos(lua, 5), &bytes, &error);
  return door_answered(lua, code, bytes, error);
}

static int policy_roll_back(lua_State *lua) {
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_policy_roll_back(door_engine(lua, 1), luaL_checkstring(lua, 2),
                                  luaL_checkstring(lua, 3), door_nanos(lua, 4), &error);
  return door_done(lua, code, error);
}

static int policy_shadow(lua_State *lua) {
  muster_error *error = NULL;
  const muster_code code = lib.muster_policy_shadow(
      door_engine(lua, 1), luaL_optstring(lua, 2, NULL), luaL_optstring(lua, 3, NULL), &error);
  return door_done(lua, code, error);
}

static int policy_shadow_report(lua_State *lua) {
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code = lib.muster_policy_shadow_report(door_engine(lua, 1), &bytes, &error);
  return door_answered(lua, code, bytes, error);
}

const luaL_Reg door_reading[] = {{"run_cycle", run_cycle},
                                 {"advance", advance},
                                 {"next_deadline", next_deadline},
                                 {"register_consumer", register_consumer},
                                 {"acknowledge", acknowledge},
                                 {"remove_consumer", remove_consumer},
                                 {"decisions_of", decisions_of},
                                 {"decisions_after", decisions_after},
                                 {"wake", wake},
                                 {"get", get},
                                 {"explain", explain},
                                 {"start_patch", start_patch},
                                 {"phase", phase},
                                 {"policy_check", policy_check},
                                 {"policy_test", policy_test},
                                 {"scenario", scenario},
                                 {"policy_activate", policy_activate},
                                 {"policy_stage", policy_stage},
                                 {"policy_activate_staged", policy_activate_staged},
                                 {"policy_roll_back", policy_roll_back},
                                 {"policy_shadow", policy_shadow},
                                 {"policy_shadow_report", policy_shadow_report},
                                 {NULL, NULL}};
