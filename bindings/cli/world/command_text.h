// Commands that a program wrote as JSON, and what is wrong with them, each mistake in its place.
#ifndef MUSTER_BINDINGS_CLI_WORLD_COMMAND_TEXT_H_
#define MUSTER_BINDINGS_CLI_WORLD_COMMAND_TEXT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/manifest/manifest.h"
#include "bindings/wire/wire.h"
#include "muster/command.h"
#include "muster/status.h"

namespace muster::cli {

class CommandText {
 public:
  /// Reads the file, `-` for standard input, that was named behind `flag`. Prints what is wrong,
  /// closing with `consequence`, and returns an exit code, kDone when all is well.
  int Read(const std::string& file, const std::string& flag, const std::string& consequence,
           Io& io);
  const std::vector<muster::Command>& commands() const { return commands_; }

  /// "command finish", or "command [2] (finish) in line 7" of several.
  std::string Name(std::size_t index) const;
  /// Prints why command `index` was refused, each problem with its place in the text; `refusal`
  /// says that it was. Returns an exit code.
  int Refuse(std::size_t index, const Status& status, const std::string& refusal, Io& io) const;

 private:
  int ReportAll(const std::vector<wire::Mistake>& mistakes, const std::string& consequence,
                Io& io) const;

  manifest::Source source_;
  std::vector<muster::Command> commands_;
};

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_COMMAND_TEXT_H_
