// Forms of a Workload and its parts.
#ifndef MUSTER_BINDINGS_MANIFEST_FORMS_WORKLOAD_H_
#define MUSTER_BINDINGS_MANIFEST_FORMS_WORKLOAD_H_

#include <optional>
#include <vector>

#include "bindings/manifest/form.h"
#include "bindings/manifest/ways.h"

namespace muster::manifest {

// ---- what the job asks for
// -----------------------------------------------------------------------

/// Of an init container: `Always` makes it a sidecar.
struct RestartPolicy : Word<0, "Always", "OnFailure", "Never"> {
  static Encoded Write(YamlArena& arena, bool always);
};

template <>
struct Form<Container> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&Container::requests, "resources.requests"),
      Field(&Container::limits, "resources.limits"),
      Field(&Container::restart_always, "restartPolicy").As<RestartPolicy>(),
  };
  static constexpr auto kUnread = Paths({"resources.claims"});
  static void ReadRest(Sections& sections, Container* container);
};

/// nodeSelectorTerms, which may be none: then no node will do.
struct NodeAffinity {
  static bool Read(const Value& value, std::optional<std::vector<NodeSelectorTerm>>* out);
  static Encoded Write(YamlArena& arena, const std::optional<std::vector<NodeSelectorTerm>>& terms);
};

/// The scheduling part of a PodSpec, strictly; Kubernetes' other fields are accepted unread.
template <>
struct Form<PodTemplate> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&PodTemplate::metadata).Elsewhere(),
      Field(&PodTemplate::pod_requests, "resources.requests"),
      Field(&PodTemplate::pod_limits, "resources.limits"),
      Field(&PodTemplate::runtime_class, "runtimeClassName"),
      Field(&PodTemplate::priority_class, "priorityClassName"),
      Field(&PodTemplate::required_node_affinity,
            "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution")
          .As<NodeAffinity>(),
  };
  static constexpr auto kUnread =
      Paths({"resources.claims", "affinity.podAffinity", "affinity.podAntiAffinity",
             "affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution"});
  static void ReadRest(Sections& sections, PodTemplate* pods);
};

/// A PodTemplateSpec.
struct TemplateSpec {
  static bool Read(const Value& value, PodTemplate* out);
  static Encoded Write(YamlArena& arena, const PodTemplate& pods);
};

template <>
struct Form<PodSet> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&PodSet::topology, "topologyRequest"),
      Field(&PodSet::pods, "template").As<TemplateSpec>().Need("{spec: {containers: [...]}}"),
  };
  static void Begin(const Decoding&, PodSet* out) { out->name = "main"; }
};

template <>
struct Form<SliceLayer> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&SliceLayer::level, "topology").Need("cloud.example.com/rack"),
      Field(&SliceLayer::size).Need("4"),
  };
};

/// A single one is written as two fields of the request.
struct Slices {
  static Encoded Write(YamlArena& arena, const std::vector<SliceLayer>& slices);
};

template <>
struct Form<TopologyRequest> : PartForm {
  static constexpr bool kIsWhole = false;
  static constexpr std::tuple kFields = {
      Field(&TopologyRequest::slices, "podsetSliceRequiredTopologyConstraints")
          .InV1beta1("")
          .As<Slices>(),
      Field(&TopologyRequest::pod_set_group, "podSetGroupName"),
  };
  static constexpr auto kUnread = Paths({"podIndexLabel", "subGroupIndexLabel", "subGroupCount"});
  static void ReadRest(Sections& sections, TopologyRequest* request);
  static void WriteRest(MapSections& out, const TopologyRequest& request);
};

// ---- what has become of it
// -----------------------------------------------------------------------

/// Pods that hold quota; kCountIsMissing where the assignment does not say.
struct HeldCount {
  static bool Read(const Value& value, std::int32_t* out);
};
inline constexpr std::int32_t kCountIsMissing = -1;  ///< until the podsets are known

template <>
struct Form<PodSetAssignment> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&PodSetAssignment::count).As<HeldCount>(),
      Field(&PodSetAssignment::topology, "topologyAssignment"),
  };
  static void Begin(const Decoding&, PodSetAssignment* out) {
    out->name = "main";
    out->count = kCountIsMissing;
  }
  static void ReadRest(Sections& sections, PodSetAssignment* out);
};

template <>
struct Form<Admission> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&Admission::cluster_queue).Need("team-a").AlwaysWritten(),
      Field(&Admission::pod_sets, "podSetAssignments"),
  };
};

template <>
struct Form<ReclaimablePods> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&ReclaimablePods::pod_set, "name").Need("main"),
      Field(&ReclaimablePods::count).Need("1"),
  };
};

template <>
struct Form<PodSetUpdate> : PartForm {
  static constexpr std::tuple kFields = {Field(&PodSetUpdate::name).Need("main")};
};

template <>
struct Form<AdmissionCheckStatus> : PartForm {
  static constexpr bool kIsWhole = false;
  static constexpr std::tuple kFields = {
      Field(&AdmissionCheckStatus::name).Need("provisioning"),
      Field(&AdmissionCheckStatus::state).Need("Pending"),
      Field(&AdmissionCheckStatus::since, "lastTransitionTime").As<WholeSecond>(),
  };
};

template <>
struct Form<EvictionCount> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&EvictionCount::reason).Need("Preempted"),
      Field(&EvictionCount::cause, "underlyingCause"),
      Field(&EvictionCount::count).Need("1"),
  };
};

template <>
struct Form<RequeueState> : PartForm {
  static constexpr std::tuple kFields = {Field(&RequeueState::requeue_at).As<WholeSecond>()};
};

/// Those of status.preemptionGates whose position is Open.
struct OpenGates {
  static bool Read(const Value& value, SharedList<std::string>* open);
  static Encoded Write(YamlArena& arena, const SharedList<std::string>& open);
};

template <>
struct Form<WorkloadStatus> : PartForm {
  using Status = WorkloadStatus;
  static constexpr bool kIsWhole = false;
  static constexpr std::tuple kFields = {
      // The misspelling is v1beta1's own.
      Field(&Status::past_execution_seconds, "accumulatedPastExecutionTimeSeconds")
          .InV1beta1("accumulatedPastExexcutionTimeSeconds"),
      Field(&Status::open_preemption_gates, "preemptionGates").As<OpenGates>(),
      Field(&Status::unhealthy_nodes).As<Named<"name", "node-1">>(),
      Field(&Status::evictions, "schedulingStats.evictions"),
  };
  static constexpr auto kUnread =
      Paths({"resourceRequests", "nominatedClusterNames", "clusterName"});
};

// ---- the document
// --------------------------------------------------------------------------------

/// {group, kind, name}; v1beta1 has two fields instead.
struct PriorityClassRef {
  static bool Read(const Value& value, Workload* workload);
  static Encoded Write(YamlArena& arena, const Workload& workload);
};

template <>
struct Form<Workload> : DocumentForm {
  static constexpr std::tuple kFields = {
      Field(&Workload::queue, "spec.queueName"),
      Field(&Workload::priority_source, "spec.priorityClassRef")
          .InV1beta1("")
          .As<PriorityClassRef>(),
      Field(&Workload::priority_class).Elsewhere(),
      Field(&Workload::max_execution_seconds, "spec.maximumExecutionTimeSeconds"),
      Field(&Workload::preemption_gates).InV1beta1("").As<Named<"name", "gate">>(),
      Field(&Workload::status, "status"),
  };
  static void ReadRest(Sections& sections, Workload* workload);
};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_FORMS_WORKLOAD_H_
