// Packages on disk: reading a folder, and the hash that names a generation.
#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "bindings/luajit/parser.h"
#include "bindings/luajit/policy_package.h"
#include "bindings/luajit/source_keys.h"
#include "bindings/luajit/time_zone.h"

namespace muster::luajit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kZonesKey = "zones";
constexpr std::size_t kMaxFile = 1u << 20;
constexpr std::size_t kMaxPackage = 16 * kMaxFile;
constexpr std::size_t kMaxFiles = 1000;

bool Hidden(const fs::path& path) { return path.filename().string().starts_with("."); }

Status Refused(const fs::path& path, const std::string& what) {
  return {StatusCode::kInvalidArgument, path.string() + ": " + what};
}

Status TooMuch(const fs::path& path) {
  return Refused(path, "a package has at most " + std::to_string(kMaxFiles) +
                           " files of 1 MB, and 16 MB in all");
}

struct CloseFile {
  void operator()(const int* descriptor) const { close(*descriptor); }
};

// What lies at `path` may have changed since it was listed: a pipe must not stop the program.
Result<std::string> ReadFile(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return Refused(path, "cannot be read");
  const std::unique_ptr<const int, CloseFile> closing(&descriptor);
  struct stat about = {};
  if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) {
    return Refused(path, "is not a regular file");
  }
  std::string bytes(kMaxFile + 1, '\0');
  std::size_t size = 0;
  for (ssize_t got = 1; got > 0 && size < bytes.size(); size += static_cast<std::size_t>(got)) {
    got = read(descriptor, bytes.data() + size, bytes.size() - size);
    if (got < 0) return Refused(path, "cannot be read");
  }
  if (size > kMaxFile) return TooMuch(path);
  return bytes.substr(0, size);
}

// What an entry is, if a package must not have it; empty when it may.
std::string_view Unwanted(const fs::path& path, fs::file_type type) {
  switch (type) {
    case fs::file_type::regular:
      return "";
    case fs::file_type::directory:
      return path.extension() == ".lua" ? "is a folder; a name that ends in .lua is for a file"
                                        : "";
    case fs::file_type::symlink:
      return "is a symbolic link out of the package or to no file; put the file itself here";
    case fs::file_type::fifo:
      return "is a pipe; a package holds regular files and folders";
    case fs::file_type::socket:
      return "is a socket; a package holds regular files and folders";
    default:
      return "is a device or the like; a package holds regular files and folders";
  }
}

struct Listed {
  fs::path path;   // relative to the package
  fs::path place;  // what to open
};

// The regular file inside `folder` to which the link leads, as kubelet mounts a ConfigMap; empty
// when it leads elsewhere.
fs::path InsideTarget(const fs::path& link, const fs::path& folder) {
  std::error_code error;
  const fs::path target = fs::canonical(link, error);
  if (error || !fs::is_regular_file(fs::symlink_status(target, error))) return {};
  const fs::path within = target.lexically_relative(fs::canonical(folder, error));
  return error || within.empty() || *within.begin() == ".." ? fs::path() : target;
}

// Every file under `folder`. Hidden ones are not part of the package.
Result<std::vector<Listed>> ListFiles(const fs::path& folder) {
  std::vector<Listed> files;
  std::size_t entries = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (Hidden(it->path())) {
      it.disable_recursion_pending();
      continue;
    }
    fs::file_type type = it->symlink_status(error).type();
    if (error) break;
    fs::path place = it->path();
    if (type == fs::file_type::symlink) {
      if (fs::path target = InsideTarget(place, folder); !target.empty()) {
        place = std::move(target);
        type = fs::file_type::regular;
      }
    }
    if (const auto unwanted = Unwanted(it->path(), type); !unwanted.empty()) {
      return Refused(it->path(), std::string(unwanted));
    }
    if (++entries > kMaxFiles) return TooMuch(it->path());
    if (type == fs::file_type::regular) {
      files.push_back({it->path().lexically_relative(folder), std::move(place)});
    }
  }
  if (error) return Refused(folder, error.message());
  return files;
}

// The rules of the zones it declares become part of the package, as they are now; one that it
// brings itself stays.
void AddZones(PackageSource& source) {
  const auto find = [&](const std::string& path) {
    return std::find_if(source.files.begin(), source.files.end(),
                        [&](const PackageFile& file) { return file.path == path; });
  };
  const auto policy = find(std::string(kPolicyFile));
  if (policy == source.files.end() || policy->bytes.find(kZonesKey) == std::string::npos) return;
  const std::string text = policy->bytes;
  for (const std::string_view name : TextsUnder(ParseSource(text), kZonesKey)) {
    const std::string path = std::string(kZoneFolder) + std::string(name);
    if (find(path) != source.files.end()) continue;
    if (auto bytes = ReadSystemZone(name)) source.files.push_back({path, std::move(*bytes)});
  }
}

}  // namespace

Result<PackageSource> ReadPackage(const std::string& folder) {
  std::string shown = folder;
  while (shown.size() > 1 && shown.ends_with('/')) shown.pop_back();
  std::error_code error;
  if (fs::path(shown).filename() == "policy.lua" && fs::exists(shown, error) &&
      !fs::is_directory(shown, error)) {
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
  std::size_t total = 0;
  for (const auto& [path, place] : *files) {
    auto bytes = ReadFile(place);
    if (!bytes.ok()) return bytes.status();
    total += bytes->size();
    if (total > kMaxPackage) return TooMuch(fs::path(shown) / path);
    source.files.push_back({path.generic_string(), std::move(*bytes)});
  }
  AddZones(source);
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
