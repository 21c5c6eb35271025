/* Values between Lua and muster.h; door.h has the contracts. */
#include <string.h>

#include "bindings/lua/door.h"

/* A number of Lua that `most` and less can be made of; C leaves open what becomes of others. */
static int64_t within(lua_State *lua, int index, lua_Number most) {
  const lua_Number number = luaL_checknumber(lua, index);
  if (!(number >= -most && number <= most)) luaL_error(lua, "%f is out of range", number);
  return (int64_t)number;
}

int64_t door_nanos(lua_State *lua, int index) {
  if (lua_isnoneornil(lua, index)) return INT64_MIN;
  return within(lua, index, 9e15) * 1000;
}

void door_push_micros(lua_State *lua, int64_t at) {
  lua_pushinteger(lua, (lua_Integer)(at / 1000 - (at % 1000 < 0)));
}

int64_t door_whole(lua_State *lua, int index) { return within(lua, index, 9e18); }

void door_set_whole(lua_State *lua, const char *field, int64_t value) {
  lua_pushinteger(lua, (lua_Integer)value);
  lua_setfield(lua, -2, field);
}

void door_set_text(lua_State *lua, const char *field, const char *value) {
  lua_pushstring(lua, value);
  lua_setfield(lua, -2, field);
}

void door_set_flag(lua_State *lua, const char *field, int value) {
  lua_pushboolean(lua, value);
  lua_setfield(lua, -2, field);
}

const char *door_text_field(lua_State *lua, const char *field) {
  lua_getfield(lua, -1, field);
  const char *text = lua_isnil(lua, -1) ? NULL : luaL_checkstring(lua, -1);
  lua_pop(lua, 1);
  return text;
}

int door_whole_field(lua_State *lua, const char *field, int64_t *value) {
  lua_getfield(lua, -1, field);
  const int is_there = !lua_isnil(lua, -1);
  if (is_there) *value = door_whole(lua, -1);
  lua_pop(lua, 1);
  return is_there;
}

int door_refused(lua_State *lua, muster_code code, muster_error *error) {
  lua_pushnil(lua);
  lua_createtable(lua, 0, 3);
  door_set_text(lua, "code", lib.muster_code_name(code));
  door_set_text(lua, "message", error == NULL ? "" : lib.muster_error_message(error));
  const size_t count = error == NULL ? 0 : lib.muster_error_count(error);
  lua_createtable(lua, (int)count, 0);
  for (size_t i = 0; i < count; ++i) {
    lua_createtable(lua, 0, 3);
    door_set_text(lua, "place", lib.muster_error_place(error, i));
    door_set_text(lua, "what", lib.muster_error_what(error, i));
    door_set_text(lua, "cure", lib.muster_error_cure(error, i));
    lua_rawseti(lua, -2, (int)i + 1);
  }
  lua_setfield(lua, -2, "mistakes");
  lib.muster_error_free(error);
  return 2;
}

int door_done(lua_State *lua, muster_code code, muster_error *error) {
  if (code != MUSTER_OK) return door_refused(lua, code, error);
  lua_pushboolean(lua, 1);
  return 1;
}

void door_push_bytes(lua_State *lua, muster_bytes *bytes) {
  lua_pushlstring(lua, lib.muster_bytes_data(bytes), lib.muster_bytes_size(bytes));
  lib.muster_bytes_free(bytes);
}

int door_answered(lua_State *lua, muster_code code, muster_bytes *bytes, muster_error *error) {
  if (code != MUSTER_OK) return door_refused(lua, code, error);
  door_push_bytes(lua, bytes);
  return 1;
}

int door_moment(lua_State *lua, muster_code code, int64_t at, muster_error *error) {
  if (code != MUSTER_OK) return door_refused(lua, code, error);
  if (at == INT64_MIN) {
    lua_pushboolean(lua, 0);
  } else {
    door_push_micros(lua, at);
  }
  return 1;
}

void *door_batch(lua_State *lua, size_t count, size_t size) {
  const size_t bytes = (count == 0 ? 1 : count) * size;
  void *data = lua_newuserdata(lua, bytes);
  memset(data, 0, bytes);
  return data;
}

size_t door_length(lua_State *lua, int index) {
#if LUA_VERSION_NUM < 502
  return lua_objlen(lua, index);
#else
  return (size_t)lua_rawlen(lua, index);
#endif
}

muster_engine *door_engine(lua_State *lua, int index) {
  muster_engine **handle = luaL_checkudata(lua, index, DOOR_ENGINE);
  if (*handle == NULL) luaL_error(lua, "the engine is closed");
  return *handle;
}
