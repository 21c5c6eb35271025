// The host's half of State: one protected call, and what came of it. All host functions and the
// prelude's results are kept in the registry under small integers, so that a call reads them
// without allocating: between calls nothing here can raise.
#include "bindings/luajit/state.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <lua.hpp>
#include <new>

#include "bindings/luajit/host_functions.h"
#include "bindings/luajit/state_slots.h"

namespace muster::luajit {
namespace {

/// Units between two looks at the clock: usually, and once much of a cycle's time is gone.
constexpr std::int32_t kSlice = 16'384;
constexpr std::int32_t kShortSlice = 1'024;

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
  state->frame_.hash = &HashOfText;
  state->frame_.zone_offset = &ZoneOffset;
  state->frame_.zones = &state->zones_.rules;
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

int State::SlotOf(Hook hook) { return kLoop + static_cast<int>(hook); }
int State::EachSlotOf(Hook hook) { return kEach + static_cast<int>(hook); }

// Compiled code neither allocates what the interpreter would nor sees the drained fuel at its next
// tick, and its frames fill the stack elsewhere. A call that meets such a limit is repeated without
// it: what the interpreter says then counts, and depends on the source and the batch alone.
bool State::DependsOnTheCompiler() const {
  return options_.compiled && (gauge_.trip() != MemoryGauge::Trip::kNone || overflow_);
}

std::optional<CallError> State::Call(int function, std::int32_t fuel) {
  auto error = CallOnce(function, fuel);
  if (late_ || !DependsOnTheCompiler()) return error;
  luaJIT_setmode(lua_, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_FLUSH);
  luaJIT_setmode(lua_, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);
  error = CallOnce(function, fuel);
  luaJIT_setmode(lua_, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_ON);
  return error;
}

// The one protected call: nothing before it can raise.
std::optional<CallError> State::CallOnce(int function, std::int32_t fuel) {
  budget_ = fuel;
  error_ = {};
  exhausted_line_ = 0;
  item_exhausted_ = false;
  overflow_.reset();
  gauge_.Clear();
  fuel_->slice = time_->Pressed(options_.limits.seconds) ? kShortSlice : kSlice;
  fuel_->left = std::min(fuel, fuel_->slice);
  fuel_->reserve = fuel - fuel_->left;
  fuel_->item = options_.limits.one_item_fuel;
  fuel_->begun = fuel;
  fuel_->odd_begun = -1;
  fuel_->keys = 0;
  begun_.reset();
  if (time_->watched()) begun_ = ThreadSeconds();
  late_ = begun_ && !time_->ignored() && time_->Late(0, options_.limits.seconds);
  tripped_ = false;
  if (late_) {
    fuel_used_ = budget_;
    return Explain(0);
  }
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, kHandler);
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, function);
  if (function >= kLoop || function == kCount || function == kSubmit) {
    gauge_.Arm(fuel_, MemoryGauge::Running::kHook);
  }
  const int status = lua_pcall(lua_, 0, 0, 1);
  gauge_.Disarm();
  // Lua has caught what a host function threw; no handler was asked, which leaves no text behind.
  const bool thrown = status == LUA_ERRRUN && lua_isstring(lua_, -1) != 0;
  lua_settop(lua_, 0);
  if (thrown) throw std::bad_alloc();
  tripped_ = gauge_.trip() != MemoryGauge::Trip::kNone || overflow_;
  fuel_used_ = tripped_ || fuel_->left < 0 ? budget_ : budget_ - fuel_->left - fuel_->reserve;
  time_->Burn(fuel_used_);
  if (begun_) time_->Add(ThreadSeconds() - *begun_);
  if (status == 0 && fuel_->left >= 0 && !tripped_) return std::nullopt;
  CallError error = Explain(status);
  lua_gc(lua_, LUA_GCCOLLECT, 0);
  return error;
}

// The first slice of fuel is not watched where nothing was burnt before: it is short.
bool State::InTime() {
  if (time_->ignored()) return true;
  if (!begun_) {
    begun_ = ThreadSeconds();
    return true;
  }
  late_ = late_ || time_->Late(ThreadSeconds() - *begun_, options_.limits.seconds);
  if (time_->Pressed(options_.limits.seconds)) fuel_->slice = kShortSlice;
  return !late_;
}

