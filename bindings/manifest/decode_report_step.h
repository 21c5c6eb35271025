// Steps of a Scenario by which a gateway or the controller of a check reports something.
#ifndef MUSTER_BINDINGS_MANIFEST_DECODE_REPORT_STEP_H_
#define MUSTER_BINDINGS_MANIFEST_DECODE_REPORT_STEP_H_

#include <optional>
#include <string>

#include "bindings/manifest/decode.h"
#include "bindings/manifest/manifest.h"

namespace muster::manifest {

/// "namespace/name"; reports anything else.
std::optional<Key> ReadKey(const Value& value);

/// {workload, name, state, message, requeueAfterSeconds, podSetUpdates}
std::optional<CheckUpdate> ReadCheck(const Value& value);
/// {workload, podSets: [{name, count}], openPreemptionGates}
std::optional<WorkloadUpdate> ReadUpdate(const Value& value);
/// {workload, reason}
std::optional<command::Evict> ReadEviction(const Value& value);
/// {kind, name, namespace}
std::optional<command::Delete> ReadDelete(const Value& value);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_DECODE_REPORT_STEP_H_
