// All host functions and the prelude's results are kept in the registry under small integers, so
// that a call reads them without allocating: between calls nothing here can raise.
#include "bindings/luajit/state.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <lua.hpp>

#include "bindings/luajit/embedded.h"

namespace muster::luajit {

enum State::Slot : int {
  kHandler = 1001,
  kExhausted,
  kBoot,
  kLoad,
  kCount,
  kBind,
  kLookup,
  kMain,         ///< the prelude's table
  kFuel,         ///< the fuel cell
  kLoop = 1100,  ///< the loop over a batch: one slot for each hook from here on
};

struct State::Request {
  std::string_view source, rewritten;
  const ParamTexts* params = nullptr;
  PackageTable* table = nullptr;
  Hook asked = Hook::kQueueOrder;
  int keys = 0;
  std::string_view scope, name, reads, hook;
  std::optional<NameProblem> problem;
};

namespace {

// Called from the interpreter and from compiled code alike, which is what makes it deterministic.
double Power(double x, double y) { return std::pow(x, y); }

double Random(const muster_call* frame, const char* stream, unsigned int size) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto mix = [&hash](const void* data, std::size_t bytes) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ p[i]) * 0x100000001b3u;
  };
  mix(&frame->random_seed, sizeof frame->random_seed);
  mix(&frame->batch->cycle, sizeof frame->batch->cycle);
  mix(stream, size);
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  hash ^= hash >> 31;
  return static_cast<double>(hash >> 11) * 0x1.0p-53;
}

/// Index of the item that the frame points at, -1 for none.
std::int64_t ItemOf(const muster_call& frame) {
  const muster_batch& batch = *frame.batch;
  if (frame.workload != nullptr) return frame.workload - batch.workloads;
  if (frame.node != nullptr) return frame.node - batch.nodes;
  if (frame.flavor != nullptr) return frame.flavor - batch.flavors;
  return -1;
}

int OnPanic(lua_State* lua) {
  const char* text = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "unknown error";
  std::fprintf(stderr, "muster: unprotected Lua error: %s\n", text);
  std::abort();
}

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
  lua_createtable(lua, 0, 10);
  PushSwitch(lua, "allow_list", options.allow_list);
  PushSwitch(lua, "library_copies", options.library_copies);
  PushSwitch(lua, "locked_tables", options.locked_tables);
  PushSwitch(lua, "string_metatable", options.string_metatable);
  PushSwitch(lua, "sorted_pairs", options.sorted_pairs);
  PushSwitch(lua, "charges", options.charges);
  PushSwitch(lua, "bounded_rep", options.bounded_rep);
  PushSwitch(lua, "declared_reads", options.declared_reads);
  PushSwitch(lua, "raw_results", options.raw_results);
  PushSwitch(lua, "compiled", options.compiled);
}

std::string_view TextAt(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* data = lua_tolstring(lua, index, &size);
  return data == nullptr ? std::string_view() : std::string_view(data, size);
}

}  // namespace

Result<std::unique_ptr<State>> State::Create(const SandboxOptions& options) {
  std::unique_ptr<State> state(new State(options));
  state->lua_ = lua_newstate(&MemoryGauge::Allocate, &state->gauge_);
  if (state->lua_ == nullptr) {
    return Status(StatusCode::kUnavailable,
                  "cannot create a Lua state: this LuaJIT is not a GC64 build, or memory is short");
  }
  lua_atpanic(state->lua_, &OnPanic);
  state->frame_.power = &Power;
  state->frame_.random = &Random;
  std::optional<CallError> error;
  if (lua_cpcall(state->lua_, &State::Install, state.get()) != 0) {
    error = CallError{"not enough memory", 0};
  } else {
    error = state->Call(kBoot, 0);
  }
  if (error) {
    return Status(StatusCode::kUnavailable, "cannot start the policy prelude: " + error->text);
  }
  state->gauge_.BeginCounting();
  return state;
}

State::~State() {
  if (lua_ != nullptr) lua_close(lua_);
}

State& State::Of(lua_State* lua) {
  return *static_cast<State*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

int State::Install(lua_State* lua) {
  constexpr std::pair<Slot, lua_CFunction> kFunctions[] = {
      {kHandler, &State::OnError},  {kExhausted, &State::OnExhausted}, {kBoot, &State::Boot},
      {kLoad, &State::LoadChunk},   {kCount, &State::CountKeys},       {kBind, &State::BindKeys},
      {kLookup, &State::LookupName}};
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
  if (self.exhausted_line_ == 0) self.exhausted_line_ = PolicyLine(lua);
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
    if (file.name == "boot") boot = file.text;
  }
  if (luaL_loadbufferx(lua, boot.data(), boot.size(), "=prelude", "t") != 0) return lua_error(lua);
  lua_insert(lua, 1);
  PushText(lua, CDefinitions());
  lua_pushlightuserdata(lua, &self.frame_);
  PushSwitches(lua, self.options_);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kExhausted);
  lua_call(lua, 5, 2);
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
  lua_call(lua, 1, 1);
  lua_createtable(lua, 0, static_cast<int>(request.params->size()));
  for (const auto& [name, text] : *request.params) {
    PushText(lua, name);
    PushText(lua, text);
    lua_rawset(lua, -3);
  }
  self.gauge_.Arm(self.fuel_);
  lua_call(lua, 2, 1);
  self.gauge_.Disarm();
  ReadPackageTable(lua, *request.table);
  lua_setfield(lua, 1, "package");
  return 0;
}

