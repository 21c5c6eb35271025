// The functions of State that run inside its one protected call, where Lua may raise: nothing with
// a destructor lives across a Lua call here.
#include <lua.hpp>
#include <utility>

#include "bindings/luajit/embedded.h"
#include "bindings/luajit/state_slots.h"
#include "bindings/luajit/trace_aborts.h"

namespace muster::luajit {
namespace {

// Line of the innermost frame of the policy's own code, 0 when there is none.
int PolicyLine(lua_State* lua) {
  lua_Debug frame;
  for (int level = 0; lua_getstack(lua, level, &frame) != 0; ++level) {
    if (lua_getinfo(lua, "Sl", &frame) == 0 || frame.currentline <= 0) continue;
    const std::string_view source = frame.source;
    if (source.size() == kPolicyFile.size() + 1 && source.ends_with(kPolicyFile)) {
      return frame.currentline;
    }
  }
  return 0;
}

void PushText(lua_State* lua, std::string_view text) {
  lua_pushlstring(lua, text.data(), text.size());
}

void PushSwitch(lua_State* lua, const char* name, bool on) {
  lua_pushboolean(lua, on ? 1 : 0);
  lua_setfield(lua, -2, name);
}

void PushSwitches(lua_State* lua, const SandboxOptions& options) {
  lua_createtable(lua, 0, 14);
  PushSwitch(lua, "allow_list", options.allow_list);
  PushSwitch(lua, "library_copies", options.library_copies);
  PushSwitch(lua, "locked_tables", options.locked_tables);
  PushSwitch(lua, "frozen_file", options.frozen_file);
  PushSwitch(lua, "string_metatable", options.string_metatable);
  PushSwitch(lua, "sorted_pairs", options.sorted_pairs);
  PushSwitch(lua, "charges", options.charges);
  PushSwitch(lua, "bounded_rep", options.bounded_rep);
  PushSwitch(lua, "bounded_join", options.bounded_join);
  PushSwitch(lua, "fatal_overflow", options.fatal_overflow);
  PushSwitch(lua, "declared_reads", options.declared_reads);
  PushSwitch(lua, "raw_results", options.raw_results);
  PushSwitch(lua, "compiled", options.compiled);
  PushSwitch(lua, "probing", options.probing);
}

std::string_view TextAt(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* data = lua_tolstring(lua, index, &size);
  return data == nullptr ? std::string_view() : std::string_view(data, size);
}

bool IsOverflow(std::string_view message) { return message.ends_with("stack overflow"); }

}  // namespace

State& State::Of(lua_State* lua) {
  return *static_cast<State*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

int State::Install(lua_State* lua) {
  constexpr std::pair<Slot, lua_CFunction> kFunctions[] = {
      {kHandler, &State::OnError},      {kExhausted, &State::OnExhausted},
      {kOverflown, &State::OnOverflow}, {kBoot, &State::Boot},
      {kMayGoOn, &State::OnLook},       {kLoad, &State::LoadChunk},
      {kCount, &State::CountKeys},      {kBind, &State::BindKeys},
      {kLookup, &State::LookupName},    {kMark, &State::OnMark},
      {kAbort, &State::OnAbort},        {kSubmit, &State::AskSubmit},
      {kReasons, &State::ListReasons}};
  for (const auto& [slot, function] : kFunctions) {
    lua_pushvalue(lua, 1);
    lua_pushcclosure(lua, function, 1);
    lua_rawseti(lua, LUA_REGISTRYINDEX, slot);
  }
  return 0;
}

// Runs where the error happened, so the policy's frames can still be read. Only strings are read:
// turning another error object into text could run the policy's code.
int State::OnError(lua_State* lua) {
  State& self = Of(lua);
  const int line = PolicyLine(lua);
  if (!self.options_.plain_errors && luaL_callmeta(lua, 1, "__tostring") != 0) lua_replace(lua, 1);
  if (lua_type(lua, 1) == LUA_TSTRING) {
    self.error_ = MakeCallError(TextAt(lua, 1), line);
    if (IsOverflow(TextAt(lua, 1)) && !self.overflow_) self.overflow_ = self.error_;
  } else {
    self.error_.line = line;
    self.error_.text = std::string("the error raised is a ") + luaL_typename(lua, 1) +
                       ", not a message; write error(\"...\")";
  }
  return 0;
}

// A policy may catch the error that follows; the line must survive that.
int State::OnExhausted(lua_State* lua) {
  State& self = Of(lua);
  if (self.exhausted_line_ != 0) return 0;
  self.exhausted_line_ = PolicyLine(lua);
  self.item_exhausted_ = lua_toboolean(lua, 1) != 0;
  return 0;
}

// How deep a recursion comes, or how much memory there is, is nothing an answer may depend on: code
// that catches that error fails all the same.
int State::OnOverflow(lua_State* lua) {
  State& self = Of(lua);
  if (!self.overflow_) self.overflow_ = MakeCallError(TextAt(lua, 1), PolicyLine(lua));
  return 0;
}

// Cannot raise.
int State::OnLook(lua_State* lua) {
  lua_pushboolean(lua, Of(lua).InTime() ? 1 : 0);
  return 1;
}

// Cannot raise: the loader made room for every mark.
int State::OnMark(lua_State* lua) {
  ++(*Of(lua).options_.counts)[static_cast<std::size_t>(lua_tointeger(lua, 1))];
  lua_pushboolean(lua, 1);
  return 1;
}

// note_abort(line, reason): the compiler tells the prelude, outside any policy's call.
int State::OnAbort(lua_State* lua) {
  std::vector<TraceAbort>& aborts = *Of(lua).options_.aborts;
  const int line = static_cast<int>(lua_tointeger(lua, 1));
  for (const TraceAbort& known : aborts) {
    if (known.line == line) return 0;
  }
  aborts.push_back(MakeTraceAbort(line, std::string(TextAt(lua, 2))));
  return 0;
}

int State::Boot(lua_State* lua) {
  State& self = Of(lua);
  luaL_openlibs(lua);
  std::string_view boot;
  lua_createtable(lua, 0, 16);
  for (const EmbeddedFile& file : PreludeFiles()) {
    PushText(lua, file.text);
    lua_setfield(lua, 1, file.name.data());
    if (file.name == "boot.lua") boot = file.text;
  }
  if (luaL_loadbufferx(lua, boot.data(), boot.size(), "=prelude", "t") != 0) return lua_error(lua);
  lua_insert(lua, 1);
  PushText(lua, CDefinitions());
  lua_pushlightuserdata(lua, &self.frame_);
  PushSwitches(lua, self.options_);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kExhausted);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kOverflown);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kMayGoOn);
  if (self.options_.aborts != nullptr) {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, kAbort);
  } else {
    lua_pushnil(lua);
  }
  lua_call(lua, 8, 2);
  self.fuel_ = static_cast<muster_fuel*>(const_cast<void*>(lua_topointer(lua, -1)));
  lua_rawseti(lua, LUA_REGISTRYINDEX, kFuel);
  lua_rawseti(lua, LUA_REGISTRYINDEX, kMain);
  return 0;
}

