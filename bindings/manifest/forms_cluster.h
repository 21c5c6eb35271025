// Forms of cluster-wide classes and of what the cluster has.
#ifndef MUSTER_BINDINGS_MANIFEST_FORMS_CLUSTER_H_
#define MUSTER_BINDINGS_MANIFEST_FORMS_CLUSTER_H_

#include <vector>

#include "bindings/manifest/form.h"
#include "bindings/manifest/ways.h"

namespace muster::manifest {

template <>
struct Form<WorkloadPriorityClass> : DocumentForm {
  static constexpr std::string_view kBelow = "";
  static constexpr std::tuple kFields = {Field(&WorkloadPriorityClass::value).Need("1000")};
};

template <>
struct Form<PriorityClass> : DocumentForm {
  static constexpr std::string_view kBelow = "";
  static constexpr std::tuple kFields = {Field(&PriorityClass::value).Need("1000")};
  static constexpr auto kUnread = Paths({"description", "preemptionPolicy"});
};

template <>
struct Form<RuntimeClass> : DocumentForm {
  static constexpr std::tuple kFields = {Field(&RuntimeClass::overhead, "overhead.podFixed")};
  static constexpr auto kUnread = Paths({"handler", "scheduling"});
};

template <>
struct Form<Condition> : PartForm {
  struct Status : Word<0, "True", "False", "Unknown"> {
    static bool Read(const Value& value, bool* out);
    static Encoded Write(YamlArena& arena, bool status);
  };
  static constexpr std::tuple kFields = {
      Field(&Condition::type).Need("QuotaReserved"),
      Field(&Condition::status).As<Status>().Need("\"True\""),
      Field(&Condition::since, "lastTransitionTime").As<WholeSecond>(),
  };
  static constexpr auto kUnread =
      Paths({"observedGeneration", "lastHeartbeatTime", "lastUpdateTime", "lastProbeTime"});
};

/// True when the conditions do not say that the check is not Active.
struct ActiveCondition {
  static bool Read(const Value& value, bool* active);
  static Encoded Write(YamlArena& arena, bool active);
};

template <>
struct Form<AdmissionCheck> : DocumentForm {
  static constexpr std::tuple kFields = {
      Field(&AdmissionCheck::controller, "spec.controllerName"),
      Field(&AdmissionCheck::active, "status.conditions").As<ActiveCondition>(),
  };
  static constexpr auto kUnread = Paths({"spec.parameters"});  // for the check's own controller
  static void ReadRest(Sections& sections, AdmissionCheck* check);
};

template <>
struct Form<Topology> : DocumentForm {
  static constexpr std::tuple kFields = {
      Field(&Topology::levels).As<Named<"nodeLabel", "kubernetes.io/hostname">>(),
  };
};

template <>
struct Form<Namespace> : DocumentForm {
  static constexpr auto kUnread = Paths({"spec", "status"});
  static void ReadRest(Sections& sections, Namespace* ns);
};

/// True when the conditions say Ready, or are not there: a hand-written Node has none.
struct ReadyCondition {
  static bool Read(const Value& value, bool* ready);
  static Encoded Write(YamlArena& arena, bool ready);
};

template <>
struct Form<Node> : DocumentForm {
  static constexpr std::tuple kFields = {
      Field(&Node::allocatable, "status.allocatable"),
      Field(&Node::ready, "status.conditions").As<ReadyCondition>().AlwaysWritten(),
  };
  static void ReadRest(Sections& sections, Node* node);
};

/// The type may also be volume claims, which no quota of ours knows.
struct LimitType {
  static bool Read(const Value& value, LimitRangeType* out);
};

template <>
struct Form<LimitRangeItem> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&LimitRangeItem::type).As<LimitType>().Need("Container"),
      Field(&LimitRangeItem::default_limits, "default"),
      Field(&LimitRangeItem::default_requests, "defaultRequest"),
  };
};

/// Without those of volume claims.
struct Limits {
  static bool Read(const Value& value, std::vector<LimitRangeItem>* out);
};

template <>
struct Form<LimitRange> : DocumentForm {
  static constexpr std::tuple kFields = {Field(&LimitRange::items, "spec.limits").As<Limits>()};
};

// ---- Muster's own
// --------------------------------------------------------------------------------

struct Durability : Word<1, "full", "relaxed"> {
  static Encoded Write(YamlArena& arena, bool relaxed);
};

/// Its switches may stand in the document itself or below spec, as a part of it.
template <>
struct Form<EngineConfiguration> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&EngineConfiguration::relaxed_durability, "durability").As<Durability>(),
  };
};

/// Texts for the package, which knows their types: 3, "3" and 3m are all right.
struct Parameters {
  static bool Read(const Value& value, std::map<std::string, std::string, std::less<>>* out);
};

template <>
struct Form<PolicyBinding> : DocumentForm {
  static constexpr std::tuple kFields = {
      Field(&PolicyBinding::policy).Need("small-first"),
      Field(&PolicyBinding::params).As<Parameters>(),
  };
  static void ReadRest(Sections& sections, PolicyBinding* binding);
};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_FORMS_CLUSTER_H_
