// Policy packages in Lua: loads a package folder into a sandboxed LuaJIT state.
//
// The returned Policy is one immutable generation. LuaJIT does not leave this folder.
#ifndef MUSTER_BINDINGS_LUAJIT_POLICY_PACKAGE_H_
#define MUSTER_BINDINGS_LUAJIT_POLICY_PACKAGE_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "muster/policy.h"
#include "muster/status.h"

namespace muster::luajit {

/// One file of a package: path relative to the package folder, and its bytes.
struct PackageFile {
  std::string path;
  std::string bytes;
};

struct PackageSource {
  std::string folder;              ///< as shown in messages, e.g. "policies/small-first"
  std::vector<PackageFile> files;  ///< sorted by path
  /// SHA-256 over the sorted (path, bytes), hex.
  std::string Hash() const;
};

/// Reads every file of a package folder (not hidden ones); its policy.lua may be named instead. The
/// rules of each time zone that it declares are added as "zones/NAME", as the system has them now.
/// At most 1,000 files of 1 MB and 16 MB in all; never waits for a pipe or device. kNotFound;
/// kInvalidArgument for I/O and for what is no regular file or folder, nor a symbolic link to a
/// regular file inside the package, as in a mounted ConfigMap.
Result<PackageSource> ReadPackage(const std::string& folder);

/// One mistake of a package: "file:line:column: what; cure".
struct PackageProblem {
  std::string file;
  int line = 0;
  int column = 0;
  std::string what;
  std::string cure;
  std::string ToString() const;
};

/// What `muster policy check` reports; empty means sound.
std::vector<PackageProblem> CheckPackage(const PackageSource& source);

/// Lines of policy.lua that nothing reaches which CheckPackage tries. Empty for one with problems.
std::vector<int> LinesNotTried(const PackageSource& source);

/// A package that decided before is loaded as it is. A new one is tried on more: on made-up items
/// with the values that it compares with.
enum class PackageAge { kNew, kStored };

/// Loads the package with parameters (name -> text as in a PolicyBinding) into a state of its own.
/// kInvalidArgument with the text of CheckPackage's first problems.
Result<std::shared_ptr<Policy>> LoadPackage(
    const PackageSource& source, const std::map<std::string, std::string, std::less<>>& params = {},
    PackageAge age = PackageAge::kNew);

/// Lets the calls of a policy that LoadPackage made, and of those it makes, take as long as they
/// like. For repeating what is recorded: how long it took then is part of the record.
void IgnoreTime(Policy& policy);
/// They are late again when they are.
void HeedTime(Policy& policy);

/// "LuaJIT 2.1.0-beta3" and the like, for `muster version`.
std::string RuntimeVersion();

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_POLICY_PACKAGE_H_
