// Packages on disk: reading a folder, and the hash that names a generation.
#include <sodium.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "bindings/luajit/policy_package.h"

namespace muster::luajit {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxFile = 1u << 20;
constexpr std::size_t kMaxFiles = 1000;

bool Hidden(const fs::path& path) { return path.filename().string().starts_with("."); }

Result<std::string> ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.is_open() || in.bad()) {
    return Status(StatusCode::kInvalidArgument, path.string() + ": cannot be read");
  }
  return bytes;
}

// Every regular file under `folder`, as paths relative to it.
Result<std::vector<fs::path>> ListFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (Hidden(it->path())) {
      it.disable_recursion_pending();
    } else if (it->is_regular_file(error)) {
      if (it->file_size(error) > kMaxFile || files.size() == kMaxFiles) {
        return Status(StatusCode::kInvalidArgument,
                      it->path().string() + ": a package has at most " + std::to_string(kMaxFiles) +
                          " files of 1 MB");
      }
      files.push_back(it->path().lexically_relative(folder));
    }
  }
  if (error) {
    return Status(StatusCode::kInvalidArgument, folder.string() + ": " + error.message());
  }
  return files;
}

}  // namespace

Result<PackageSource> ReadPackage(const std::string& folder) {
  std::string shown = folder;
  while (shown.size() > 1 && shown.ends_with('/')) shown.pop_back();
  std::error_code error;
  if (fs::path(shown).filename() == "policy.lua" && fs::is_regular_file(shown, error)) {
    shown = fs::path(shown).has_parent_path() ? fs::path(shown).parent_path().string() : ".";
  }
  if (!fs::is_directory(shown, error)) {
    return Status(StatusCode::kNotFound,
                  shown + ": no such policy package; name a folder that holds policy.lua");
  }
  auto files = ListFiles(shown);
  if (!files.ok()) return files.status();
  PackageSource source;
  source.folder = shown;
  for (const fs::path& path : *files) {
    auto bytes = ReadFile(fs::path(shown) / path);
    if (!bytes.ok()) return bytes.status();
    source.files.push_back({path.generic_string(), std::move(*bytes)});
  }
  std::sort(source.files.begin(), source.files.end(),
            [](const PackageFile& a, const PackageFile& b) { return a.path < b.path; });
  return source;
}

// Sizes go in before the bytes, so that no two packages share one stream.
std::string PackageSource::Hash() const {
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  const auto add = [&state](const std::string& text) {
    const std::string size = std::to_string(text.size()) + ":";
    for (const std::string& part : {size, text}) {
      crypto_hash_sha256_update(&state, reinterpret_cast<const unsigned char*>(part.data()),
                                part.size());
    }
  };
  for (const PackageFile& file : files) {
    add(file.path);
    add(file.bytes);
  }
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest;
  crypto_hash_sha256_final(&state, digest.data());
  std::string hex;
  for (const unsigned char byte : digest) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

}  // namespace muster::luajit