int State::LoadChunk(lua_State* lua) {
  State& self = Of(lua);
  Request& request = *self.request_;
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kMain);
  lua_getfield(lua, 1, "load");
  const char* mode = self.options_.text_only ? "t" : nullptr;
  for (const std::string_view text : {request.source, request.rewritten}) {
    lua_settop(lua, 2);
    if (luaL_loadbufferx(lua, text.data(), text.size(), "@policy.lua", mode) != 0) {
      return lua_error(lua);
    }
  }
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kFuel);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kMark);
  lua_call(lua, 2, 1);
  lua_createtable(lua, 0, static_cast<int>(request.params->size()));
  for (const auto& [name, text] : *request.params) {
    PushText(lua, name);
    PushText(lua, text);
    lua_rawset(lua, -3);
  }
  lua_createtable(lua, 0, static_cast<int>(self.zones_.names.size()));
  int zone = 0;
  for (const std::string& name : self.zones_.names) {
    lua_pushinteger(lua, zone++);
    lua_setfield(lua, -2, name.c_str());
  }
  lua_createtable(lua, 0, static_cast<int>(self.zones_.known.size()));
  for (const std::string& name : self.zones_.known) PushSwitch(lua, name.c_str(), true);
  self.gauge_.Arm(self.fuel_, MemoryGauge::Running::kFile);
  lua_call(lua, 4, 1);
  self.gauge_.Disarm();
  lua_getfield(lua, 1, "freeze");
  lua_pushvalue(lua, 2);
  lua_call(lua, 1, 0);
  ReadPackageTable(lua, *request.table);
  lua_setfield(lua, 1, "package");
  return 0;
}

