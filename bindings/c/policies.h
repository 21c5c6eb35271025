// What activating a package and activating one that is staged have in common.
#ifndef MUSTER_BINDINGS_C_POLICIES_H_
#define MUSTER_BINDINGS_C_POLICIES_H_

#include <memory>
#include <string>
#include <vector>

#include "bindings/c/handles.h"

namespace muster::c {

/// {"gpus": "4"} as parameters; NULL: none.
Status ReadParams(const char* text, PolicyParams* params);

/// The author of a change of policies, and the reason.
PolicyChange ChangeOf(const char* by, const char* why);

/// What a package says of itself, as JSON: name, hash, description, hooks. `doubt`, where given, is
/// why its tests show nothing, or "".
std::string InfoText(const PolicyInfo& info, const std::string* doubt = nullptr);

/// Makes it the active generation of an engine in memory, which remembers what was before.
Status ActivateInMemory(muster_engine& engine, const std::shared_ptr<Policy>& policy,
                        const PolicyChange& change, TimeNs now, std::vector<StoppedHook>* stopped);

}  // namespace muster::c

#endif  // MUSTER_BINDINGS_C_POLICIES_H_
