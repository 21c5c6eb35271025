#include "bindings/objects/setting.h"

#include <algorithm>
#include <array>

#include "bindings/objects/marks.h"
#include "bindings/objects/requests.h"

namespace muster::objects {
namespace {

constexpr auto kWithoutNamespace = std::to_array<std::string_view>(
    {"PriorityClass", "WorkloadPriorityClass", "ClusterQueue", "Cohort", "ResourceFlavor",
     "AdmissionCheck", "RuntimeClass", "ClusterTrainingRuntime", "Namespace", "Configuration"});

/// Alpha gates that are off unless a configuration says otherwise.
constexpr auto kOffByDefault = std::to_array<std::string_view>({"ShortWorkloadNames"});

std::string NamespaceFor(const Value& object) {
  const std::string& kind = object.At("kind").text;
  const bool none = std::find(kWithoutNamespace.begin(), kWithoutNamespace.end(), kind) !=
                    kWithoutNamespace.end();
  return none ? "" : NamespaceOf(object);
}

LimitRange LimitRangeFrom(const Value& object) {
  LimitRange range;
  range.key = {NamespaceOf(object), std::string(NameOf(object))};
  for (const Value& limit : object.At({"spec", "limits"}).items) {
    LimitRangeItem item;
    if (limit.TextAt("type") == "PersistentVolumeClaim") continue;
    item.type = limit.TextAt("type") == "Pod" ? LimitRangeType::kPod : LimitRangeType::kContainer;
    item.default_requests = Quantities(limit.At("defaultRequest"));
    item.default_limits = Quantities(limit.At("default"));
    item.min = Quantities(limit.At("min"));
    item.max = Quantities(limit.At("max"));
    range.items.push_back(std::move(item));
  }
  return range;
}

bool ExpressionHolds(const Value& expression, const Value& labels) {
  const std::string& op = expression.At("operator").text;
  const Value* label = labels.Find(expression.At("key").text);
  const auto& values = expression.At("values").items;
  const bool among = label != nullptr &&
                     std::any_of(values.begin(), values.end(),
                                 [label](const Value& value) { return value.text == label->text; });
  if (op == "In") return among;
  if (op == "NotIn") return !among;
  if (op == "Exists") return label != nullptr;
  return label == nullptr;
}

}  // namespace

bool SelectorMatches(const Value& selector, const Value& labels) {
  for (const auto& [key, value] : selector.At("matchLabels").entries) {
    if (labels.At(key).IsNull() || labels.TextAt(key) != value.text) return false;
  }
  const auto& expressions = selector.At("matchExpressions").items;
  return std::all_of(expressions.begin(), expressions.end(),
                     [&labels](const Value& each) { return ExpressionHolds(each, labels); });
}

void Setting::Add(const Value& object) { Take(std::make_shared<const Value>(object)); }

void Setting::Refer(const Value& object) {
  Take(std::shared_ptr<const Value>(std::shared_ptr<void>(), &object));
}

void Setting::Take(std::shared_ptr<const Value> taken) {
  const Value& object = *taken;
  const std::string& kind = object.At("kind").text;
  const std::string name(NameOf(object));
  if (kind == "Configuration") {
    manage_without_queue = object.At("manageJobsWithoutQueueName").IsTrue();
    namespace_selector = object.At("managedJobsNamespaceSelector");
    const Value& list = object.At({"integrations", "frameworks"});
    if (!list.IsNull()) {
      frameworks.emplace();
      for (const Value& framework : list.items) frameworks->insert(framework.text);
      if (frameworks->empty()) frameworks->insert("batch/job");
    }
    for (const Value& each : object.At({"integrations", "externalFrameworks"}).items) {
      external_kinds.insert(each.text);
    }
    for (const auto& [gate, on] : object.At("featureGates").entries) gates[gate] = on.IsTrue();
  } else if (kind == "RuntimeClass") {
    runtime_classes_[name] = {name, Quantities(object.At({"overhead", "podFixed"}))};
  } else if (kind == "LimitRange") {
    limit_ranges_.push_back(LimitRangeFrom(object));
  }
  objects_[{kind, NamespaceFor(object), name}] = std::move(taken);
}

void Setting::Remove(std::string_view kind, std::string_view ns, std::string_view name) {
  objects_.erase({std::string(kind), std::string(ns), std::string(name)});
}

const Value* Setting::Find(std::string_view kind, std::string_view ns,
                           std::string_view name) const {
  const auto entry = objects_.find({std::string(kind), std::string(ns), std::string(name)});
  return entry == objects_.end() ? nullptr : entry->second.get();
}

std::vector<const Value*> Setting::AllOf(std::string_view kind) const {
  std::vector<const Value*> all;
  for (auto at = objects_.lower_bound({std::string(kind), "", ""});
       at != objects_.end() && std::get<0>(at->first) == kind; ++at) {
    all.push_back(at->second.get());
  }
  return all;
}

bool Setting::GateIsOn(std::string_view gate) const {
  const auto set = gates.find(gate);
  if (set != gates.end()) return set->second;
  return std::find(kOffByDefault.begin(), kOffByDefault.end(), gate) == kOffByDefault.end();
}

bool Setting::IsEnabled(std::string_view framework) const {
  if (!frameworks) return true;
  // These are queued through their pods.
  constexpr auto kThroughPods = std::to_array<std::string_view>(
      {"deployment", "statefulset", "leaderworkerset.x-k8s.io/leaderworkerset"});
  if (framework == "pod") {
    return frameworks->contains("pod") ||
           std::any_of(kThroughPods.begin(), kThroughPods.end(),
                       [this](std::string_view each) { return frameworks->contains(each); });
  }
  return frameworks->contains(framework);
}

bool Setting::SelectsNamespace(std::string_view ns) const {
  Value labels = Value::Map();
  if (const Value* found = Find("Namespace", "", ns)) labels = found->At({"metadata", "labels"});
  labels.Set(mark::kNamespaceName, Value::Text(ns));
  if (namespace_selector.IsNull()) return ns != "kube-system" && ns != "kueue-system";
  return SelectorMatches(namespace_selector, labels);
}

std::vector<const LimitRange*> Setting::LimitRangesOf(std::string_view ns) const {
  std::vector<const LimitRange*> ranges;
  for (const LimitRange& range : limit_ranges_) {
    if (range.key.ns == ns) ranges.push_back(&range);
  }
  return ranges;
}

}  // namespace muster::objects
