// The functions of the rows, by kind. Only kinds.cc and these files know them.
#ifndef MUSTER_BINDINGS_OBJECTS_JOB_KINDS_H_
#define MUSTER_BINDINGS_OBJECTS_JOB_KINDS_H_

#include "bindings/objects/kind.h"

namespace muster::objects {

KindRow JobRow();
KindRow JobSetRow();
KindRow TrainJobRow();
KindRow MpiJobRow();
std::vector<KindRow> KubeflowRows();
KindRow RayJobRow();
KindRow RayClusterRow();
KindRow RayServiceRow();
KindRow SparkRow();
KindRow AppWrapperRow();
KindRow PodRow();
KindRow DeploymentRow();
KindRow StatefulSetRow();
KindRow LeaderWorkerSetRow();

// ---- shared by several -------------------------------------------------------------------------

/// The first condition of a type in `types` that is True; empty for none.
std::string_view TrueCondition(const Value& object, std::initializer_list<std::string_view> types);
/// Podsets of a JobSet's spec; `place` leads to `spec`.
JobPodSets JobSetPodSets(const Value& spec, const ValuePath& place);
void FillJobSet(Value& spec);
/// What a status with replicatedJobsStatus, or jobsStatus of a TrainJob, says.
JobStatus ReplicatedStatus(const Value& list, const JobPodSets& sets);
/// Whether that status tells all jobs of a JobSet's spec ready or succeeded.
bool ReplicatedReady(const Value& spec, const Value& list);
/// The Ray cluster's spec inside a RayCluster, RayJob or RayService.
const Value& RayClusterSpec(const Value& object);

/// Keys and indexes of "template.spec.a[0].t", as an AppWrapper leads to a pod template.
ValuePath WrappedPath(std::string_view text);
/// How many podsets a component of an AppWrapper has.
std::size_t CountOfWrapped(const Value& component);

/// Puts what was injected into a template, without overwriting; answers a conflict.
std::string MergeInto(Value& pod_template, const StartInfo& info);
/// Labels, annotations, nodeSelector, tolerations and gates as `before` has them.
void RestoreTemplate(Value& pod_template, const Value& before);

/// Whether a name stands in the annotation `mark` and not in the label: the annotation goes before
/// the label. Without the gate WorkloadIdentifierAnnotations it is the other way round, and only a
/// name that no label has room for is read there.
bool NamedByAnnotation(const Value& object, std::string_view mark, const Setting& setting);
/// Name of the workload that the object is to use instead of one of its own; empty for none.
std::string_view PrebuiltOf(const Value& object, const Setting& setting);
std::string PrebuiltField(const Value& object, const Setting& setting);
/// Of the one workload that an object of a kind with a suspend field has.
std::string WorkloadNameOf(const KindRow& row, const Value& object, const Setting& setting);
/// The pod `NAME-i` of a Deployment.
Value PodOfReplica(const Value& owner, std::int64_t index);
/// Whether the StatefulSet was made by another kind, which queues its pods.
bool IsChildOfAnother(const Value& stateful_set);

/// Each rule that refuses something is one call of these: see FieldError::rule.
FieldError Wrong(std::string_view type, std::string field, std::string what, std::string cure,
                 Line rule = Line::Here());
FieldError Invalid(std::string field, std::string what, std::string cure, Line rule = Line::Here());
FieldError Forbidden(std::string field, std::string what, std::string cure,
                     Line rule = Line::Here());
FieldError Required(std::string field, std::string what, std::string cure,
                    Line rule = Line::Here());

std::string AnnotationField(std::string_view name);
std::string LabelField(std::string_view name);

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_JOB_KINDS_H_
