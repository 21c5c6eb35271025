/* What the parts of muster.core share: values between Lua and muster.h. muster/values.lua says what
 * a door is. A function that is called by Lua returns how many results it has pushed.
 */
#ifndef MUSTER_BINDINGS_LUA_DOOR_H_
#define MUSTER_BINDINGS_LUA_DOOR_H_

#include <lauxlib.h>
#include <lua.h>
#include <stddef.h>
#include <stdint.h>

#include "muster.h"

#define DOOR_ENGINE "muster.engine"
#define DOOR_SHAPE "muster.shape"

/* The functions of libmuster that are called: each is a member of `lib`. They are looked up when
 * the module is loaded, so that the library's own LuaJIT stays apart from the Lua around it.
 */
/* clang-format off */
#define DOOR_FUNCTIONS(X)                                                                    \
  X(abi_version) X(acknowledge) X(advance) X(advise) X(apply) X(bytes_data) X(bytes_free)    \
  X(bytes_size) X(cancel) X(check_job) X(check_invariants) X(check_owner) X(close) X(code_name)  \
  X(check_time) X(delete) X(last_time) X(pod_requests) X(pod_set_updates) X(report)          \
  X(update) X(decisions_topology)                                                            \
  X(copy) X(pipeline_start) X(pipeline_stop) X(pipeline_stored) X(pipeline_ticket)           \
  X(pipeline_wait) X(read_ledger)                                                            \
  X(decision_kind) X(decisions_after) X(decisions_count) X(decisions_data) X(decisions_free) \
  X(decisions_of) X(do) X(error_count) X(error_cure) X(error_free) X(error_message)          \
  X(error_place) X(error_what) X(eta) X(evict_job) X(evicted) X(explain) X(finish) X(get)        \
  X(next_deadline) X(now) X(observe) X(open) X(open_memory) X(phase) X(policy_activate)      \
  X(policy_activate_staged) X(policy_check) X(policy_roll_back) X(policy_shadow)             \
  X(policy_shadow_report) X(policy_stage) X(policy_test) X(ready) X(register_consumer)       \
  X(remove_consumer) X(run_cycle) X(scenario) X(schema) X(set_caller) X(set_log_level)       \
  X(shape_free) X(shape_parse) X(start_patch) X(state_hash) X(submit_warned) X(validate)     \
  X(version) X(wake) X(what_if)
/* clang-format on */
#define DOOR_MEMBER(name) __typeof__(&muster_##name) muster_##name;
typedef struct door_library {
  DOOR_FUNCTIONS(DOOR_MEMBER)
} door_library;
extern door_library lib;

/* Fills `lib`, once a process. Returns NULL, or what is wrong, on Lua's stack. */
const char *door_load(lua_State *lua);

/* The parts: functions that core.c puts into the module. */
extern const luaL_Reg door_commands[];
extern const luaL_Reg door_reading[];
extern const luaL_Reg door_ahead[];
extern const luaL_Reg door_objects[];

/* Pushes a place for an engine, which is closed when it is collected. */
muster_engine **door_place(lua_State *lua);
/* The engine at `index`; an error of Lua where it is closed. */
muster_engine *door_engine(lua_State *lua, int index);

/* Nanoseconds of whole microseconds; none are the system's clock. */
int64_t door_nanos(lua_State *lua, int index);
/* Whole microseconds, rounded down. */
void door_push_micros(lua_State *lua, int64_t at);
int64_t door_whole(lua_State *lua, int index);
size_t door_length(lua_State *lua, int index);

/* Fields of the table on top of Lua's stack. */
const char *door_text_field(lua_State *lua, const char *field); /* NULL: none; lives as the table */
int door_whole_field(lua_State *lua, const char *field, int64_t *value); /* 0: there is none */
void door_set_whole(lua_State *lua, const char *field, int64_t value);
void door_set_text(lua_State *lua, const char *field, const char *value);
void door_set_flag(lua_State *lua, const char *field, int value);

/* nil and { code, message, mistakes }; frees the error. */
int door_refused(lua_State *lua, muster_code code, muster_error *error);
/* true, or what a refused call says. */
int door_done(lua_State *lua, muster_code code, muster_error *error);
/* The text that was handed out, or what a refused call says. */
int door_answered(lua_State *lua, muster_code code, muster_bytes *bytes, muster_error *error);
/* A time that was told, false where there is none, or what a refused call says. */
int door_moment(lua_State *lua, muster_code code, int64_t at, muster_error *error);
/* Frees the bytes. */
void door_push_bytes(lua_State *lua, muster_bytes *bytes);

/* Room for `count` structs of `size` bytes, all 0, in a userdata on Lua's stack. */
void *door_batch(lua_State *lua, size_t count, size_t size);

#endif /* MUSTER_BINDINGS_LUA_DOOR_H_ */
