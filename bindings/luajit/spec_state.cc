// The registry keeps the function that runs a spec; everything else lives in Lua.
#include "bindings/luajit/spec_state.h"

#include <chrono>
#include <lua.hpp>

#include "bindings/luajit/cycle_time.h"
#include "bindings/luajit/embedded.h"

namespace muster::luajit {
namespace {

constexpr int kRun = 1;             // registry slot of what main.lua returned
constexpr int kEvent = 10'000;      // instructions between two count events
constexpr int kMaxEvents = 30'000;  // of one test, a second
constexpr int kAskEvents = 10;      // what a call of a cluster counts as: it takes as long
constexpr double kMaxSeconds = 5;   // a thread's own time, of one test
constexpr double kMaxRun = 10;      // of all tests of a package
constexpr std::size_t kMaxMemory = 256u << 20;
constexpr std::size_t kOvershoot = 64u << 20;  // above it: refused
constexpr std::size_t kMaxGenerations = 1'000;
constexpr const char* kTooLong = "the test runs too long";
constexpr const char* kRunTooLong = "the specs run too long: all of a package have 10 s together";
constexpr const char* kTooLarge = "the test uses more than 256 MB";

std::string_view ArgumentText(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* data = lua_tolstring(lua, index, &size);
  return data == nullptr ? std::string_view() : std::string_view(data, size);
}

void PushView(lua_State* lua, std::string_view text) {
  lua_pushlstring(lua, text.data(), text.size());
}

void SetText(lua_State* lua, const char* key, std::string_view text) {
  PushView(lua, text);
  lua_setfield(lua, -2, key);
}

SpecVerdict VerdictFrom(std::string_view text) {
  if (text == "passed") return SpecVerdict::kPassed;
  return text == "pending" ? SpecVerdict::kPending : SpecVerdict::kFailed;
}

}  // namespace

SpecState::SpecState(const PackageSource& source, const SpecOptions& options, SpecRun& run)
    : source_(source),
      options_(options),
      run_(run),
      gauge_(memory_options_),
      run_begun_(ThreadSeconds()) {
  memory_options_.limits.memory = kMaxMemory;
  memory_options_.limits.overshoot = kOvershoot;
  memory_options_.block_limit = false;
  lua_ = lua_newstate(&SpecState::Allocate, this);
}

SpecState::~SpecState() {
  if (lua_ != nullptr) lua_close(lua_);
}

SpecState& SpecState::Of(lua_State* lua) {
  return *static_cast<SpecState*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

std::optional<std::string> SpecState::Protected(int (*function)(lua_State*)) {
  if (lua_ == nullptr) return "there is not enough memory for a Lua state";
  lua_settop(lua_, 0);
  if (lua_cpcall(lua_, function, this) == 0) return std::nullopt;
  const std::string_view text = ArgumentText(lua_, -1);
  return std::string(text.empty() ? "an error without a message" : text);
}

std::optional<std::string> SpecState::Boot() { return Protected(&SpecState::BootProtected); }

std::optional<std::string> SpecState::RunFile(const PackageFile& file) {
  file_ = &file;
  return Protected(&SpecState::RunProtected);
}

int SpecState::BootProtected(lua_State* lua) {
  auto& self = *static_cast<SpecState*>(lua_touserdata(lua, 1));
  luaL_openlibs(lua);
  lua_pushlightuserdata(lua, &self);
  lua_setfield(lua, LUA_REGISTRYINDEX, "muster_spec");
  std::string_view boot;
  lua_newtable(lua);
  for (const auto& files : {PreludeFiles(), TestingFiles()}) {
    for (const EmbeddedFile& file : files) {
      SetText(lua, file.name.data(), file.text);
      if (file.name == "boot.lua") boot = file.text;
    }
  }
  if (luaL_loadbufferx(lua, boot.data(), boot.size(), "=testing", "t") != 0) return lua_error(lua);
  lua_insert(lua, -2);
  PushView(lua, CDefinitions());
  self.PushHost(lua);
  lua_call(lua, 3, 1);
  lua_rawseti(lua, LUA_REGISTRYINDEX, kRun);
  return 0;
}

void SpecState::PushHost(lua_State* lua) {
  struct Entry {
    const char* name;
    lua_CFunction function;
  };
  constexpr Entry kHost[] = {
      {"load", &SpecState::LoadPolicy},        {"ask", &SpecState::AskPolicy},
      {"ask_world", &SpecState::AskWorld},     {"report", &SpecState::AddCase},
      {"clock", &SpecState::ReadClock},        {"begin_test", &SpecState::BeginTest},
      {"read_golden", &SpecState::ReadGolden}, {"write_golden", &SpecState::WriteGolden},
      {"exceeded", &SpecState::ExceededLimit}};
  lua_newtable(lua);
  for (const auto& [name, function] : kHost) {
    if (function == &SpecState::AskWorld && options_.world == nullptr) continue;
    lua_pushlightuserdata(lua, this);
    lua_pushcclosure(lua, function, 1);
    lua_setfield(lua, -2, name);
  }
  lua_pushinteger(lua, options_.seed);
  lua_setfield(lua, -2, "seed");
  lua_pushboolean(lua, options_.update ? 1 : 0);
  lua_setfield(lua, -2, "update");
}

int SpecState::RunProtected(lua_State* lua) {
  auto& self = *static_cast<SpecState*>(lua_touserdata(lua, 1));
  const std::string_view bytes = self.file_->bytes;
  const std::string_view path = self.file_->path;
  self.Begin();
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kRun);
  PushView(lua, path);
  if (bytes.starts_with(LUA_SIGNATURE[0])) {
    lua_pushfstring(lua, "%s:1: it is bytecode; give its source", lua_tostring(lua, -1));
    return lua_error(lua);
  }
  lua_pushfstring(lua, "@%s", lua_tostring(lua, -1));
  if (luaL_loadbufferx(lua, bytes.data(), bytes.size(), lua_tostring(lua, -1), "t") != 0) {
    return lua_error(lua);
  }
  lua_remove(lua, -2);
  lua_newtable(lua);
  SetText(lua, "filter", self.options_.filter);
  SetText(lua, "tags", self.options_.tags);
  lua_pushboolean(lua, self.options_.stop ? 1 : 0);
  lua_setfield(lua, -2, "stop");
  lua_call(lua, 3, 0);
  return 0;
}

bool SpecState::Over() const { return ThreadSeconds() - run_begun_ >= kMaxRun; }

// Notes the place of the spec that is being run; nothing is allocated in Lua, and only the first
// limit counts.
void SpecState::Exceed(const char* what) {
  if (!exceeded_.empty()) return;
  lua_Debug frame;
  for (int level = 0; lua_getstack(lua_, level, &frame) != 0; ++level) {
    if (lua_getinfo(lua_, "Sl", &frame) == 0 || frame.source[0] != '@') continue;
    exceeded_ = std::string(frame.short_src) + ":" + std::to_string(frame.currentline) + ": ";
    break;
  }
  exceeded_ += what;
}

// The compiler is off, so that a refused block is an error like any other.
void* SpecState::Allocate(void* self, void* block, std::size_t old_size, std::size_t new_size) {
  auto& state = *static_cast<SpecState*>(self);
  const bool over = new_size > old_size && state.gauge_.armed() &&
                    state.gauge_.used() + (new_size - old_size) > kMaxMemory;
  if (over) {
    state.Exceed(kTooLarge);
    lua_sethook(state.lua_, &SpecState::OnCount, LUA_MASKCOUNT, 1);
  }
  return MemoryGauge::Allocate(&state.gauge_, block, old_size, new_size);
}

// Once a limit is exceeded every further instruction of a spec, and of what works for it, raises,
// so that catching it is of no use; only the runner, which reports it, goes on.
void SpecState::OnCount(lua_State* lua, lua_Debug* event) {
  lua_getfield(lua, LUA_REGISTRYINDEX, "muster_spec");
  auto& self = *static_cast<SpecState*>(lua_touserdata(lua, -1));
  lua_pop(lua, 1);
  const bool in_time =
      ++self.counts_ <= kMaxEvents && ThreadSeconds() - self.begun_ < kMaxSeconds && !self.Over();
  if (in_time && self.exceeded_.empty()) return;
  if (lua_getinfo(lua, "S", event) == 0) return;
  lua_sethook(lua, &SpecState::OnCount, LUA_MASKCOUNT, 1);
  const std::string_view source = event->source;
  if (source[0] != '@' && source != "=testing") return;
  self.Exceed(self.Over() ? kRunTooLong : kTooLong);
  lua_pushlstring(lua, self.exceeded_.data(), self.exceeded_.size());
  lua_error(lua);
}

int SpecState::Raise(lua_State* lua) const {
  PushView(lua, problem_);
  return lua_error(lua);
}

// ---- policies ----------------------------------------------------------------------------------

int SpecState::LoadPolicy(lua_State* lua) {
  SpecState& self = Of(lua);
  if (!self.FindGeneration(lua)) return self.Raise(lua);
  self.PushGeneration(lua);
  return 1;
}

// The generation with the parameters in table 1. Equal ones are shared: a policy has no memory.
bool SpecState::FindGeneration(lua_State* lua) {
  ParamTexts params;
  for (lua_pushnil(lua); lua_next(lua, 1) != 0; lua_pop(lua, 1)) {
    if (lua_type(lua, -2) != LUA_TSTRING) continue;
    params.emplace(ArgumentText(lua, -2), ArgumentText(lua, -1));
  }
  if (generations_.size() == kMaxGenerations && !numbers_.contains(params)) {
    problem_ = "specs try at most " + std::to_string(kMaxGenerations) +
               " sets of parameters of a package; try fewer values";
    return false;
  }
  const auto [entry, added] = numbers_.emplace(params, static_cast<int>(generations_.size()));
  asked_ = entry->second;
  if (!added) return true;
  SandboxOptions options;
  options.counts = options_.counts;
  LoadedPackage loaded = Load(source_, params, options);
  if (loaded.policy != nullptr) {
    generations_.push_back(std::move(loaded.policy));
    return true;
  }
  numbers_.erase(entry);
  problem_.clear();
  for (const PackageProblem& problem : loaded.problems) {
    problem_ += (problem_.empty() ? "" : "\n") + problem.ToString();
  }
  return false;
}

void SpecState::PushGeneration(lua_State* lua) const {
  const PolicyInfo& info = generations_[static_cast<std::size_t>(asked_)]->info();
  lua_newtable(lua);
  lua_pushinteger(lua, asked_);
  lua_setfield(lua, -2, "id");
  SetText(lua, "name", info.name);
  lua_newtable(lua);
  for (std::size_t i = 0; i < info.labels.size(); ++i) {
    PushView(lua, info.labels[i]);
    lua_rawseti(lua, -2, static_cast<int>(i) + 1);
  }
  lua_setfield(lua, -2, "labels");
  lua_newtable(lua);
  int account = 0;
  for (const DeclaredAccount& declared : info.accounts) {
    if (declared.name.empty()) break;
    PushView(lua, declared.name);
    lua_rawseti(lua, -2, ++account);
  }
  lua_setfield(lua, -2, "accounts");
  lua_newtable(lua);
  int label = 0;
  const auto push_label = [&](AccountBy by, const std::string& name) {
    if (by != AccountBy::kLabel && by != AccountBy::kUser) return;
    PushView(lua, by == AccountBy::kLabel ? std::string_view(name) : kUserLabel);
    lua_rawseti(lua, -2, ++label);
  };
  for (const DeclaredAccount& declared : info.accounts) {
    push_label(declared.rule.by, declared.rule.label);
    for (const AccountKeyPart& part : declared.rule.also) push_label(part.by, part.label);
  }
  for (const HookInfo& hook : info.hooks) {
    for (const AccountKeyPart& part : hook.per) push_label(part.by, part.label);
  }
  lua_setfield(lua, -2, "account_labels");
  lua_newtable(lua);
  for (const HookInfo& hook : info.hooks) {
    PushView(lua, HookName(hook.hook));
    lua_pushinteger(lua, hook.keys);
    lua_rawset(lua, -3);
  }
  lua_setfield(lua, -2, "hooks");
}

// host.ask(generation, hook, batch, count, out): the reasons that answers of hold name.
int SpecState::AskPolicy(lua_State* lua) {
  SpecState& self = Of(lua);
  lua_settop(lua, 5);
  lua_getfield(lua, 1, "id");
  if (!self.Ask(lua)) return self.Raise(lua);
  lua_newtable(lua);
  for (std::size_t i = 0; i < self.reasons_.size(); ++i) {
    PushView(lua, self.reasons_[i]);
    lua_rawseti(lua, -2, static_cast<int>(i) + 1);
  }
  return 1;
}

bool SpecState::Ask(lua_State* lua) {
  LuaPolicy& policy = *generations_.at(static_cast<std::size_t>(lua_tointeger(lua, 6)));
  const std::optional<Hook> hook = HookFromName(ArgumentText(lua, 2));
  const auto* batch = static_cast<const muster_batch*>(lua_topointer(lua, 3));
  auto* out = static_cast<double*>(const_cast<void*>(lua_topointer(lua, 5)));
  std::size_t width = 0;
  for (const HookInfo& info : policy.info().hooks) {
    if (info.hook == hook) width = static_cast<std::size_t>(info.keys);
  }
  HookOutcome outcome = policy.Call(*hook, *batch, std::span(out, batch->count * width));
  reasons_ = std::move(outcome.reasons);
  fuel_ += outcome.fuel;
  problem_ = outcome.message;
  return outcome.ok;
}

// host.ask_world(request, generation number or nil)
int SpecState::AskWorld(lua_State* lua) {
  SpecState& self = Of(lua);
  std::shared_ptr<Policy> policy;
  if (lua_type(lua, 2) == LUA_TNUMBER) {
    policy = self.generations_.at(static_cast<std::size_t>(lua_tointeger(lua, 2)));
  }
  self.counts_ += kAskEvents;
  self.answer_ = self.options_.world->Ask(ArgumentText(lua, 1), policy);
  policy.reset();
  PushView(lua, self.answer_);
  return 1;
}

// ---- results -----------------------------------------------------------------------------------

// host.report(name, file, line, verdict, message, seconds)
int SpecState::AddCase(lua_State* lua) {
  SpecState& self = Of(lua);
  SpecCase& each = self.run_.cases.emplace_back();
  each.name = ArgumentText(lua, 1);
  each.file = self.source_.folder + "/" + std::string(ArgumentText(lua, 2));
  each.line = static_cast<int>(lua_tointeger(lua, 3));
  each.verdict = VerdictFrom(ArgumentText(lua, 4));
  each.message = ArgumentText(lua, 5);
  each.seconds = lua_tonumber(lua, 6);
  each.fuel = self.fuel_;
  self.run_.failed = self.run_.failed || each.verdict == SpecVerdict::kFailed;
  return 0;
}

int SpecState::ReadClock(lua_State* lua) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  lua_pushnumber(lua, std::chrono::duration<double>(now).count());
  return 1;
}

