// What the pods of a template ask for, read leniently: what is no quantity asks for nothing.
#ifndef MUSTER_BINDINGS_OBJECTS_REQUESTS_H_
#define MUSTER_BINDINGS_OBJECTS_REQUESTS_H_

#include <map>
#include <string>
#include <string_view>

#include "bindings/objects/value.h"
#include "muster/quantity.h"
#include "muster/workload.h"

namespace muster::objects {

class Setting;

ResourceList Quantities(const Value& list);
/// The scheduling part of a pod's spec, as far as requests need it.
PodTemplate PodTemplateFrom(const Value& pod_spec);
/// Request of one pod, in base units, without those of 0.
std::map<std::string, Amount, std::less<>> RequestsOf(const Value& pod_spec, const Setting& setting,
                                                      std::string_view ns);

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_REQUESTS_H_
