// What pods have that other kinds have not: gates, groups and roles.
#ifndef MUSTER_BINDINGS_OBJECTS_POD_H_
#define MUSTER_BINDINGS_OBJECTS_POD_H_

#include <string>
#include <string_view>
#include <vector>

#include "bindings/objects/setting.h"
#include "bindings/objects/value.h"
#include "bindings/objects/workload.h"

namespace muster::objects {

/// The name of its group, empty for none: see NamedByAnnotation.
std::string_view GroupOf(const Value& pod, const Setting& setting);

/// Where it says that, or would.
std::string GroupField(const Value& pod, const Setting& setting);

bool HasGate(const Value& pod, std::string_view gate);
void AddGate(Value& pod_template, std::string_view gate);
void RemoveGate(Value& pod, std::string_view gate);

/// What makes two pods play one role, in the order in which the API writes it.
Value RoleShape(const Value& pod_spec);
/// The annotation when there is one, else the first 8 digits of the shape's SHA-256.
std::string RoleHash(const Value& pod);

/// Marks a pod of a queued StatefulSet or LeaderWorkerSet as a member of its workload's group, and
/// answers whether it is one that changed.
bool MarkPodOf(const Value& owner, Value& pod, const Setting& setting);

/// The pods that a StatefulSet makes, or a LeaderWorkerSet for the replica of this workload, by
/// their names, with the marks of the group; `owner` as its webhook leaves it.
std::vector<Value> PodsOf(const Value& owner, const JobWorkload& workload, const Setting& setting);

/// Labels and annotations, as the metadata of a template.
Value KeepMarks(const Value& object);

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_POD_H_
