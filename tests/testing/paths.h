// Where a test finds what it needs: the sources, the binary, ../shared, a directory of its own.
#ifndef MUSTER_TESTS_TESTING_PATHS_H_
#define MUSTER_TESTS_TESTING_PATHS_H_

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace muster::testing {

/// Top of the source tree.
std::filesystem::path SourceDir();

/// The `muster` binary: $MUSTER when set, else the one of this build.
std::filesystem::path MusterBinary();

/// The folder with conformance cases and traces: $MUSTER_SHARED when set, else the sibling `shared`
/// of the source tree. nullopt where it is absent; a test then skips with kSharedIsAbsent.
std::optional<std::filesystem::path> SharedDir();
inline constexpr std::string_view kSharedIsAbsent =
    "skipped: neither $MUSTER_SHARED nor the folder `shared` beside the source tree exists";

/// Regular files under `directory` whose name ends in `suffix`, in path order.
std::vector<std::filesystem::path> FilesUnder(const std::filesystem::path& directory,
                                              std::string_view suffix);

/// The whole file. Throws std::runtime_error when it cannot be read.
std::string ReadFile(const std::filesystem::path& path);
/// Creates or replaces the file. Throws std::runtime_error when it cannot be written.
void WriteFile(const std::filesystem::path& path, std::string_view text);

/// An empty directory of its own, removed with everything in it at the end of the scope. Ledgers in
/// it are looked at before, by those tests that have a ledger's engine; see testing/audit.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes `text` to `name` in the directory and returns its path.
  std::filesystem::path Write(std::string_view name, std::string_view text) const;

  /// The ledger `name` in the directory is damaged on purpose, or made up: it cannot be repeated.
  void HoldsNoHistory(std::string_view name) { no_history_.insert(path_ / name); }
  bool HasNoHistory(const std::filesystem::path& file) const { return no_history_.contains(file); }
  /// What is done with every directory before it goes.
  static void AuditWith(void (*audit)(const TemporaryDirectory&));

 private:
  std::filesystem::path path_;
  std::set<std::filesystem::path> no_history_;
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_PATHS_H_
