// Paths come from the build, not from the working directory, so tests run from anywhere.
#include "tests/testing/paths.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace muster::testing {

namespace fs = std::filesystem;

fs::path SourceDir() { return MUSTER_SOURCE_DIR; }

fs::path MusterBinary() {
  const char* given = std::getenv("MUSTER");
  return given != nullptr ? fs::path(given) : fs::path(MUSTER_BINARY);
}

std::optional<fs::path> SharedDir() {
  const char* given = std::getenv("MUSTER_SHARED");
  const fs::path shared = given != nullptr ? fs::path(given) : SourceDir().parent_path() / "shared";
  if (!fs::is_directory(shared)) return std::nullopt;
  return shared;
}

std::vector<fs::path> FilesUnder(const fs::path& directory, std::string_view suffix) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file() && entry.path().filename().string().ends_with(suffix)) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return std::move(text).str();
}

void WriteFile(const fs::path& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  out.flush();
  if (!out) throw std::runtime_error("cannot write " + path.string());
}

namespace {

void (*audit_of_directories)(const TemporaryDirectory&) = nullptr;

}  // namespace

void TemporaryDirectory::AuditWith(void (*audit)(const TemporaryDirectory&)) {
  audit_of_directories = audit;
}

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (fs::temp_directory_path() / "muster-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "cannot create " + pattern);
  }
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  if (audit_of_directories != nullptr) audit_of_directories(*this);
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TemporaryDirectory::Write(std::string_view name, std::string_view text) const {
  const fs::path file = path_ / name;
  fs::create_directories(file.parent_path());
  WriteFile(file, text);
  return file;
}

}  // namespace muster::testing
