// The fields of job kinds by which podsets are made, to find those that were mistyped.
#ifndef MUSTER_BINDINGS_MANIFEST_JOB_FIELDS_H_
#define MUSTER_BINDINGS_MANIFEST_JOB_FIELDS_H_

#include <string_view>

#include "bindings/manifest/reporter.h"
#include "bindings/manifest/yaml_node.h"

namespace muster::manifest {

/// Reports each key in the scheduling part of `document` that is no field there and looks like one.
/// What else its kind has is the business of its own controller, and not looked at.
void CheckSpelling(std::string_view kind, const YamlNode& document, Reporter& reporter);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_JOB_FIELDS_H_
