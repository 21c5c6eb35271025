// Which policies decide: packages that a call names are found and activated, and one decides in
// each of two runs that are compared.
#ifndef MUSTER_BINDINGS_LAB_ACTIVATE_H_
#define MUSTER_BINDINGS_LAB_ACTIVATE_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "muster/engine.h"

namespace muster::lab {

/// Takes the name of a package that is active now, and the hooks that decided until then.
using ActivationSink =
    std::function<void(const std::string& package, const std::vector<StoppedHook>& stopped)>;

/// The folder policies/NAME nearest to `file`, upwards; nullopt when there is none.
std::optional<std::string> FindPackage(const std::string& file, const std::string& name);

/// Loads the packages in `folders`, and for every PolicyBinding of `manifests` that names another
/// package the folder policies/NAME beside the binding's file or beside a folder above it. Each is
/// activated at `now`, and `told` of it, but where the manifests have PolicyBindings: those say
/// what decides.
Status ActivatePolicies(const std::vector<std::string>& folders,
                        const manifest::Manifests& manifests, TimeNs now, Engine& engine,
                        const ActivationSink& told = {});

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

#endif  // MUSTER_BINDINGS_LAB_ACTIVATE_H_
