// A folder without policy.lua stands for the packages in it, at any depth.
#include "bindings/cli/author/packages.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "bindings/cli/world/package_folder.h"
#include "bindings/lab/words.h"
#include "bindings/luajit/package_doubts.h"

namespace muster::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> PackagesUnder(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().filename() == "policy.lua") found.push_back(it->path().parent_path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

int FindPackages(const std::vector<std::string>& words, std::string_view verb, Io& io,
                 std::vector<std::string>* folders) {
  if (words.empty()) {
    return io.Fail(kWrongUse, std::string(verb) + ": name a package, such as policies/small-first");
  }
  for (std::string word : words) {
    while (word.size() > 1 && word.ends_with('/')) word.pop_back();
    std::error_code error;
    const bool holds_others =
        fs::is_directory(word, error) && !fs::exists(fs::path(word) / "policy.lua", error);
    const std::vector<std::string> inside =
        holds_others ? PackagesUnder(word) : std::vector<std::string>();
    if (inside.empty()) {
      folders->push_back(word);
    } else {
      folders->insert(folders->end(), inside.begin(), inside.end());
    }
  }
  return kDone;
}

int ReadSoundPackage(const std::string& folder, Io& io, luajit::PackageSource* source) {
  Result<luajit::PackageSource> read = luajit::ReadPackage(folder);
  if (!read.ok()) return FailPackage(read.status(), io);
  const std::vector<luajit::PackageProblem> problems = luajit::CheckPackage(*read);
  for (const luajit::PackageProblem& problem : problems) {
    io.err << io.err_paint(Tone::kBad, problem.ToString()) << '\n';
  }
  if (!problems.empty()) {
    return io.Fail(kNo, lab::Counted(problems.size(), "error") + "; the package cannot be used");
  }
  WarnOfDoubts(*read, io);
  *source = std::move(*read);
  return kDone;
}

void WarnOfDoubts(const luajit::PackageSource& source, Io& io) {
  for (luajit::PackageProblem& doubt : luajit::DoubtsAbout(source)) {
    doubt.what.insert(0, "warning: ");
    io.err << io.err_paint(Tone::kWarning, doubt.ToString()) << '\n';
  }
}

std::string LastPart(std::string_view folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.remove_suffix(1);
  return std::string(folder.substr(folder.find_last_of('/') + 1));
}

}  // namespace muster::cli
