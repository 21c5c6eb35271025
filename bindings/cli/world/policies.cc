// A binding names a package, not a path: the package is looked for where a repository keeps it.
#include "bindings/cli/world/policies.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <variant>

#include "bindings/cli/world/policy_words.h"
#include "bindings/cli/world/report.h"
#include "muster/muster.h"

namespace muster::cli {
namespace {

namespace fs = std::filesystem;

/// The folder policies/NAME nearest to `file`, upwards; nullopt when there is none.
std::optional<std::string> FindPackage(const std::string& file, const std::string& name) {
  std::error_code error;
  fs::path folder = fs::absolute(file, error).parent_path();
  while (!error) {
    const fs::path package = folder / "policies" / name;
    if (fs::is_directory(package, error)) {
      const fs::path near = fs::proximate(package, error);
      return error ? package.string() : near.string();
    }
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
    error.clear();
  }
  return std::nullopt;
}

/// `bound`: PolicyBindings that follow say what decides.
int Activate(const std::string& folder, TimeNs now, bool bound, Engine& engine, Io& io,
             std::set<std::string, std::less<>>* active) {
  const Result<std::shared_ptr<Policy>> policy = LoadPolicy(folder);
  if (!policy.ok()) return io.Fail(ExitCodeFor(policy.status()), policy.status().message());
  const std::string name = (*policy)->info().name;
  std::vector<StoppedHook> stopped;
  const Status status = engine.ActivatePolicy(*policy, now, {}, &stopped);
  if (!status.ok()) return io.Fail(ExitCodeFor(status), folder + ": " + status.message());
  if (!bound) WarnOfActivation(engine, name, stopped, io);
  active->insert(name);
  return kDone;
}

}  // namespace

int ActivatePolicies(const std::vector<std::string>& folders, const manifest::Manifests& manifests,
                     TimeNs now, Engine& engine, Io& io) {
  const bool bound = std::any_of(
      manifests.objects.begin(), manifests.objects.end(),
      [](const Object& object) { return KindOf(object) == ObjectKind::kPolicyBinding; });
  std::set<std::string, std::less<>> active;
  for (std::string folder : folders) {
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    const int code = Activate(folder, now, bound, engine, io, &active);
    if (code != kDone) return code;
  }
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    const auto* binding = std::get_if<PolicyBinding>(&manifests.objects[i]);
    if (binding == nullptr || active.contains(binding->policy)) continue;
    const manifest::Place place = manifests.PlaceOf(i, "spec.policy");
    const std::optional<std::string> folder = FindPackage(place.file, binding->policy);
    if (!folder) {
      const manifest::Diagnostic missing{manifest::Severity::kError, place,
                                         "there is no package '" + binding->policy + "'",
                                         "put it into policies/" + binding->policy +
                                             " beside this file, or name its folder with "
                                             "--policy"};
      return io.Fail(kNo, missing.ToString());
    }
    const int code = Activate(*folder, now, bound, engine, io, &active);
    if (code != kDone) return code;
  }
  return kDone;
}

}  // namespace muster::cli
