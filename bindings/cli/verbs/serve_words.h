// The options of muster serve, from the command line and from a file.
#ifndef MUSTER_BINDINGS_CLI_VERBS_SERVE_WORDS_H_
#define MUSTER_BINDINGS_CLI_VERBS_SERVE_WORDS_H_

#include <optional>
#include <string>
#include <string_view>

#include "bindings/cli/flags.h"

namespace muster::cli {

/// Empty or unset: not said.
struct ServeWords {
  std::string db;
  std::string listen;
  std::string advertise;
  std::string tokens;
  std::string tls_cert;
  std::string tls_key;
  std::string policies;
  std::string heads;
  std::string wait;
  std::optional<int> tick;         ///< milliseconds
  std::optional<int> token_rate;   ///< requests a second
  std::optional<int> token_bytes;  ///< of bodies, a second

  void Declare(Flags& flags);
  /// Where others reach what listens at `bound`: as --advertise says, with the port of `bound`
  /// where that has port 0.
  std::string UrlFor(const std::string& bound) const;
  /// Takes what `other` says and this does not.
  void TakeMissing(const ServeWords& other);
};

/// Reads lines such as `listen = [::]:8484`, with the names of the options; blank ones and those
/// that begin with # say nothing. "LINE: what is wrong", and what to write instead; or nullopt.
std::optional<std::string> ReadServeConfig(std::string_view text, ServeWords* words);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_VERBS_SERVE_WORDS_H_