// A tripped limit explains every error that came after it, also one the policy caught.
CallError State::Explain(int status) {
  const Limits& limits = options_.limits;
  if (exhausted_line_ != 0) error_.line = exhausted_line_;
  const auto limit = [this](const std::string& what, std::size_t bytes, const char* cure) {
    return CallError{what + std::to_string(bytes >> 20) + " MB; " + cure, error_.line};
  };
  switch (gauge_.trip()) {
    case MemoryGauge::Trip::kMemory:
      return limit("the policy holds more than the memory limit of ", gauge_.most(),
                   "keep less in tables and strings");
    case MemoryGauge::Trip::kBlock:
      return limit("one value of the policy is larger than ", gauge_.most_in_block(),
                   "build smaller tables and strings");
    case MemoryGauge::Trip::kNone:
      break;
  }
  if (overflow_) return *overflow_;
  if (late_) {
    return {"the policy took more than its part of the " +
                std::to_string(static_cast<int>(limits.seconds * 1'000)) +
                " ms that all policies have in a cycle, within its fuel; let it do less for each "
                "item",
            error_.line};
  }
  if (item_exhausted_) {
    return {"out of fuel: one item used all of its " +
                std::to_string(options_.limits.one_item_fuel) +
                "; a loop or recursion runs too long",
            error_.line};
  }
  if (fuel_->left < 0) {
    return {"out of fuel: used all of " + std::to_string(budget_) +
                "; a loop or recursion runs too long",
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

std::int32_t State::FuelFor(const muster_batch& batch) const {
  const Limits& limits = options_.limits;
  const std::int64_t fuel =
      limits.call_fuel + std::int64_t{limits.item_fuel} * std::int64_t{batch.count};
  return static_cast<std::int32_t>(std::min<std::int64_t>(fuel, limits.max_fuel));
}

std::optional<CallError> State::Ask(Hook hook, const muster_batch& batch, double* keys,
                                    bool rehearsal) {
  Look(batch, rehearsal);
  frame_.keys = keys;
  auto error = Call(SlotOf(hook), FuelFor(batch));
  item_ = ItemOf(frame_);
  return error;
}

// What one batch allocates counts for those behind it too: the limits of memory are met sooner than
// one by one, never later. Executions that are counted must not happen twice.
bool State::AskEach(Hook hook, std::span<const muster_batch> batches, double* keys,
                    std::span<std::int64_t> fuel, bool rehearsal) {
  if (options_.counts != nullptr) return false;
  Look(batches.front(), rehearsal);
  turns_.clear();
  std::size_t items = 0;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    turns_.push_back({&batches[i], FuelFor(batches[i])});
    fuel[i] = turns_.back().fuel;
    items += batches[i].count;
  }
  frame_.keys = keys;
  frame_.turns = turns_.data();
  frame_.turn_items = static_cast<double>(items);
  item_ = -1;
  if (CallOnce(EachSlotOf(hook), turns_.front().fuel)) return false;
  for (std::size_t i = 0; i < batches.size(); ++i) fuel[i] -= turns_[i].fuel;
  return true;
}

// What the call used, and what it looked at, stays known.
std::optional<CallError> State::Reasons(std::vector<std::string>& reasons) {
  const std::int32_t used = fuel_used_;
  Request request;
  request.asked = Hook::kHold;
  request.reasons = &reasons;
  request_ = &request;
  auto error = Call(kReasons, 0);
  fuel_used_ = used;
  return error;
}

std::optional<CallError> State::Submit(const muster_batch& batch, SubmitAnswer& answer,
                                       bool rehearsal) {
  Request request;
  request.asked = Hook::kSubmit;
  request.answer = &answer;
  request_ = &request;
  Look(batch, rehearsal);
  auto error = Call(kSubmit, options_.limits.call_fuel + options_.limits.item_fuel);
  item_ = -1;
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
  if (Call(kLookup, options_.limits.load_fuel)) return std::nullopt;
  return request.problem;
}

}  // namespace muster::luajit
