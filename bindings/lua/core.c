/* muster.core: the door for PUC Lua 5.1, 5.3 and 5.4, with nothing but muster.h and Lua's C API.
 * muster/values.lua says what a door is; muster/ffi.lua is the one for LuaJIT.
 *
 * Every function takes plain values and returns plain values, or nil and what a refused call says.
 * Structs for a batch live in a userdata, so an error of Lua frees them. Engines and shapes are
 * userdata that let go of what they hold when they are collected. Where Lua itself runs out of
 * memory, what a call has handed out at that moment is lost.
 */
#include <string.h>

#include "bindings/lua/door.h"

muster_engine **door_place(lua_State *lua) {
  muster_engine **handle = lua_newuserdata(lua, sizeof *handle);
  *handle = NULL;
  luaL_getmetatable(lua, DOOR_ENGINE);
  lua_setmetatable(lua, -2);
  return handle;
}

static int open_engine(lua_State *lua) {
  const char *path = luaL_optstring(lua, 1, NULL);
  muster_options options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.must_exist = lua_toboolean(lua, 2);
  options.allow_time_jump = lua_toboolean(lua, 3);
  options.relaxed = lua_toboolean(lua, 4);
  options.lock_wait_ms = door_whole(lua, 5);
  muster_engine **handle = door_place(lua);
  muster_error *error = NULL;
  const muster_code code = path == NULL ? lib.muster_open_memory(&options, handle, &error)
                                        : lib.muster_open(path, &options, handle, &error);
  return code == MUSTER_OK ? 1 : door_refused(lua, code, error);
}

static int close_engine(lua_State *lua) {
  muster_engine **handle = luaL_checkudata(lua, 1, DOOR_ENGINE);
  muster_engine *engine = *handle;
  *handle = NULL;
  muster_error *error = NULL;
  const muster_code code = engine == NULL ? MUSTER_OK : lib.muster_close(engine, &error);
  return door_done(lua, code, error);
}

static int collect_engine(lua_State *lua) {
  muster_engine **handle = luaL_checkudata(lua, 1, DOOR_ENGINE);
  if (*handle != NULL) lib.muster_close(*handle, NULL);
  *handle = NULL;
  return 0;
}

static int shape(lua_State *lua) {
  size_t size = 0;
  const char *yaml = luaL_checklstring(lua, 1, &size);
  const char *name = luaL_checkstring(lua, 2);
  muster_shape **handle = lua_newuserdata(lua, sizeof *handle);
  *handle = NULL;
  luaL_getmetatable(lua, DOOR_SHAPE);
  lua_setmetatable(lua, -2);
  muster_error *error = NULL;
  const muster_code code = lib.muster_shape_parse(yaml, size, name, handle, &error);
  return code == MUSTER_OK ? 1 : door_refused(lua, code, error);
}

static int collect_shape(lua_State *lua) {
  muster_shape **handle = luaL_checkudata(lua, 1, DOOR_SHAPE);
  lib.muster_shape_free(*handle);
  *handle = NULL;
  return 0;
}

/* Also of what is no userdata at all. */
static int is_shape(lua_State *lua) {
  int is = lua_touserdata(lua, 1) != NULL && lua_getmetatable(lua, 1);
  if (is) {
    luaL_getmetatable(lua, DOOR_SHAPE);
    is = lua_rawequal(lua, -1, -2);
  }
  lua_pushboolean(lua, is);
  return 1;
}

static int version(lua_State *lua) {
  lua_pushstring(lua, lib.muster_version());
  return 1;
}

static int abi_version(lua_State *lua) {
  lua_pushinteger(lua, (lua_Integer)lib.muster_abi_version());
  return 1;
}

static int now(lua_State *lua) {
  door_push_micros(lua, lib.muster_now());
  return 1;
}

static int decision_kind(lua_State *lua) {
  lua_pushstring(lua, lib.muster_decision_kind((int32_t)luaL_checkinteger(lua, 1)));
  return 1;
}

static int set_log_level(lua_State *lua) {
  lib.muster_set_log_level((int32_t)luaL_checkinteger(lua, 1));
  return 0;
}

static int schema(lua_State *lua) {
  muster_bytes *bytes = NULL;
  muster_error *error = NULL;
  const muster_code code = lib.muster_schema(&bytes, &error);
  return door_answered(lua, code, bytes, error);
}

/* Adds the functions of `part` to the table on top. */
static void add(lua_State *lua, const luaL_Reg *part) {
  for (; part->name != NULL; ++part) {
    lua_pushcfunction(lua, part->func);
    lua_setfield(lua, -2, part->name);
  }
}

static void make_type(lua_State *lua, const char *name, lua_CFunction collect) {
  luaL_newmetatable(lua, name);
  lua_pushcfunction(lua, collect);
  lua_setfield(lua, -2, "__gc");
  lua_pop(lua, 1);
}

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
int luaopen_muster_core(lua_State *lua) {
  static const luaL_Reg own[] = {{"version", version},
                                 {"abi_version", abi_version},
                                 {"now", now},
                                 {"decision_kind", decision_kind},
                                 {"set_log_level", set_log_level},
                                 {"schema", schema},
                                 {"open", open_engine},
                                 {"close", close_engine},
                                 {"shape", shape},
                                 {"is_shape", is_shape},
                                 {NULL, NULL}};
  const char *wrong = door_load(lua);
  if (wrong != NULL) return luaL_error(lua, "%s", wrong);
  make_type(lua, DOOR_ENGINE, collect_engine);
  make_type(lua, DOOR_SHAPE, collect_shape);
  lua_createtable(lua, 0, 64);
  add(lua, own);
  add(lua, door_commands);
  add(lua, door_reading);
  add(lua, door_ahead);
  add(lua, door_objects);
  return 1;
}
