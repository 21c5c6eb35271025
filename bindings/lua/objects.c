/* Single objects: their values, whether they can ever start, their pods; and reports. */
#include <string.h>

#include "bindings/lua/door.h"

static int advise(lua_State *lua) {
  size_t size = 0;
  const char *yaml = luaL_checklstring(lua, 2, &size);
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_advise(door_engine(lua, 1), yaml, size, luaL_checkstring(lua, 3),
                        (int32_t)luaL_checkinteger(lua, 4), &bytes, &error);
  return door_answered(lua, code, bytes, error);
}

/* Pods of a flat list { name, count, ... } in `field` of the table on top, which keeps the texts;
 * NULL where there is none. An array that is there has room for one at least. */
static const muster_pod_count *counts_field(lua_State *lua, int table, const char *field,
                                            size_t *length) {
  lua_getfield(lua, table, field);
  if (lua_isnil(lua, -1)) return NULL;
  const int list = lua_gettop(lua);
  *length = door_length(lua, list) / 2;
  muster_pod_count *counts = door_batch(lua, *length, sizeof *counts);
  counts->size = sizeof *counts;
  for (size_t i = 0; i < *length; ++i) {
    lua_rawgeti(lua, list, (int)(2 * i) + 1);
    lua_rawgeti(lua, list, (int)(2 * i) + 2);
    counts[i].size = sizeof *counts;
    counts[i].pod_set = luaL_checkstring(lua, -2);
    counts[i].count = (int32_t)door_whole(lua, -1);
    lua_pop(lua, 2);
  }
  return counts;
}

/* Engine, namespace, name, a table of the fields of muster_changes, time. */
static int update(lua_State *lua) {
  muster_engine *engine = door_engine(lua, 1);
  muster_changes changes;
  int64_t number = 0;
  memset(&changes, 0, sizeof changes);
  changes.size = sizeof changes;
  changes.ns = luaL_checkstring(lua, 2);
  changes.name = luaL_checkstring(lua, 3);
  const int64_t at = door_nanos(lua, 5);
  lua_pushvalue(lua, 4);
  changes.has_priority = door_whole_field(lua, "priority", &number);
  if (changes.has_priority) changes.priority = (int32_t)number;
  if (door_whole_field(lua, "active", &number)) changes.active = (int32_t)number;
  if (door_whole_field(lua, "checkpointed", &number)) changes.checkpointed = number * 1000;
  changes.open_gates = door_text_field(lua, "open_gates");
  changes.uid = door_text_field(lua, "uid");
  if (door_whole_field(lua, "run", &number)) changes.run = number;
  changes.counts = counts_field(lua, 4, "counts", &changes.counts_length);
  changes.reclaimable = counts_field(lua, 4, "reclaimable", &changes.reclaimable_length);
  muster_error *error = NULL;
  const muster_code code = lib.muster_update(engine, &changes, at, &error);
  return door_done(lua, code, error);
}

/* Engine, kind, namespace or nil, name, force, time. */
static int delete_object(lua_State *lua) {
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_delete(door_engine(lua, 1), luaL_checkstring(lua, 2), luaL_optstring(lua, 3, NULL),
                        luaL_checkstring(lua, 4), lua_toboolean(lua, 5), door_nanos(lua, 6),
                        &error);
  return door_done(lua, code, error);
}

static int pod_set_updates(lua_State *lua) {
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code = lib.muster_pod_set_updates(
      door_engine(lua, 1), luaL_checkstring(lua, 2), luaL_checkstring(lua, 3), &bytes, &error);
  return door_answered(lua, code, bytes, error);
}

static int pod_requests(lua_State *lua) {
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code = lib.muster_pod_requests(
      door_engine(lua, 1), luaL_checkstring(lua, 2), luaL_checkstring(lua, 3), &bytes, &error);
  return door_answered(lua, code, bytes, error);
}

static int check_time(lua_State *lua) {
  muster_error *error = NULL;
  const muster_code code = lib.muster_check_time(door_engine(lua, 1), door_nanos(lua, 2), &error);
  return door_done(lua, code, error);
}

/* false in a new ledger. */
static int last_time(lua_State *lua) {
  int64_t at = 0;
  muster_error *error = NULL;
  const muster_code code = lib.muster_last_time(door_engine(lua, 1), &at, &error);
  return door_moment(lua, code, at, error);
}

static int report(lua_State *lua) {
  size_t size = 0;
  const char *json = luaL_checklstring(lua, 2, &size);
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_report(luaL_checkstring(lua, 1), json, size, &bytes, &error);
  return door_answered(lua, code, bytes, error);
}

const luaL_Reg door_objects[] = {{"advise", advise},
                                 {"update", update},
                                 {"delete", delete_object},
                                 {"pod_set_updates", pod_set_updates},
                                 {"pod_requests", pod_requests},
                                 {"check_time", check_time},
                                 {"last_time", last_time},
                                 {"report", report},
                                 {NULL, NULL}};
