// What Kueue's webhooks say of a new object of a job kind, at its places; and how its workload is
// called.
#ifndef MUSTER_BINDINGS_MANIFEST_JOB_RULES_H_
#define MUSTER_BINDINGS_MANIFEST_JOB_RULES_H_

#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/reporter.h"
#include "bindings/manifest/yaml_node.h"
#include "bindings/objects/kind.h"
#include "bindings/objects/setting.h"
#include "bindings/objects/value.h"
#include "muster/types.h"

namespace muster::manifest {

/// Fills in what the webhooks fill in, then reports what they refuse, each mistake where it stands
/// in `node`. `object` is the node as data, with the API's defaults.
void ReportRules(const objects::KindRow& row, const YamlNode& node, objects::Value object,
                 const objects::Setting& setting, Reporter& reporter);

/// What the podset asks of the topology, as a Workload says it: without the labels that only pods
/// are told. An empty mapping for nothing.
objects::Value TopologyRequestIn(const objects::JobPodSet& set);

/// Whether pods of this spec ask for anything. A misspelt list is told of where the spec is read.
bool HasContainers(const objects::Value& pod_spec);

/// The name that Kueue gives the workload, but `job-NAME` of a Job that was written without a uid.
std::string JobWorkloadName(std::string_view name, std::string_view uid);

/// The row of an object that no other owns: a ReplicaSet is queued as a Deployment is. Null: it is
/// of no job kind.
const objects::KindRow* RowOfAlone(std::string_view api_version, std::string_view kind,
                                   const objects::Setting& setting);

/// What the workload of an owner may be called, of which only the reference is known.
std::vector<Key> KeysOfOwner(const std::string& ns, const objects::Value& owner,
                             const objects::Setting& setting);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_JOB_RULES_H_
