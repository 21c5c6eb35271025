// Documents that are written as most manifests are, read by libyaml in a sixth of the time that
// yaml-cpp takes.
//
// What is unusual or wrong is left to yaml-cpp, which alone decides what a text means and words its
// mistakes: tests hold that both say the same of what is read here.
#ifndef MUSTER_BINDINGS_MANIFEST_USUAL_YAML_H_
#define MUSTER_BINDINGS_MANIFEST_USUAL_YAML_H_

#include <string_view>

#include "bindings/manifest/yaml_builder.h"

namespace muster::manifest {

/// Gives `builder` the events of `text`, which has one document at most, as yaml-cpp would. False:
/// it is not one that is read here, and the builder may have seen a part of it. Usual is printable
/// ASCII without directives, anchors, aliases, tags, values that are left out, and texts over
/// several lines but for those behind `|`. Throws what the builder throws. O(bytes).
bool ReadUsualYaml(std::string_view text, YamlBuilder& builder);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_USUAL_YAML_H_
