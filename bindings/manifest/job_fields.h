// The fields of job kinds by which podsets are made (job_shapes.h), to find those that were
// mistyped or have another type.
#ifndef MUSTER_BINDINGS_MANIFEST_JOB_FIELDS_H_
#define MUSTER_BINDINGS_MANIFEST_JOB_FIELDS_H_

#include <string_view>

#include "bindings/manifest/reporter.h"
#include "bindings/manifest/yaml_node.h"

namespace muster::manifest {

/// Reports in the scheduling part of `document` each key that is no field there and looks like one
/// that is read, each value of another type than its field has, and fields that must be there. What
/// else its kind has is the business of its own controller, and not looked at. O(document).
void CheckSpelling(std::string_view kind, const YamlNode& document, Reporter& reporter);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_JOB_FIELDS_H_
