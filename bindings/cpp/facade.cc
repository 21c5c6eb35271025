// The embedder's helpers: files and text in, engine calls out. The only clock of the library is
// here.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <vector>

#include "bindings/luajit/policy_package.h"
#include "bindings/manifest/manifest.h"
#include "engine/base/caught.h"
#include "muster/muster.h"

namespace muster {
namespace {

Status Explain(const std::vector<manifest::Diagnostic>& diagnostics) {
  std::string message;
  for (const manifest::Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity != manifest::Severity::kError) continue;
    if (!message.empty()) message += '\n';
    message += diagnostic.ToString();
  }
  return Status(StatusCode::kInvalidArgument, std::move(message));
}

Status ApplyText(Engine& engine, std::string_view yaml, TimeNs now, std::string_view name,
                 MissingReference missing) {
  const manifest::Source source{std::string(name), std::string(yaml)};
  manifest::ParseOptions options;
  options.refuse_unread = missing != MissingReference::kAsKueue;
  manifest::Manifests manifests = manifest::Parse(std::span(&source, 1), options);
  manifest::Settle(engine, &manifests);
  if (manifests.HasErrors()) return Explain(manifests.diagnostics);
  const Status status = engine.Apply(manifests.objects, now, missing);
  if (status.ok()) return manifest::Follow(&engine, manifests, now);
  if (status.problems().empty()) return status;
  return Explain(manifest::Locate(manifests, status.problems()));
}

Status ApplyPath(Engine& engine, const std::string& path, TimeNs now, MissingReference missing) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Status(StatusCode::kNotFound, "cannot open " + path);
  if (std::filesystem::is_directory(path)) {
    return Status(StatusCode::kInvalidArgument, path + " is a folder; name a file of it");
  }
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad() || (text.fail() && file.peek() != std::ifstream::traits_type::eof())) {
    return Status(StatusCode::kUnavailable, "cannot read " + path);
  }
  return ApplyText(engine, text.str(), now, path, missing);
}

Result<std::shared_ptr<Policy>> LoadFolder(const std::string& folder, const PolicyParams& params) {
  const Result<luajit::PackageSource> source = luajit::ReadPackage(folder);
  if (!source.ok()) return source.status();
  return luajit::LoadPackage(*source, params);
}

}  // namespace

Status ApplyYaml(Engine& engine, std::string_view yaml, TimeNs now, std::string_view name,
                 MissingReference missing) {
  return Guarded([&] { return ApplyText(engine, yaml, now, name, missing); });
}

Status ApplyFile(Engine& engine, const std::string& path, TimeNs now, MissingReference missing) {
  return Guarded([&] { return ApplyPath(engine, path, now, missing); });
}

Result<std::shared_ptr<Policy>> LoadPolicy(const std::string& folder, const PolicyParams& params) {
  return Guarded([&] { return LoadFolder(folder, params); });
}

TimeNs WallClock() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return CutToSecond(std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count());
}

}  // namespace muster
