// Who decides in one of two runs that are compared.
#ifndef MUSTER_BINDINGS_LAB_DECIDER_H_
#define MUSTER_BINDINGS_LAB_DECIDER_H_

#include <memory>
#include <string_view>

#include "muster/engine.h"

namespace muster::lab {

inline constexpr std::string_view kNativeWord = "native";  ///< the engine's own rules
inline constexpr std::string_view kActiveWord = "active";  ///< whatever the ledger has

struct Decider {
  enum class Kind { kActive, kNative, kPackage };
  Kind kind = Kind::kActive;
  std::shared_ptr<Policy> policy;  ///< of kPackage
};

/// From now on `decider` decides in `engine`.
Status PutToWork(const Decider& decider, TimeNs now, Engine& engine);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_DECIDER_H_
