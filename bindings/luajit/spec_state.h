// The Lua state that specs run in, apart from those of the policies they test.
//
// Host functions never raise while an object with a destructor is alive: each does its work in a
// function of its own and raises afterwards from what that left in `problem_`.
#ifndef MUSTER_BINDINGS_LUAJIT_SPEC_STATE_H_
#define MUSTER_BINDINGS_LUAJIT_SPEC_STATE_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/luajit/lua_policy.h"
#include "bindings/luajit/memory_gauge.h"
#include "bindings/luajit/spec_runner.h"

struct lua_State;
struct lua_Debug;

namespace muster::luajit {

class SpecState {
 public:
  /// All three must outlive the state; results are added to `run`.
  SpecState(const PackageSource& source, const SpecOptions& options, SpecRun& run);
  ~SpecState();
  SpecState(const SpecState&) = delete;
  SpecState& operator=(const SpecState&) = delete;

  /// Loads the testing files; what is wrong, or nothing.
  std::optional<std::string> Boot();
  /// Runs one spec file of the package.
  std::optional<std::string> RunFile(const PackageFile& file);
  /// The time for all specs of the package is used up: nothing runs any more.
  bool Over() const;

 private:
  static SpecState& Of(lua_State* lua);
  static int BootProtected(lua_State* lua);
  static int RunProtected(lua_State* lua);
  static void OnCount(lua_State* lua, lua_Debug* event);
  static void* Allocate(void* self, void* block, std::size_t old_size, std::size_t new_size);
  // host.NAME, see policies/testing.
  static int LoadPolicy(lua_State* lua);
  static int AskPolicy(lua_State* lua);
  static int AskWorld(lua_State* lua);
  static int AddCase(lua_State* lua);
  static int ReadClock(lua_State* lua);
  static int BeginTest(lua_State* lua);
  static int ExceededLimit(lua_State* lua);
  static int ReadGolden(lua_State* lua);
  static int WriteGolden(lua_State* lua);

  void PushHost(lua_State* lua);
  bool FindGeneration(lua_State* lua);
  void PushGeneration(lua_State* lua) const;
  bool Ask(lua_State* lua);
  void Begin();
  void Exceed(const char* what);
  int Raise(lua_State* lua) const;
  std::optional<std::string> Protected(int (*function)(lua_State*));

  const PackageSource& source_;
  const SpecOptions& options_;
  SpecRun& run_;
  SandboxOptions memory_options_;  ///< of the gauge; outlives the state
  muster_fuel no_fuel_{};          ///< what the gauge drains; a spec has none
  MemoryGauge gauge_;
  lua_State* lua_ = nullptr;
  std::map<ParamTexts, int> numbers_;  ///< of generations, by their parameters
  std::vector<std::shared_ptr<LuaPolicy>> generations_;
  int asked_ = 0;  ///< number of the generation found last
  const PackageFile* file_ = nullptr;
  std::string problem_;
  std::vector<std::string> reasons_;  ///< that the answers asked for last name
  std::string answer_;
  std::int64_t fuel_ = 0;  ///< of the running test
  int counts_ = 0;         ///< count events in the running test
  double begun_ = 0;       ///< ThreadSeconds when the test began
  double run_begun_;       ///< ThreadSeconds when the first file began
  std::string exceeded_;   ///< the limit that the test exceeded, with its place; empty: none
};

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_SPEC_STATE_H_
