// A binding names a package, not a path: the package is looked for where a repository keeps it.
#include "bindings/lab/activate.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <variant>

#include "muster/muster.h"

namespace muster::lab {
namespace {

namespace fs = std::filesystem;

/// `told` may be empty.
Status Activate(const std::string& folder, TimeNs now, const ActivationSink& told, Engine& engine,
                std::set<std::string, std::less<>>* active) {
  const Result<std::shared_ptr<Policy>> policy = LoadPolicy(folder);
  if (!policy.ok()) return policy.status();
  const std::string name = (*policy)->info().name;
  std::vector<StoppedHook> stopped;
  const Status status = engine.ActivatePolicy(*policy, now, {}, &stopped);
  if (!status.ok()) return Status(status.code(), folder + ": " + status.message());
  if (told) told(name, stopped);
  active->insert(name);
  return Status::Ok();
}

}  // namespace

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

Status ActivatePolicies(const std::vector<std::string>& folders,
                        const manifest::Manifests& manifests, TimeNs now, Engine& engine,
                        const ActivationSink& told) {
  const bool bound = std::any_of(
      manifests.objects.begin(), manifests.objects.end(),
      [](const Object& object) { return KindOf(object) == ObjectKind::kPolicyBinding; });
  const ActivationSink& sink = bound ? ActivationSink() : told;
  std::set<std::string, std::less<>> active;
  for (std::string folder : folders) {
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    const Status status = Activate(folder, now, sink, engine, &active);
    if (!status.ok()) return status;
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
      return Status(StatusCode::kNotFound, missing.ToString());
    }
    const Status status = Activate(*folder, now, sink, engine, &active);
    if (!status.ok()) return status;
    if (!active.contains(binding->policy)) {
      const manifest::Diagnostic other{
          manifest::Severity::kError, place,
          "the package in " + *folder + " is not called '" + binding->policy + "'",
          "write name = \"" + binding->policy + "\" in its policy.lua, or bind it by its name"};
      return Status(StatusCode::kInvalidArgument, other.ToString());
    }
  }
  return Status::Ok();
}

Status PutToWork(const Decider& decider, TimeNs now, Engine& engine) {
  switch (decider.kind) {
    case Decider::Kind::kActive:
      return Status::Ok();
    case Decider::Kind::kNative:
      return engine.RollBackPolicy(kNativeWord, {}, now);
    case Decider::Kind::kPackage:
      return engine.ActivatePolicy(decider.policy, now);
  }
  return Status::Ok();
}

}  // namespace muster::lab
