// Where LuaJIT's compiler gives up on a policy: those lines run interpreted.
#ifndef MUSTER_BINDINGS_LUAJIT_TRACE_ABORTS_H_
#define MUSTER_BINDINGS_LUAJIT_TRACE_ABORTS_H_

#include <memory>
#include <string>
#include <vector>

#include "bindings/luajit/policy_package.h"
#include "bindings/luajit/sandbox_options.h"

namespace muster::luajit {

/// LoadPackage, with the lines the compiler gives up on added to `aborts`, each line once, while
/// the policy is called. `aborts` must outlive the policy.
Result<std::shared_ptr<Policy>> LoadWatched(const PackageSource& source,
                                            std::vector<TraceAbort>* aborts);

/// A TraceAbort from what LuaJIT says, such as "NYI: bytecode FNEW  ".
TraceAbort MakeTraceAbort(int line, std::string reason);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_TRACE_ABORTS_H_
