// Reading happens here and nowhere else in the program, so that every failure has one wording.
#include "bindings/cli/world/input.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

namespace muster::cli {
namespace {

namespace fs = std::filesystem;

bool IsManifest(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".yaml" || extension == ".yml" || extension == ".json";
}

bool IsHidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

Status Collect(const fs::path& folder, Folders folders, std::vector<std::string>* found) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (!IsHidden(it->path())) entries.push_back(it->path());
  }
  if (error) return Status(StatusCode::kUnavailable, "cannot read " + folder.string());
  std::sort(entries.begin(), entries.end());
  for (const fs::path& entry : entries) {
    if (fs::is_directory(entry, error)) {
      if (folders == Folders::kFlat) continue;
      if (const Status status = Collect(entry, folders, found); !status.ok()) return status;
    } else if (IsManifest(entry)) {
      found->push_back(entry.string());
    }
  }
  return Status::Ok();
}

}  // namespace

void InputFlags::Declare(Flags& flags) {
  flags.List("-f,--filename", "FILE...", &files,
             "Manifests: files, folders (their .yaml, .yml and .json files), or - for standard "
             "input. All of them are read as one set, in any order.");
  flags.Switch("--allow-unlabeled", &allow_unlabeled,
               "Skip Jobs without the kueue.x-k8s.io/queue-name label with a warning instead of "
               "refusing them: they are neither queued nor charged.");
  flags.CommaList("--ignore-kinds", "KIND,...", &ignore_kinds,
                  "Skip documents of these foreign kinds, for example Deployment,Service.");
}

manifest::ParseOptions InputFlags::ParseOptions(lab::References references) const {
  manifest::ParseOptions options;
  options.refuse_unread = references != lab::References::kAsKueue;
  options.allow_unlabeled = allow_unlabeled;
  options.ignore_kinds.insert(ignore_kinds.begin(), ignore_kinds.end());
  return options;
}

Result<std::vector<std::string>> ListManifests(const std::string& path, Folders folders) {
  std::error_code error;
  if (path == "-") return std::vector<std::string>{path};
  if (!fs::exists(path, error)) return Status(StatusCode::kNotFound, "there is no file " + path);
  if (!fs::is_directory(path, error)) return std::vector<std::string>{path};
  std::vector<std::string> found;
  if (const Status status = Collect(path, folders, &found); !status.ok()) return status;
  if (found.empty()) {
    return Status(StatusCode::kNotFound, "no .yaml, .yml or .json file in " + path);
  }
  return found;
}

Result<std::string> ReadText(const std::string& path, std::istream& in) {
  std::ifstream file;
  if (path != "-") {
    file.open(path, std::ios::binary);
    if (!file) return Status(StatusCode::kUnavailable, "cannot open " + path);
  }
  std::istream& from = path == "-" ? in : file;
  std::string text;
  std::error_code unknown;  // of a pipe, which grows as it is read
  const std::uintmax_t size = path == "-" ? 0 : fs::file_size(path, unknown);
  if (!unknown) text.reserve(size);
  std::array<char, 1 << 16> piece;
  while (from.read(piece.data(), piece.size()) || from.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(from.gcount()));
  }
  if (from.bad()) return Status(StatusCode::kUnavailable, "cannot read " + path);
  return text;
}

int ReadSources(const std::vector<std::string>& paths, Io& io,
                std::vector<manifest::Source>* sources) {
  if (paths.empty()) {
    return io.Fail(kWrongUse, "nothing to read; name manifests with -f FILE, -f FOLDER or -f -");
  }
  for (const std::string& path : paths) {
    const Result<std::vector<std::string>> files = ListManifests(path, Folders::kFlat);
    if (!files.ok()) {
      const bool missing = files.status().code() == StatusCode::kNotFound;
      return io.Fail(missing ? kWrongUse : kRefused, files.status().message());
    }
    for (const std::string& file : *files) {
      Result<std::string> text = ReadText(file, io.in);
      if (!text.ok()) return io.Fail(kRefused, text.status().message());
      sources->push_back({file == "-" ? "stdin" : file, std::move(*text)});
    }
  }
  return kDone;
}

}  // namespace muster::cli
