// Pod: one podset `main` of one pod, held back by a scheduling gate; and the hash of its role.
#include "bindings/objects/pod.h"

#include <algorithm>
#include <array>

#include "bindings/objects/hash.h"
#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/pod_group.h"
#include "bindings/objects/topology.h"
#include "muster/quantity.h"

namespace muster::objects {
namespace {

/// Names of the fields of the API's types in the order in which the API writes them.
constexpr auto kFieldOrder =
    std::to_array<std::string_view>({"maxSkew",
                                     "weight",
                                     "preference",
                                     "podAffinityTerm",
                                     "nodeAffinity",
                                     "podAffinity",
                                     "podAntiAffinity",
                                     "requiredDuringSchedulingIgnoredDuringExecution",
                                     "preferredDuringSchedulingIgnoredDuringExecution",
                                     "nodeSelectorTerms",
                                     "matchLabels",
                                     "matchExpressions",
                                     "matchFields",
                                     "name",
                                     "resourceClaimName",
                                     "resourceClaimTemplateName",
                                     "hostPort",
                                     "containerPort",
                                     "protocol",
                                     "hostIP",
                                     "key",
                                     "operator",
                                     "value",
                                     "values",
                                     "effect",
                                     "tolerationSeconds",
                                     "labelSelector",
                                     "namespaces",
                                     "topologyKey",
                                     "namespaceSelector",
                                     "whenUnsatisfiable",
                                     "matchLabelKeys",
                                     "mismatchLabelKeys"});
constexpr auto kSpreadOrder = std::to_array<std::string_view>(
    {"maxSkew", "topologyKey", "whenUnsatisfiable", "labelSelector", "minDomains",
     "nodeAffinityPolicy", "nodeTaintsPolicy", "matchLabelKeys"});

std::size_t RankOf(std::string_view key, std::span<const std::string_view> order) {
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), key) - order.begin());
}

/// Puts entries in `order`, unknown ones by name behind; without an order all by name.
void Sort(Value& value, std::span<const std::string_view> order) {
  std::stable_sort(value.entries.begin(), value.entries.end(),
                   [order](const auto& a, const auto& b) {
                     const std::size_t rank_a = RankOf(a.first, order);
                     const std::size_t rank_b = RankOf(b.first, order);
                     return rank_a != rank_b ? rank_a < rank_b : a.first < b.first;
                   });
  for (auto& [key, child] : value.entries) {
    const bool free_keys = key == "matchLabels";
    Sort(child, free_keys ? std::span<const std::string_view>() : std::span(kFieldOrder));
  }
  for (Value& item : value.items) Sort(item, order);
}

/// A quantity as the API writes it. What stands with an exponent that is canonical stays.
std::string CanonicalQuantity(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos && e + 1 < text.size()) {
    const auto mantissa = WholeNumber(text.substr(0, e));
    const auto exponent = WholeNumber(text.substr(e + 1));
    if (mantissa && exponent && *exponent % 3 == 0) return std::string(text);
  }
  const auto quantity = Quantity::Parse(text);
  if (!quantity) return std::string(text);
  const bool binary = text.ends_with('i');
  Quantity::Nano rest = quantity->nano();
  if (rest == 0) return "0";
  constexpr Quantity::Nano kUnit = 1'000'000'000;
  if (binary && rest % kUnit == 0 && rest / kUnit >= 1024) {
    constexpr auto kSuffixes =
        std::to_array<std::string_view>({"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"});
    auto whole = static_cast<std::int64_t>(rest / kUnit);
    std::size_t step = 0;
    while (whole % 1024 == 0 && step + 1 < kSuffixes.size()) {
      whole /= 1024;
      ++step;
    }
    return std::to_string(whole) + std::string(kSuffixes[step]);
  }
  constexpr auto kSuffixes =
      std::to_array<std::string_view>({"n", "u", "m", "", "k", "M", "G", "T", "P", "E"});
  std::size_t step = 0;
  while (rest % 1000 == 0 && step + 1 < kSuffixes.size()) {
    rest /= 1000;
    ++step;
  }
  return std::to_string(static_cast<std::int64_t>(rest)) + std::string(kSuffixes[step]);
}

Value CanonicalList(const Value& list) {
  Value out = list;
  for (auto& [name, amount] : out.entries) amount = Value::Text(CanonicalQuantity(amount.text));
  Sort(out, {});
  return out;
}

Value ContainerShapes(const Value& containers) {
  if (containers.items.empty()) return Value();
  Value shapes = Value::List();
  for (const Value& container : containers.items) {
    Value ports = container.At("ports");
    if (ports.Empty()) ports = Value();
    for (Value& port : ports.items) port.Default("protocol", Value::Text("TCP"));
    Sort(ports, kFieldOrder);
    const Value& requests = container.At({"resources", "requests"});
    Value shape = Value::Map();
    shape.Set("ports", std::move(ports));
    shape.Make("resources").Set("requests", CanonicalList(requests));
    shapes.items.push_back(std::move(shape));
  }
  return shapes;
}

