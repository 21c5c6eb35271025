// An InferencePool sends requests to pods of others. It asks for no quota: what holds back the pods
// that it selects is the queue of their Deployment.
#ifndef MUSTER_BINDINGS_MANIFEST_INFERENCE_POOL_H_
#define MUSTER_BINDINGS_MANIFEST_INFERENCE_POOL_H_

#include <vector>

#include "bindings/manifest/reporter.h"
#include "bindings/manifest/yaml_node.h"
#include "bindings/objects/value.h"

namespace muster::manifest {

bool IsInferencePool(const YamlNode& document);

/// Reports a pool that selects nothing, one that no object of `others` runs pods for, and the mark
/// of a queue that belongs elsewhere. `pool` is `node` as a value. O(others).
void CheckInferencePool(const YamlNode& node, const objects::Value& pool,
                        const std::vector<const objects::Value*>& others, Reporter& reporter);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_INFERENCE_POOL_H_
