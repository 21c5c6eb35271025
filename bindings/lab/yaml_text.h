// JSON values as YAML text: blocks for people to read, flow where it must fit on a line.
#ifndef MUSTER_BINDINGS_LAB_YAML_TEXT_H_
#define MUSTER_BINDINGS_LAB_YAML_TEXT_H_

#include <cstddef>
#include <string>

#include "bindings/lab/json.h"

namespace muster::lab {

/// Block style, every line behind `indent` blanks and ended by a newline. A map or list that holds
/// only scalars and fits into a line is written in flow style.
std::string BlockYaml(const Json& json, std::size_t indent = 0);

/// One line: {a: 1, b: [x, 'y']}.
std::string FlowYaml(const Json& json);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_YAML_TEXT_H_
