// Manifests sent to a service: what `muster submit` and `muster apply` do with --server.
#ifndef MUSTER_BINDINGS_CLI_WORLD_SEND_H_
#define MUSTER_BINDINGS_CLI_WORLD_SEND_H_

#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/cli/world/service.h"

namespace muster::cli {

/// Options that both verbs have for a service.
inline const std::vector<std::string_view> kSendFlags = {"--filename", "--quiet", "--output"};

struct Sending {
  std::string verb;  ///< "submit" or "apply"
  const std::vector<std::string>& files;
  std::string_view consequence;  ///< of a mistake: "nothing was submitted"
  bool json = false;
  bool quiet = false;
};

/// Sends the files and prints what became of each object.
int SendTo(const Service& service, const Sending& sending, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_SEND_H_
