// Labels and annotations in Kueue's own name space, on what becomes a workload.
#ifndef MUSTER_BINDINGS_MANIFEST_KUEUE_MARKS_H_
#define MUSTER_BINDINGS_MANIFEST_KUEUE_MARKS_H_

#include <string_view>

#include "bindings/manifest/value.h"

namespace muster::manifest {

/// Reports the labels and annotations under kueue.x-k8s.io/ in the `metadata` of a Job, its pod
/// template or a Workload that no decision reads: those that decide in Kueue, and misspelt ones.
/// Other objects' are Kubernetes' affair. `owner` is the name of the object that has the metadata.
void CheckMarks(std::string_view owner, const Value& metadata);

/// The same of a Pod and of all templates below the `spec` of a job of another kind: marks that
/// Kueue does not know, with the closest one that is, and those that stand among labels and are
/// annotations, or the other way round.
void CheckPodMarks(const YamlNode& document, Decoding& decoding);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_KUEUE_MARKS_H_
