// What decides in one of two runs that are compared.
#ifndef MUSTER_BINDINGS_CLI_AUTHOR_DECIDER_H_
#define MUSTER_BINDINGS_CLI_AUTHOR_DECIDER_H_

#include <memory>
#include <string>
#include <string_view>

#include "bindings/cli/io.h"
#include "muster/engine.h"

namespace muster::cli {

inline constexpr std::string_view kNativeWord = "native";  ///< the engine's own rules
inline constexpr std::string_view kActiveWord = "active";  ///< whatever the ledger has

struct Decider {
  enum class Kind { kActive, kNative, kPackage };
  Kind kind = Kind::kActive;
  std::shared_ptr<Policy> policy;  ///< of kPackage
};

/// `word`: native, active, the folder of a package, or NAME@HASH for a generation that the ledger
/// `db` has stored, HASH being at least the beginning of its hash. Prints what is wrong and returns
/// an exit code, kDone when all is well.
int ReadDecider(const std::string& word, const std::string& db, Io& io, Decider* decider);

/// From now on `decider` decides in `engine`.
Status PutToWork(const Decider& decider, TimeNs now, Engine& engine);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_AUTHOR_DECIDER_H_