/// Go's encoding of JSON also escapes what HTML gives a meaning.
std::string EscapeHtml(std::string_view json) {
  std::string out;
  for (const char c : json) {
    if (c == '<' || c == '>' || c == '&') {
      out += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : "\\u0026";
    } else {
      out += c;
    }
  }
  return out;
}

bool IsTerminated(const Value& pod) {
  const std::string& phase = pod.At({"status", "phase"}).text;
  return phase == "Succeeded" || phase == "Failed";
}

bool PodIsSuspended(const Value& pod) {
  return IsTerminated(pod) || HasGate(pod, mark::kAdmissionGate);
}

JobPodSets PodSets(const Value& pod, const Setting&) {
  JobPodSet set;
  set.name = "main";
  set.pod_template.Set("metadata", KeepMarks(pod));
  set.pod_template.Set("spec", pod.At("spec"));
  set.field = "metadata";
  set.topology_labels = Value::Texts({{"podIndexLabel", mark::kGroupPodIndex}});
  return {{std::move(set)}, ""};
}

JobStatus PodStatus(const Value& pod, const Setting& setting) {
  JobStatus out;
  const std::string& phase = pod.At({"status", "phase"}).text;
  out.finished = IsTerminated(pod);
  out.success = phase == "Succeeded";
  out.pods_ready = !TrueCondition(pod, {"Ready"}).empty();
  out.pods_run = PodRuns(pod, setting);
  out.reclaimable.emplace();
  return out;
}

void FillPod(Value& pod) {
  Value& spec = pod.Make("spec");
  for (const std::string_view list : {"containers", "initContainers"}) {
    Value* containers = spec.Find(list);
    if (containers == nullptr) continue;
    for (Value& container : containers->items) {
      const Value limits = container.At({"resources", "limits"});
      for (const auto& [name, limit] : limits.entries) {
        container.Make({"resources", "requests"}).Default(name, limit);
      }
      Value* ports = container.Find("ports");
      if (ports == nullptr) continue;
      for (Value& port : ports->items) port.Default("protocol", Value::Text("TCP"));
    }
  }
}

/// Where its group is named.
void CheckPod(const Value& pod, const Setting& setting, FieldErrors* errors) {
  const std::string group_field = GroupField(pod, setting);
  const std::string total_field = AnnotationField(mark::kGroupTotal);
  const std::string_view group = GroupOf(pod, setting);
  if (HasLabel(pod, mark::kManaged) && Label(pod, mark::kManaged) != "true") {
    errors->push_back(Forbidden(LabelField(mark::kManaged), "may only be \"true\"",
                                "remove it; it is set for pods that are queued"));
  }
  if (group.empty()) {
    if (HasAnnotation(pod, mark::kGroupTotal)) {
      errors->push_back(Required(LabelField(mark::kGroupName), "is missing beside the total count",
                                 "write the name of the group, the same on each of its pods"));
    }
  } else {
    if (!IsSubdomain(group)) {
      errors->push_back(Invalid(group_field, "is no DNS subdomain",
                                "use lower case letters, digits, '-' and '.'"));
    }
    const auto total = WholeNumber(Annotation(pod, mark::kGroupTotal));
    if (!HasAnnotation(pod, mark::kGroupTotal)) {
      errors->push_back(Required(total_field, "is missing",
                                 "write how many pods the group has, for example \"2\""));
    } else if (!total || *total < 1) {
      errors->push_back(
          Invalid(total_field, "must be a whole number from 1", "write for example \"2\""));
    }
    const std::string_view prebuilt = PrebuiltOf(pod, setting);
    if (!prebuilt.empty() && prebuilt != group) {
      errors->push_back(Invalid(PrebuiltField(pod, setting), "differs from the name of the group",
                                "write the name of the group, or remove it"));
    }
  }
}

void CheckPodUpdate(const Value& before, const Value& after, const Setting& setting,
                    FieldErrors* errors) {
  CheckPod(after, setting, errors);
  const std::string_view group = GroupOf(before, setting);
  if (!group.empty() && group != GroupOf(after, setting)) {
    errors->push_back(Invalid(GroupField(after, setting), "cannot change", "make another pod"));
  }
  if (!GroupOf(after, setting).empty() && Annotation(before, mark::kRetriable) == "false" &&
      Annotation(after, mark::kRetriable) != "false") {
    errors->push_back(
        Forbidden(AnnotationField(mark::kRetriable), "cannot be taken back", "make another group"));
  }
}

