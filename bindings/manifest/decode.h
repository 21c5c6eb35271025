// Documents: a whole one in, the engine's object out. Reports every mistake that is met and goes
// on; the caller drops objects for which something was reported.
#ifndef MUSTER_BINDINGS_MANIFEST_DECODE_H_
#define MUSTER_BINDINGS_MANIFEST_DECODE_H_

#include <optional>
#include <string>
#include <string_view>

#include "bindings/manifest/fields.h"
#include "bindings/manifest/metadata.h"
#include "muster/object.h"

namespace muster::manifest {

/// nullopt: a correct document that makes no object (a Pod that ended, a Job that is skipped).
using Decoder = std::optional<Object> (*)(const Value& document);

Decoder DecoderOf(ObjectKind kind);
/// A batch/v1 Job becomes the Workload `job-NAME`.
std::optional<Object> DecodeJob(const Value& document);
/// A job without a queue is a mistake, or skipped where the caller allows that.
void ReportUnlabeled(const Value& document, std::string_view kind, const std::string& name);
/// A ResourceQuota is no object of the engine.
NamespaceQuota DecodeResourceQuota(const Value& document);

// ---- parts that are no list of fields ----------------------------------------------------------

struct PodTemplateText {
  PodTemplate pods;
  LabelMap annotations;
};
/// A PodTemplateSpec; the annotations carry a Job's topology request.
bool Read(const Value& value, PodTemplateText* out);
bool Read(const Value& value, TopologyAssignment* out);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_DECODE_H_
