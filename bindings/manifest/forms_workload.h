// Forms of a Workload and its parts.
#ifndef MUSTER_BINDINGS_MANIFEST_FORMS_WORKLOAD_H_
#define MUSTER_BINDINGS_MANIFEST_FORMS_WORKLOAD_H_

#include <optional>
#include <string>
#include <vector>

#include "bindings/manifest/form_reader.h"
#include "bindings/manifest/form_writer.h"
#include "bindings/manifest/kubernetes_fields.h"
#include "bindings/manifest/ways.h"

namespace muster::manifest {

// ---- what the job asks for ---------------------------------------------------------------------

/// Of an init container: `Always` makes it a sidecar.
struct RestartPolicy : Word<0, "Always", "OnFailure", "Never"> {
  static Encoded Write(YamlArena& arena, bool always) {
    return always ? Text(arena, "Always") : nullptr;
  }
};

template <>
struct Form<Container> : PartForm {
  static constexpr std::tuple kFields = {By<RestartPolicy>(&Container::restart_always)};
  static constexpr auto kUnread = kContainerFields;
};

/// nodeSelectorTerms, which may be none: then no node will do.
struct NodeAffinity {
  using Terms = std::optional<std::vector<NodeSelectorTerm>>;
  static bool Read(const Value& value, Terms* out) {
    Fields(value).Get("nodeSelectorTerms", &out->emplace());
    return true;
  }
  static Encoded Write(YamlArena& arena, const Terms& terms) {
    MapWriter affinity(arena);
    affinity.Put("nodeSelectorTerms", Encode(arena, *terms));
    return affinity.node();
  }
};

/// The scheduling part of a PodSpec, strictly; Kubernetes' other fields are accepted unread.
template <>
struct Form<PodTemplate> : PartForm {
  static constexpr std::tuple kFields = {
      By<Elsewhere>(&PodTemplate::metadata),
      By<NodeAffinity>(&PodTemplate::required_node_affinity),
  };
  static constexpr auto kUnread = kPodSpecFields;
  static constexpr std::array kUnheeded = {
      Unheeded{"resourceClaims", "devices that are claimed are charged to no quota",
               "request devices by resource name, for example nvidia.com/gpu: 1"}};
  /// A start takes and leaves gates by their names, which nothing else reads.
  static void ReadRest(Sections& sections, PodTemplate* out);
};

/// A PodTemplateSpec.
struct TemplateSpec {
  static bool Read(const Value& value, PodTemplate* out);
  static Encoded Write(YamlArena& arena, const PodTemplate& pods);
};

template <>
struct Form<PodSet> : PartForm {
  static constexpr std::tuple kFields = {By<TemplateSpec>(&PodSet::pods)};
  static void Begin(const Decoding&, PodSet* out) { out->name = "main"; }
};

/// A single one is written as two fields of the request.
struct Slices {
  static Encoded Write(YamlArena& arena, const std::vector<SliceLayer>& slices) {
    return slices.size() == 1 ? nullptr : Encode(arena, slices);
  }
};

template <>
struct Form<TopologyRequest> : PartForm {
  static constexpr bool kIsWhole = false;
  static constexpr std::tuple kFields = {By<Slices>(&TopologyRequest::slices, "")};
  static constexpr auto kUnread = Paths({"podIndexLabel", "subGroupIndexLabel", "subGroupCount"});
  static void ReadRest(Sections& sections, TopologyRequest* request);
  static void WriteRest(MapSections& out, const TopologyRequest& request);
};

// ---- what has become of it ---------------------------------------------------------------------

inline constexpr std::int32_t kCountIsMissing = -1;  ///< until the podsets are known

/// Of pods that hold quota.
struct HeldCount {
  static bool Read(const Value& value, std::int32_t* out) {
    if (!manifest::Read(value, out)) return false;
    if (*out < 0) value.Error("cannot be negative", "write the number of pods that hold quota");
    return *out >= 0;
  }
};

template <>
struct Form<PodSetAssignment> : PartForm {
  static constexpr std::tuple kFields = {By<HeldCount>(&PodSetAssignment::count)};
  /// It follows from the checks and from the placement.
  static constexpr auto kUnread = Paths({"delayedTopologyRequest"});
  static void Begin(const Decoding&, PodSetAssignment* out) {
    out->name = "main";
    out->count = kCountIsMissing;
  }
};

/// Written also when it is empty.
struct HoldingQueue {
  static Encoded Write(YamlArena& arena, const Admission& admission) {
    return Encode(arena, admission.cluster_queue);
  }
};

template <>
struct Form<Admission> : PartForm {
  static constexpr std::tuple kFields = {By<HoldingQueue>(&Admission::cluster_queue)};
};

template <>
struct Form<AdmissionCheckStatus> : PartForm {
  static constexpr bool kIsWhole = false;
  static constexpr std::tuple kFields = {By<WholeSecond>(&AdmissionCheckStatus::since)};
};

template <>
struct Form<RequeueState> : PartForm {
  static constexpr std::tuple kFields = {By<WholeSecond>(&RequeueState::requeue_at)};
};

/// Those of status.preemptionGates whose position is Open.
struct OpenGates {
  static bool Read(const Value& value, SharedList<std::string>* open);
  static Encoded Write(YamlArena& arena, const SharedList<std::string>& open);
};

template <>
struct Form<WorkloadStatus> : PartForm {
  static constexpr bool kIsWhole = false;
  static constexpr std::tuple kFields = {
      // The misspelling is v1beta1's own.
      By(&WorkloadStatus::past_execution_seconds, "accumulatedPastExexcutionTimeSeconds"),
      By<OpenGates>(&WorkloadStatus::open_preemption_gates),
      By<Named<"name", "node-1">>(&WorkloadStatus::unhealthy_nodes),
  };
  static constexpr auto kUnread =
      Paths({"resourceRequests", "nominatedClusterNames", "clusterName"});
};

/// {group, kind, name}; v1beta1 has two fields instead.
struct PriorityClassRef {
  static bool Read(const Value& value, Workload* workload);
  static Encoded Write(YamlArena& arena, const Workload& workload);
};

template <>
struct Form<Workload> : DocumentForm {
  static constexpr std::tuple kFields = {
      By<PriorityClassRef>(&Workload::priority_source, ""),
      By<Elsewhere>(&Workload::priority_class),
      By<Named<"name", "gate">>(&Workload::preemption_gates, ""),
  };
  static void ReadRest(Sections& sections, Workload* workload);
};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_FORMS_WORKLOAD_H_