std::string StartPod(Value& pod, const JobPodSets&, std::span<const StartInfo> infos) {
  if (infos.size() != 1) return "the number of podsets does not match";
  std::string conflict = MergeInto(pod, infos[0]);
  if (!conflict.empty()) return conflict;
  const auto& added = infos[0].gates.items;
  const Value topology = Value::Texts({{"name", mark::kTopologyGate}});
  const bool placed = std::find(added.begin(), added.end(), topology) != added.end();
  RemoveGate(pod, mark::kAdmissionGate);
  if (!placed) RemoveGate(pod, mark::kTopologyGate);
  return "";
}

}  // namespace

std::string_view GroupOf(const Value& pod, const Setting& setting) {
  return NamedByAnnotation(pod, mark::kGroupName, setting) ? Annotation(pod, mark::kGroupName)
                                                           : Label(pod, mark::kGroupName);
}

std::string GroupField(const Value& pod, const Setting& setting) {
  const bool by_annotation = setting.GateIsOn("WorkloadIdentifierAnnotations")
                                 ? HasAnnotation(pod, mark::kGroupName)
                                 : NamedByAnnotation(pod, mark::kGroupName, setting);
  return by_annotation ? AnnotationField(mark::kGroupName) : LabelField(mark::kGroupName);
}

bool HasGate(const Value& pod, std::string_view gate) {
  const auto& gates = pod.At({"spec", "schedulingGates"}).items;
  return std::any_of(gates.begin(), gates.end(),
                     [gate](const Value& each) { return each.TextAt("name") == gate; });
}

void AddGate(Value& pod_template, std::string_view gate) {
  if (HasGate(pod_template, gate)) return;
  Value& gates = pod_template.Make({"spec", "schedulingGates"});
  if (!gates.IsList()) gates = Value::List();
  gates.items.push_back(Value::Texts({{"name", gate}}));
}

void RemoveGate(Value& pod, std::string_view gate) {
  Value& spec = pod.Make("spec");
  Value* gates = spec.Find("schedulingGates");
  if (gates == nullptr) return;
  std::erase_if(gates->items, [gate](const Value& each) { return each.TextAt("name") == gate; });
  if (gates->items.empty()) spec.Remove("schedulingGates");
}

Value RoleShape(const Value& pod_spec) {
  Value shape = Value::Map();
  for (const std::string_view key :
       {"affinity", "containers", "initContainers", "nodeSelector", "overhead", "priority",
        "resourceClaims", "resources", "runtimeClassName", "tolerations",
        "topologySpreadConstraints"}) {
    Value part = pod_spec.At(key);
    if (key == "containers" || key == "initContainers") {
      part = ContainerShapes(part);
    } else if (key == "resources") {
      if (part.IsNull()) continue;
      part = CanonicalList(part.At("requests"));
    } else if (key == "overhead") {
      part = CanonicalList(part);
    } else if (key == "nodeSelector") {
      Sort(part, {});
    } else if (key == "topologySpreadConstraints") {
      Sort(part, kSpreadOrder);
    } else {
      Sort(part, kFieldOrder);
    }
    shape.Set(key, std::move(part));
  }
  return shape;
}

std::string RoleHash(const Value& pod) {
  if (HasAnnotation(pod, mark::kRoleHash)) return std::string(Annotation(pod, mark::kRoleHash));
  // What a start has written into it, such as a node selector, makes no other role of it.
  if (HasAnnotation(pod, mark::kWorkload) && HasLabel(pod, mark::kPodSet)) {
    return std::string(Label(pod, mark::kPodSet));
  }
  Value outer = Value::Map();
  Value filled = pod;
  FillPod(filled);
  outer.Set("spec", RoleShape(filled.At("spec")));
  return Sha256(EscapeHtml(ToJson(outer))).substr(0, 8);
}

Value KeepMarks(const Value& object) {
  Value out = Value::Map();
  for (const std::string_view part : {"labels", "annotations"}) {
    const Value& marks = object.At({"metadata", part});
    if (!marks.IsNull()) out.Set(part, marks);
  }
  return out;
}

KindRow PodRow() {
  KindRow row;
  row.framework = "pod";
  row.group = "";
  row.version = "v1";
  row.kind = "Pod";
  row.template_is_spec = true;
  row.checks_again = false;
  row.topology_count_is_bound = false;
  row.fill = FillPod;
  row.is_suspended = PodIsSuspended;
  row.pod_sets = PodSets;
  row.status = PodStatus;
  row.check_create = CheckPod;
  row.check_update = CheckPodUpdate;
  row.start = StartPod;
  return row;
}

}  // namespace muster::objects
