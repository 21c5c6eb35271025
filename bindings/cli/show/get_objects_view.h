// Tables of the kinds that have a spec and no state: flavors, priority classes, namespaces, ...
#ifndef MUSTER_BINDINGS_CLI_SHOW_GET_OBJECTS_VIEW_H_
#define MUSTER_BINDINGS_CLI_SHOW_GET_OBJECTS_VIEW_H_

#include <vector>

#include "bindings/cli/kinds.h"
#include "bindings/cli/table.h"
#include "muster/engine.h"
#include "muster/object.h"
#include "muster/policy.h"

namespace muster::cli {

/// One row per object, without those of PolicyBindings. Precondition: every object is of `kind`.
Table ObjectsTable(Kind kind, const std::vector<Object>& objects);

/// PolicyBindings with what comes of each in `engine`.
Table BindingsTable(const Engine& engine, const std::vector<Object>& bindings);

Table PoliciesTable(const std::vector<PolicyInfo>& policies, bool wide);

/// "gpu=true:NoSchedule,..."
std::string ShowTaints(const std::vector<Taint>& taints);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_GET_OBJECTS_VIEW_H_
