// Forms of cluster-wide classes, of what the cluster has, and of Muster's own objects.
#ifndef MUSTER_BINDINGS_MANIFEST_FORMS_CLUSTER_H_
#define MUSTER_BINDINGS_MANIFEST_FORMS_CLUSTER_H_

#include <map>
#include <string>
#include <vector>

#include "bindings/manifest/form_reader.h"
#include "bindings/manifest/form_writer.h"
#include "bindings/manifest/kubernetes_fields.h"
#include "bindings/manifest/ways.h"
#include "bindings/manifest/well_known.h"

namespace muster::manifest {

template <>
struct Form<PriorityClass> : DocumentForm {
  static constexpr auto kUnread = Paths({"description", "preemptionPolicy"});
};

template <>
struct Form<RuntimeClass> : DocumentForm {
  static constexpr auto kUnread = Paths({"handler", "scheduling"});
};

/// The word True or False, as a text.
struct ConditionStatus {
  static bool Read(const Value& value, bool* out) {
    std::string text;
    return manifest::Read(value, &text) && Word<0, "True", "False", "Unknown">::Read(value, out);
  }
  static Encoded Write(YamlArena& arena, bool status) {
    return Text(arena, status ? "True" : "False");
  }
};

template <>
struct Form<Condition> : PartForm {
  static constexpr std::tuple kFields = {
      By<ConditionStatus>(&Condition::status),
      By<WholeSecond>(&Condition::since),
  };
  static constexpr auto kUnread =
      Paths({"observedGeneration", "lastHeartbeatTime", "lastUpdateTime", "lastProbeTime"});
};

/// A truth value as a condition of the status.
template <Letters kType>
struct AsCondition {
  static Encoded Write(YamlArena& arena, bool status) {
    return Encode(arena, std::vector<Condition>{{kType.view(), status, "", "", kNoTime}});
  }
};

/// True when the conditions do not say otherwise.
struct ActiveCondition : AsCondition<"Active"> {
  static bool Read(const Value& value, bool* active);
};

template <>
struct Form<AdmissionCheck> : DocumentForm {
  static constexpr std::tuple kFields = {By<ActiveCondition>(&AdmissionCheck::active)};
  static constexpr auto kUnread = Paths({"spec.parameters"});  // for the check's own controller
  static constexpr std::array kUnheeded = {
      Unheeded{"spec.retryDelayMinutes", "a check that says Retry says itself how long to wait",
               "remove it"}};
};

template <>
struct Form<Topology> : DocumentForm {
  static constexpr std::tuple kFields = {
      By<Named<"nodeLabel", "kubernetes.io/hostname">>(&Topology::levels)};
};

template <>
struct Form<Namespace> : DocumentForm {
  static constexpr auto kUnread = Paths({"spec", "status"});
  static void ReadRest(Sections&, Namespace* ns) {
    // As the Kubernetes API server does; selectors of ClusterQueues rely on it.
    ns->labels.emplace(kNamespaceNameLabel, ns->name);
  }
};

/// True when the conditions say so, or are not there: a hand-written Node has none.
struct ReadyCondition {
  static bool Read(const Value& value, bool* ready);
  static Encoded Write(YamlArena& arena, const Node& node) {  // also of a node that is ready
    return AsCondition<"Ready">::Write(arena, node.ready);
  }
};

template <>
struct Form<Node> : DocumentForm {
  static constexpr std::tuple kFields = {By<ReadyCondition>(&Node::ready)};
  static constexpr auto kUnread = kNodeFields;
};

/// Beside the names of the type, volume claims, which no quota of ours knows.
struct LimitType {
  static bool Read(const Value& value, LimitRangeType* out);
};

template <>
struct Form<LimitRangeItem> : PartForm {
  static constexpr std::tuple kFields = {By<LimitType>(&LimitRangeItem::type)};
};

/// Without those of volume claims.
struct Limits {
  static bool Read(const Value& value, std::vector<LimitRangeItem>* out);
};

template <>
struct Form<LimitRange> : DocumentForm {
  static constexpr std::tuple kFields = {By<Limits>(&LimitRange::items)};
};

struct Durability : Word<1, "full", "relaxed"> {
  static Encoded Write(YamlArena& arena, bool relaxed) {
    return Text(arena, relaxed ? "relaxed" : "full");
  }
};

struct Overcommit : Word<1, "never", "asKueue"> {
  static Encoded Write(YamlArena& arena, bool as_kueue) {
    return as_kueue ? Text(arena, "asKueue") : nullptr;
  }
};

/// Its switches may stand in the document itself or below spec, as a part of it.
template <>
struct Form<EngineConfiguration> : PartForm {
  static constexpr std::tuple kFields = {By<Durability>(&EngineConfiguration::relaxed_durability),
                                         By<Overcommit>(&EngineConfiguration::overcommit_as_kueue)};
};

/// Texts for the package, which knows their types: 3, "3" and 3m are all right.
struct Parameters {
  static bool Read(const Value& value, std::map<std::string, std::string, std::less<>>* out);
};

template <>
struct Form<PolicyBinding> : DocumentForm {
  static constexpr std::tuple kFields = {By<Parameters>(&PolicyBinding::params)};
  static constexpr auto kUnread = Paths({"status"});  // what `muster get -o yaml` says of it
  static void ReadRest(Sections& sections, PolicyBinding* /*binding*/) {
    sections.FindField("spec", "{policy: small-first}");
  }
};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_FORMS_CLUSTER_H_
