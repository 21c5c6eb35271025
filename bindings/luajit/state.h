// One Lua state with the trusted prelude in it: the only code that talks to LuaJIT.
//
// Everything that can raise runs inside one protected call; nothing with a destructor lives across
// it. A state belongs to one generation of one package and to one thread at a time.
#ifndef MUSTER_BINDINGS_LUAJIT_STATE_H_
#define MUSTER_BINDINGS_LUAJIT_STATE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/luajit/call_error.h"
#include "bindings/luajit/call_frame.h"
#include "bindings/luajit/cycle_time.h"
#include "bindings/luajit/memory_gauge.h"
#include "bindings/luajit/package_table.h"
#include "bindings/luajit/sandbox_options.h"
#include "bindings/luajit/time_zone.h"
#include "muster/policy.h"
#include "muster/status.h"

struct lua_State;

namespace muster::luajit {

using ParamTexts = std::map<std::string, std::string, std::less<>>;

/// What is wrong with a name in some scope.
struct NameProblem {
  std::string what;
  std::string cure;
};

/// The time zones of a package: the rules of each, and where it lacks one, the names of all.
struct PackageZones {
  std::vector<std::string> names;
  std::vector<TimeZone> rules;  ///< of each name
  std::vector<std::string> known;
};

class State {
 public:
  /// kUnavailable when this LuaJIT cannot be used.
  static Result<std::unique_ptr<State>> Create(const SandboxOptions& options = {});
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// Compiles and runs a policy file under load fuel. `rewritten` takes the fuel cell and returns
  /// the chunk of `source` (see rewriter.h); `source` must compile by itself too.
  std::optional<CallError> Load(std::string_view source, std::string_view rewritten,
                                const ParamTexts& params, PackageTable& table);
  /// Asks a hook about the first item of a made-up batch: how many numbers does it return?
  std::optional<CallError> Rehearse(Hook hook, const muster_batch& batch, int& keys);
  /// Fixes the number of keys of a hook; Ask may be called with it afterwards.
  std::optional<CallError> Bind(Hook hook, int keys);
  /// One protected call over the batch: fills `keys`, batch.count rows.
  std::optional<CallError> Ask(Hook hook, const muster_batch& batch, double* keys, bool rehearsal);

  /// One protected call over all batches, each with the fuel of its own: fills `keys` and what each
  /// used. False when something went wrong with any of them: Ask finds out what.
  bool AskEach(Hook hook, std::span<const muster_batch> batches, double* keys,
               std::span<std::int64_t> fuel, bool rehearsal);

  /// The reasons that the last call of Ask about hold was given, in the order of their numbers.
  std::optional<CallError> Reasons(std::vector<std::string>& reasons);

  /// Asks submit about batch.subject.
  std::optional<CallError> Submit(const muster_batch& batch, SubmitAnswer& answer, bool rehearsal);

  /// What the sandbox would say about `name` in `scope`: "_G", a library, or a view such as
  /// "workload" in a hook that declares `reads` (separated by blanks).
  std::optional<NameProblem> Lookup(std::string_view scope, std::string_view name,
                                    std::string_view reads = {}, std::string_view hook = {});

  /// Before Load.
  void set_zones(PackageZones zones) { zones_ = std::move(zones); }
  void set_random_seed(double seed) { frame_.random_seed = seed; }
  /// Where the time of calls is kept; not null, and must outlive the state.
  void set_cycle_time(CycleTime* time) { time_ = time; }
  /// Whether the last call took too long, which is nothing that can be repeated.
  bool late() const { return late_; }
  /// Whether the last call failed for want of fuel, memory or time, not for what it did.
  bool ran_out() const { return late_ || tripped_ || fuel_->left < 0; }
  /// Fuel the last call used.
  std::int32_t fuel_used() const { return fuel_used_; }
  /// The item the last call was looking at; -1 when it had not begun.
  std::int64_t item() const { return item_; }
  const MemoryGauge& memory() const { return gauge_; }

 private:
  struct Request;
  enum Slot : int;

  explicit State(const SandboxOptions& options) : options_(options), gauge_(options_) {}
  std::optional<CallError> Call(int function, std::int32_t fuel);
  std::optional<CallError> CallOnce(int function, std::int32_t fuel);
  CallError Explain(int status);
  bool InTime();
  bool DependsOnTheCompiler() const;
  std::int32_t FuelFor(const muster_batch& batch) const;
  void Look(const muster_batch& batch, bool rehearsal);

  static State& Of(lua_State* lua);
  static int SlotOf(Hook hook);
  static int EachSlotOf(Hook hook);
  static void PushPrepared(lua_State* lua, const char* member);
  static int Install(lua_State* lua);
  static int OnError(lua_State* lua);
  static int OnExhausted(lua_State* lua);
  static int OnOverflow(lua_State* lua);
  static int OnLook(lua_State* lua);
  static int OnMark(lua_State* lua);
  static int OnAbort(lua_State* lua);
  static int Boot(lua_State* lua);
  static int LoadChunk(lua_State* lua);
  static int CountKeys(lua_State* lua);
  static int BindKeys(lua_State* lua);
  static int LookupName(lua_State* lua);
  static int AskSubmit(lua_State* lua);
  static int ListReasons(lua_State* lua);

  const SandboxOptions options_;
  MemoryGauge gauge_;
  lua_State* lua_ = nullptr;
  muster_call frame_{};
  PackageZones zones_;
  muster_fuel boot_fuel_{};
  muster_fuel* fuel_ = &boot_fuel_;  ///< once booted, inside a Lua object that the state keeps
  Request* request_ = nullptr;       ///< arguments of the host function being called
  CycleTime own_time_;               ///< for a state that is in no cycle
  CycleTime* time_ = &own_time_;
  std::optional<double> begun_;  ///< when the call that runs began to be watched
  bool late_ = false;
  bool tripped_ = false;  ///< the last call met a limit of memory or of the stack
  std::int32_t budget_ = 0;
  std::int32_t fuel_used_ = 0;
  std::int64_t item_ = -1;
  CallError error_;
  int exhausted_line_ = 0;              ///< where the fuel ran out first
  bool item_exhausted_ = false;         ///< then it was that of one item
  std::optional<CallError> overflow_;   ///< the first that the policy caught
  std::vector<std::string> resources_;  ///< of the batch seen last
  std::vector<muster_turn> turns_;
};

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_STATE_H_
