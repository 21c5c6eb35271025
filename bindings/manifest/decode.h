// One decoder per kind: a whole document in, the engine's object out. Reports every mistake it
// meets and goes on; the caller drops objects for which something was reported.
#ifndef MUSTER_BINDINGS_MANIFEST_DECODE_H_
#define MUSTER_BINDINGS_MANIFEST_DECODE_H_

#include <optional>

#include "bindings/manifest/fields.h"
#include "bindings/manifest/metadata.h"
#include "muster/object.h"

namespace muster::manifest {

/// nullopt: a correct document that makes no object (a Pod that ended, a Job that is skipped).
using Decoder = std::optional<Object> (*)(const Value& document);

std::optional<Object> DecodeResourceFlavor(const Value& document);
std::optional<Object> DecodeClusterQueue(const Value& document);
std::optional<Object> DecodeCohort(const Value& document);
std::optional<Object> DecodeLocalQueue(const Value& document);
std::optional<Object> DecodeWorkloadPriorityClass(const Value& document);
std::optional<Object> DecodePriorityClass(const Value& document);
std::optional<Object> DecodeNamespace(const Value& document);
std::optional<Object> DecodeLimitRange(const Value& document);
std::optional<Object> DecodeRuntimeClass(const Value& document);
std::optional<Object> DecodeAdmissionCheck(const Value& document);
std::optional<Object> DecodeTopology(const Value& document);
std::optional<Object> DecodeNode(const Value& document);
std::optional<Object> DecodePod(const Value& document);
std::optional<Object> DecodeConfiguration(const Value& document);
std::optional<Object> DecodeEngineConfiguration(const Value& document);
std::optional<Object> DecodePolicyBinding(const Value& document);
std::optional<Object> DecodeWorkload(const Value& document);
/// A batch/v1 Job becomes the Workload `job-NAME`.
std::optional<Object> DecodeJob(const Value& document);
/// A ResourceQuota is no object of the engine.
NamespaceQuota DecodeResourceQuota(const Value& document);

// ---- parts that several kinds share ------------------------------------------------------------

bool Read(const Value& value, SelectorRequirement* out);
bool Read(const Value& value, LabelSelector* out);
bool Read(const Value& value, Taint* out);
bool Read(const Value& value, Toleration* out);
bool Read(const Value& value, ResourceQuota* out);
bool Read(const Value& value, FlavorQuotas* out);
bool Read(const Value& value, ResourceGroup* out);
/// fairSharing: {weight}, a quantity as a double; true: it is written out.
bool ReadFairWeight(Fields& spec, double* weight);

struct PodTemplateText {
  PodTemplate pods;
  LabelMap annotations;
};
/// A PodTemplateSpec; the annotations carry a Job's topology request.
bool Read(const Value& value, PodTemplateText* out);
/// A PodSpec.
bool Read(const Value& value, PodTemplate* out);

bool Read(const Value& value, WorkloadStatus* out);
bool Read(const Value& value, ReclaimablePods* out);
bool Read(const Value& value, PodSetUpdate* out);
bool Read(const Value& value, TopologyAssignment* out);
bool Read(const Value& value, TopologyRequest* out);
bool Read(const Value& value, Condition* out);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_DECODE_H_