// Pushes `member` of what the prelude prepared for the hook of the request.
void State::PushPrepared(lua_State* lua, const char* member) {
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kMain);
  lua_getfield(lua, -1, "package");
  PushText(lua, HookName(Of(lua).request_->asked));
  lua_rawget(lua, -2);
  lua_getfield(lua, -1, member);
}

int State::CountKeys(lua_State* lua) {
  State& self = Of(lua);
  PushPrepared(lua, "rehearse");
  lua_call(lua, 0, 1);
  self.request_->keys = static_cast<int>(lua_tointeger(lua, -1));
  return 0;
}

int State::BindKeys(lua_State* lua) {
  State& self = Of(lua);
  PushPrepared(lua, "bind");
  lua_pushinteger(lua, self.request_->keys);
  lua_call(lua, 1, 2);
  lua_rawseti(lua, LUA_REGISTRYINDEX, EachSlotOf(self.request_->asked));
  lua_rawseti(lua, LUA_REGISTRYINDEX, SlotOf(self.request_->asked));
  return 0;
}

// ask() returns: why it is rejected, priority, queue, labels as a flat list.
int State::AskSubmit(lua_State* lua) {
  SubmitAnswer& answer = *Of(lua).request_->answer;
  PushPrepared(lua, "ask");
  lua_call(lua, 0, 4);
  if (lua_isstring(lua, -4) != 0) answer.rejected = Printable(TextAt(lua, -4));
  if (lua_isnumber(lua, -3) != 0) answer.priority = lua_tonumber(lua, -3);
  if (lua_isstring(lua, -2) != 0) answer.queue = std::string(TextAt(lua, -2));
  const int texts = static_cast<int>(lua_objlen(lua, -1));
  for (int i = 1; i + 1 <= texts; i += 2) {
    lua_rawgeti(lua, -1, i);
    lua_rawgeti(lua, -2, i + 1);
    answer.labels[std::string(TextAt(lua, -2))] = TextAt(lua, -1);
    lua_pop(lua, 2);
  }
  return 0;
}

int State::ListReasons(lua_State* lua) {
  std::vector<std::string>& reasons = *Of(lua).request_->reasons;
  PushPrepared(lua, "reasons");
  lua_call(lua, 0, 1);
  const int count = static_cast<int>(lua_objlen(lua, -1));
  for (int i = 1; i <= count; ++i) {
    lua_rawgeti(lua, -1, i);
    reasons.push_back(Printable(TextAt(lua, -1).substr(0, kMaxHoldReason)));
    lua_pop(lua, 1);
  }
  return 0;
}

int State::LookupName(lua_State* lua) {
  Request& request = *Of(lua).request_;
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kMain);
  lua_getfield(lua, -1, "lookup");
  for (const std::string_view text : {request.scope, request.name, request.reads, request.hook}) {
    PushText(lua, text);
  }
  lua_call(lua, 4, 2);
  if (lua_isstring(lua, -2) != 0) {
    request.problem.emplace();
    request.problem->what = TextAt(lua, -2);
    request.problem->cure = TextAt(lua, -1);
  }
  return 0;
}

}  // namespace muster::luajit
