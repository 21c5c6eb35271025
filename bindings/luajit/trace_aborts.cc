// Most causes are a few bytecodes and library functions; each has its way around.
#include "bindings/luajit/trace_aborts.h"

#include <array>
#include <string_view>
#include <utility>

#include "bindings/luajit/lua_policy.h"

namespace muster::luajit {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kCures = {
    {{"FNEW", "write the function at the top of the file instead of inside the hook"},
     {"UCLO", "write the function at the top of the file instead of inside the hook"},
     {"ITERN", "walk a list with `for i = 1, #list do`"},
     {"VARG", "name the parameters instead of `...`"},
     {"TSETM", "build the list item by item"},
     {"CAT", "compare numbers instead of texts put together"},
     {"C function", "do without library functions that make or sort texts and tables"},
     {"leaving loop", "give the inner loop more rounds, or write its few rounds out"}}};

}  // namespace

TraceAbort MakeTraceAbort(int line, std::string reason) {
  while (reason.ends_with(' ')) reason.pop_back();
  std::string cure = "try it without what this line calls, and measure again";
  for (const auto& [part, instead] : kCures) {
    if (reason.find(part) != std::string::npos) cure = instead;
  }
  return {line, std::move(reason), std::move(cure)};
}

Result<std::shared_ptr<Policy>> LoadWatched(const PackageSource& source,
                                            std::vector<TraceAbort>* aborts) {
  SandboxOptions options;
  options.aborts = aborts;
  LoadedPackage loaded = Load(source, {}, options);
  if (loaded.policy != nullptr) return std::shared_ptr<Policy>(std::move(loaded.policy));
  return Status(StatusCode::kInvalidArgument, loaded.problems.front().ToString());
}

}  // namespace muster::luajit
