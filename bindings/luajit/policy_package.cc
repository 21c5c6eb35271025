// The public functions of this folder.
#include "bindings/luajit/policy_package.h"

#include <lua.hpp>  // luajit.h alone would declare C functions as C++

#include "bindings/luajit/coverage.h"
#include "bindings/luajit/lua_policy.h"

namespace muster::luajit {
namespace {
constexpr std::size_t kShownProblems = 5;

SandboxOptions Probing() {
  SandboxOptions options;
  options.probing = true;
  return options;
}
}  // namespace

std::string PackageProblem::ToString() const {
  std::string text = file;
  if (line > 0) text.append(":").append(std::to_string(line));
  if (line > 0 && column > 0) text.append(":").append(std::to_string(column));
  text.append(": ").append(what);
  if (!cure.empty()) text.append("; ").append(cure);
  return text;
}

std::vector<PackageProblem> CheckPackage(const PackageSource& source) {
  return Load(source, {}, Probing()).problems;
}

std::vector<int> LinesNotTried(const PackageSource& source) {
  std::vector<std::uint64_t> counts;
  SandboxOptions options = Probing();
  options.counts = &counts;
  options.count_trials = true;
  if (Load(source, {}, options).policy == nullptr) return {};
  for (const PackageFile& file : source.files) {
    if (file.path == kPolicyFile) return MeasureCoverage(file.bytes, counts).missed_lines;
  }
  return {};
}

Result<std::shared_ptr<Policy>> LoadPackage(const PackageSource& source, const ParamTexts& params,
                                            PackageAge age) {
  LoadedPackage loaded =
      Load(source, params, age == PackageAge::kNew ? Probing() : SandboxOptions());
  if (loaded.policy != nullptr) return std::shared_ptr<Policy>(std::move(loaded.policy));
  std::string message;
  for (std::size_t i = 0; i < loaded.problems.size() && i < kShownProblems; ++i) {
    if (i > 0) message += "\n";
    message += loaded.problems[i].ToString();
  }
  if (loaded.problems.size() > kShownProblems) {
    message.append("\nand ").append(std::to_string(loaded.problems.size() - kShownProblems));
    message += " more; see `muster policy check`";
  }
  return Status(StatusCode::kInvalidArgument, message);
}

void IgnoreTime(Policy& policy) {
  if (auto* const lua = dynamic_cast<LuaPolicy*>(&policy)) lua->IgnoreTime();
}

void HeedTime(Policy& policy) {
  if (auto* const lua = dynamic_cast<LuaPolicy*>(&policy)) lua->HeedTime();
}

std::string RuntimeVersion() { return LUAJIT_VERSION; }

}  // namespace muster::luajit
