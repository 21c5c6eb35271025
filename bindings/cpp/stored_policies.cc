// See stored_policies.h.
#include "bindings/cpp/stored_policies.h"

#include <algorithm>
#include <utility>

#include "bindings/luajit/policy_package.h"
#include "engine/base/shown.h"
#include "engine/codec/json_fields.h"
#include "engine/codec/json_values.h"

namespace muster {
namespace {

constexpr std::string_view kParamsFile = ".params";  // packages have no hidden files

std::string ToText(const PolicyParams& params) {
  JsonWriter json;
  WriteJson(json, params);
  return json.Take();
}

luajit::PackageSource ToSource(const StoredPolicy& stored, const std::string& folder) {
  luajit::PackageSource source;
  source.folder = folder.empty() ? "policy-" + stored.hash.substr(0, 12) : folder;
  for (const StoredPolicy::File& file : stored.files) {
    source.files.push_back({file.path, file.bytes});
  }
  return source;
}

}  // namespace

Result<StoredPolicy> ReadPolicyFolder(const std::string& folder, const PolicyParams& params) {
  Result<luajit::PackageSource> source = luajit::ReadPackage(folder);
  if (!source.ok()) return source.status();
  StoredPolicy stored;
  for (luajit::PackageFile& file : source->files) {
    stored.files.push_back({std::move(file.path), std::move(file.bytes)});
  }
  if (!params.empty()) stored.files.push_back({std::string(kParamsFile), ToText(params)});
  std::sort(stored.files.begin(), stored.files.end(),
            [](const auto& a, const auto& b) { return a.path < b.path; });
  stored.hash = HashOf(stored);
  return stored;
}

std::string HashOf(const StoredPolicy& stored) { return ToSource(stored, {}).Hash(); }

Result<std::shared_ptr<Policy>> LoadStoredPolicy(const StoredPolicy& stored,
                                                 const std::string& folder) {
  PolicyParams params;
  for (const StoredPolicy::File& file : stored.files) {
    if (file.path != kParamsFile) continue;
    JsonReader json(file.bytes);
    ReadJson(json, params);
    if (!json.ok() || !json.AtEnd()) {
      return Status(StatusCode::kDataLoss, "the stored parameters of a policy are damaged");
    }
  }
  const auto age = folder.empty() ? luajit::PackageAge::kStored : luajit::PackageAge::kNew;
  return luajit::LoadPackage(ToSource(stored, folder), params, age);
}

Result<std::shared_ptr<Policy>> LoadPolicyByHash(const FindPolicy& find, std::string_view hash) {
  const Result<StoredPolicy> stored = find(hash);
  if (stored.status().code() == StatusCode::kNotFound) {
    // Nothing names a package before it is stored.
    return Status(StatusCode::kDataLoss, "the ledger is damaged: policy " + std::string(hash) +
                                             ", which it names, is missing from it");
  }
  if (!stored.ok()) return stored.status();
  if (HashOf(*stored) != hash) {
    return Status(StatusCode::kDataLoss,
                  "policy " + std::string(hash) + " has other files than its hash says");
  }
  return LoadStoredPolicy(*stored);
}

Result<std::shared_ptr<Policy>> LoadNamedPolicy(const FindPolicy& find, std::string_view hash,
                                                const std::string& cure) {
  const Result<StoredPolicy> stored = find(hash);
  if (stored.status().code() != StatusCode::kNotFound) {
    return LoadPolicyByHash([&stored](std::string_view) { return stored; }, hash);
  }
  return Status(StatusCode::kNotFound,
                "the ledger has no policy package of the hash " + Shown(hash, 64) + cure);
}

Status AttachStoredPolicies(Engine& engine, const FindPolicy& find) {
  const Result<std::vector<std::string>> hashes = engine.StoredPolicyHashes();
  if (!hashes.ok()) return hashes.status();
  for (const std::string& hash : *hashes) {
    Result<std::shared_ptr<Policy>> policy = LoadPolicyByHash(find, hash);
    if (!policy.ok()) return policy.status();
    if (Status status = engine.AttachPolicy(std::move(*policy)); !status.ok()) return status;
  }
  return Status::Ok();
}

}  // namespace muster
