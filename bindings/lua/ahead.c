/* Calls ahead of the disk, and engines made of others. */
#include "bindings/lua/door.h"

static int pipeline_start(lua_State *lua) {
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_pipeline_start(door_engine(lua, 1), (size_t)door_whole(lua, 2), &error);
  return door_done(lua, code, error);
}

static int pipeline_stop(lua_State *lua) {
  muster_error *error = NULL;
  const muster_code code = lib.muster_pipeline_stop(door_engine(lua, 1), &error);
  return door_done(lua, code, error);
}

static int pipeline_ticket(lua_State *lua) {
  int64_t ticket = 0;
  muster_error *error = NULL;
  const muster_code code = lib.muster_pipeline_ticket(door_engine(lua, 1), &ticket, &error);
  if (code != MUSTER_OK) return door_refused(lua, code, error);
  lua_pushnumber(lua, (lua_Number)ticket);
  return 1;
}

static int pipeline_wait(lua_State *lua) {
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_pipeline_wait(door_engine(lua, 1), door_whole(lua, 2), &error);
  return door_done(lua, code, error);
}

static int pipeline_stored(lua_State *lua) {
  int32_t stored = 0;
  muster_error *error = NULL;
  const muster_code code =
      lib.muster_pipeline_stored(door_engine(lua, 1), door_whole(lua, 2), &stored, &error);
  if (code != MUSTER_OK) return door_refused(lua, code, error);
  lua_pushboolean(lua, stored);
  return 1;
}

static int read_ledger(lua_State *lua) {
  const char *path = luaL_checkstring(lua, 1);
  muster_engine **handle = door_place(lua);
  muster_error *error = NULL;
  const muster_code code = lib.muster_read_ledger(path, handle, &error);
  return code == MUSTER_OK ? 1 : door_refused(lua, code, error);
}

static int copy(lua_State *lua) {
  muster_engine *engine = door_engine(lua, 1);
  muster_engine **handle = door_place(lua);
  muster_error *error = NULL;
  const muster_code code = lib.muster_copy(engine, handle, &error);
  return code == MUSTER_OK ? 1 : door_refused(lua, code, error);
}

static int check_owner(lua_State *lua) {
  size_t size = 0;
  const char *yaml = luaL_checklstring(lua, 3, &size);
  muster_error *error = NULL;
  const muster_code code = lib.muster_check_owner(door_engine(lua, 1), luaL_checkstring(lua, 2),
                                                  yaml, size, luaL_checkstring(lua, 4), &error);
  return door_done(lua, code, error);
}

const luaL_Reg door_ahead[] = {{"pipeline_start", pipeline_start},
                               {"pipeline_stop", pipeline_stop},
                               {"pipeline_ticket", pipeline_ticket},
                               {"pipeline_wait", pipeline_wait},
                               {"pipeline_stored", pipeline_stored},
                               {"read_ledger", read_ledger},
                               {"copy", copy},
                               {"check_owner", check_owner},
                               {NULL, NULL}};