int State::SlotOf(Hook hook) { return kLoop + static_cast<int>(hook); }

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
  lua_call(lua, 1, 1);
  lua_rawseti(lua, LUA_REGISTRYINDEX, SlotOf(self.request_->asked));
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

// The one protected call: nothing before it can raise.
std::optional<CallError> State::Call(int function, std::int32_t fuel) {
  budget_ = fuel;
  error_ = {};
  exhausted_line_ = 0;
  gauge_.Clear();
  fuel_->left = fuel;
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, kHandler);
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, function);
  if (function >= kLoop || function == kCount) gauge_.Arm(fuel_);
  const int status = lua_pcall(lua_, 0, 0, 1);
  gauge_.Disarm();
  lua_settop(lua_, 0);
  fuel_used_ = budget_ - std::max(fuel_->left, 0);
  if (status == 0 && fuel_->left >= 0 && gauge_.trip() == MemoryGauge::Trip::kNone) {
    return std::nullopt;
  }
  CallError error = Explain(status);
  lua_gc(lua_, LUA_GCCOLLECT, 0);
  return error;
}

// A tripped limit explains every error that came after it, also one the policy caught. It has no
// line when compiled code, which may not see the drained fuel at its next tick, ran into the
// refusal of the allocator instead.
CallError State::Explain(int status) {
  const Limits& limits = options_.limits;
  if (exhausted_line_ != 0) error_.line = exhausted_line_;
  const auto limit = [this](const std::string& what, std::size_t bytes) {
    return CallError{what + std::to_string(bytes >> 20) + " MB", error_.line};
  };
  switch (gauge_.trip()) {
    case MemoryGauge::Trip::kMemory:
      return limit("the policy holds more than the memory limit of ", limits.memory);
    case MemoryGauge::Trip::kBlock:
      return limit("one value of the policy is larger than ", limits.block);
    case MemoryGauge::Trip::kCallBytes:
      return limit("the policy allocated more in one call than ", limits.bytes_per_call);
    case MemoryGauge::Trip::kNone:
      break;
  }
  if (fuel_->left < 0) {
    return {"out of fuel: used all of " + std::to_string(budget_) + "; a loop runs too long",
            error_.line};
  }
  if (status == LUA_ERRMEM) return {"not enough memory", error_.line};
  if (status == LUA_ERRERR) return {"an error in the handling of an error", error_.line};
  return error_;
}

std::optional<CallError> State::Load(std::string_view source, std::string_view rewritten,
                                     const ParamTexts& params, PackageTable& table) {
  Request request;
  request.source = source;
  request.rewritten = rewritten;
  request.params = &params;
  request.table = &table;
  request_ = &request;
  return Call(kLoad, options_.limits.load_fuel);
}

// Points the frame at the batch. The prelude reads the resource table anew only when it changed.
void State::Look(const muster_batch& batch, bool rehearsal) {
  frame_.batch = &batch;
  frame_.workload = nullptr;
  frame_.holding = nullptr;
  frame_.node = nullptr;
  frame_.flavor = nullptr;
  frame_.rehearsal = rehearsal ? 1 : 0;
  bool same = resources_.size() == batch.resource_count;
  resources_.resize(batch.resource_count);
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    const muster_string& name = batch.strings[batch.resources[i]];
    const std::string_view text(name.data, name.size);
    if (resources_[i] == text) continue;
    resources_[i] = text;
    same = false;
  }
  if (!same) frame_.resources_version += 1;
}

std::optional<CallError> State::Rehearse(Hook hook, const muster_batch& batch, int& keys) {
  Request request;
  request.asked = hook;
  request_ = &request;
  Look(batch, true);
  auto error = Call(kCount, options_.limits.call_fuel + options_.limits.item_fuel);
  keys = request.keys;
  return error;
}

std::optional<CallError> State::Bind(Hook hook, int keys) {
  Request request;
  request.asked = hook;
  request.keys = keys;
  request_ = &request;
  return Call(kBind, 0);
}

std::optional<CallError> State::Ask(Hook hook, const muster_batch& batch, double* keys,
                                    bool rehearsal) {
  Look(batch, rehearsal);
  frame_.keys = keys;
  const Limits& limits = options_.limits;
  const std::int64_t fuel =
      limits.call_fuel + std::int64_t{limits.item_fuel} * std::int64_t{batch.count};
  auto error =
      Call(SlotOf(hook), static_cast<std::int32_t>(std::min<std::int64_t>(fuel, limits.max_fuel)));
  item_ = ItemOf(frame_);
  return error;
}

std::optional<NameProblem> State::Lookup(std::string_view scope, std::string_view name,
                                         std::string_view reads, std::string_view hook) {
  Request request;
  request.scope = scope;
  request.name = name;
  request.reads = reads;
  request.hook = hook;
  request_ = &request;
  if (Call(kLookup, 0)) return std::nullopt;
  return request.problem;
}

}  // namespace muster::luajit
