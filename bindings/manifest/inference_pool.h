// An InferencePool sends requests to pods of others. It asks for no quota: what holds back the pods
// that it selects is the queue of their Deployment.
#ifndef MUSTER_BINDINGS_MANIFEST_INFERENCE_POOL_H_
#define MUSTER_BINDINGS_MANIFEST_INFERENCE_POOL_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "bindings/manifest/value.h"
#include "bindings/manifest/yaml_node.h"
#include "bindings/objects/value.h"

namespace muster::manifest {

bool IsInferencePool(const YamlNode& document);

/// The pods that objects run, found by one of their labels.
class PodLabels {
 public:
  /// Copies the labels of the pods that `object` makes, or has as a pod.
  void Add(const objects::Value& object);
  /// Takes what `other` has, too.
  void Add(const PodLabels& other);
  /// Whether pods in `ns` have all labels of `wanted`, which are one or more. O(pods that have the
  /// label of `wanted` that the fewest have).
  bool Has(std::string_view ns, const objects::Value& wanted) const;

 private:
  using Label = std::tuple<std::string, std::string, std::string>;  ///< namespace, key, value
  std::map<Label, std::vector<std::shared_ptr<const objects::Value>>> by_label_;
};

/// Reports what is wrong with the head of a pool or with its selector, a pool that selects nothing,
/// one whose pods nothing of `others` runs, and the mark of a queue that belongs elsewhere. `pool`
/// is the node of `value` as a value; of its other fields the shapes tell (job_shapes.h).
void CheckInferencePool(const Value& value, const objects::Value& pool, const PodLabels& others);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_INFERENCE_POOL_H_
