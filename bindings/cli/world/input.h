// Manifests from the command line: files, folders, standard input.
#ifndef MUSTER_BINDINGS_CLI_WORLD_INPUT_H_
#define MUSTER_BINDINGS_CLI_WORLD_INPUT_H_

#include <string>
#include <vector>

#include "bindings/cli/flags.h"
#include "bindings/cli/io.h"
#include "bindings/lab/diagnose.h"
#include "bindings/manifest/manifest.h"

namespace muster::cli {

/// Options of every verb that reads manifests.
struct InputFlags {
  std::vector<std::string> files;
  bool allow_unlabeled = false;
  std::vector<std::string> ignore_kinds;

  void Declare(Flags& flags);
  manifest::ParseOptions ParseOptions(lab::References references) const;
};

enum class Folders { kFlat, kRecursive };

/// Files with manifests behind `path`: itself, or the .yaml, .yml and .json files of a folder in
/// name order, hidden ones left out. kNotFound when there is no such path, or nothing in it.
Result<std::vector<std::string>> ListManifests(const std::string& path, Folders folders);

/// Text of one file, or of `in` for "-". kUnavailable when it cannot be read.
Result<std::string> ReadText(const std::string& path, std::istream& in);

/// All texts behind `paths`. Prints what went wrong and returns an exit code, kDone when all is
/// well.
int ReadSources(const std::vector<std::string>& paths, Io& io,
                std::vector<manifest::Source>* sources);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_INPUT_H_