// Limits begin anew. What was left behind is collected where it is much.
void SpecState::Begin() {
  gauge_.Disarm();
  if (gauge_.used() > kMaxMemory / 4) lua_gc(lua_, LUA_GCCOLLECT, 0);
  gauge_.Arm(&no_fuel_, MemoryGauge::Running::kFile);
  exceeded_.clear();
  fuel_ = 0;
  counts_ = 0;
  begun_ = ThreadSeconds();
  lua_sethook(lua_, &SpecState::OnCount, LUA_MASKCOUNT, kEvent);
}

// host.begin_test(): nil, or why none can begin.
int SpecState::BeginTest(lua_State* lua) {
  SpecState& self = Of(lua);
  self.Begin();
  if (!self.Over()) return 0;
  PushView(lua, kRunTooLong);
  return 1;
}

// host.exceeded(): the limit that the test exceeded, or nil.
int SpecState::ExceededLimit(lua_State* lua) {
  SpecState& self = Of(lua);
  if (self.exceeded_.empty()) return 0;
  self.gauge_.Disarm();  // the runner needs some to report it
  PushView(lua, self.exceeded_);
  return 1;
}

int SpecState::ReadGolden(lua_State* lua) {
  SpecState& self = Of(lua);
  const std::string_view name = ArgumentText(lua, 1);
  for (const PackageFile& file : self.source_.files) {
    const std::string_view path = file.path;
    if (!path.starts_with("goldens/") || !path.ends_with(".txt")) continue;
    if (path.substr(8, path.size() - 12) != name) continue;
    PushView(lua, file.bytes);
    return 1;
  }
  return 0;
}

int SpecState::WriteGolden(lua_State* lua) {
  Of(lua).run_.goldens["goldens/" + std::string(ArgumentText(lua, 1)) + ".txt"] =
      ArgumentText(lua, 2);
  return 0;
}

}  // namespace muster::luajit
