#include "bindings/objects/declared.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "bindings/objects/job_kinds.h"

namespace muster::objects {
namespace {

constexpr std::int64_t kMostPods = 2'147'483'647;

/// A podset of an object: what declares it, and where its paths begin.
struct Part {
  const DeclaredPodSet* set = nullptr;
  ValuePath root;
  std::string key;  ///< of an entry of a mapping

  ValuePath Below(const ValuePath& path) const {
    ValuePath whole = root;
    whole.insert(whole.end(), path.begin(), path.end());
    return whole;
  }
};

std::vector<Part> PartsOf(const DeclaredKind& kind, const Value& object) {
  std::vector<Part> parts;
  for (const DeclaredPodSet& set : kind.pod_sets) {
    if (set.for_each.empty()) {
      parts.push_back({&set, {}, ""});
      continue;
    }
    const Value& all = object.At(set.for_each);
    for (std::size_t i = 0; i < all.items.size(); ++i) {
      Part part{&set, set.for_each, ""};
      part.root.push_back(std::to_string(i));
      parts.push_back(std::move(part));
    }
    for (const auto& [key, child] : all.entries) {
      Part part{&set, set.for_each, key};
      part.root.push_back(key);
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

std::string NameOfPart(const Part& part, const Value& object) {
  if (!part.set->name.empty()) return part.set->name;
  if (part.set->name_path.empty()) return part.key;
  return object.At(part.Below(part.set->name_path)).text;
}

std::int64_t CountOf(const Part& part, const Value& object) {
  if (part.set->count_path.empty()) return part.set->count;
  return object.At(part.Below(part.set->count_path)).IntOr(part.set->count);
}

Value TemplateOf(const Part& part, const Value& object) {
  if (!part.set->template_path.empty()) return object.At(part.Below(part.set->template_path));
  Value container = Value::Texts({{"name", "main"}});
  container.Make("resources").Set("requests", object.At(part.Below(part.set->requests_path)));
  Value out = Value::Map();
  out.Make({"spec", "containers"}) = Value::List();
  out.Make({"spec", "containers"}).items.push_back(std::move(container));
  return out;
}

JobPodSets DeclaredPodSets(const DeclaredKind& kind, const Value& object) {
  JobPodSets out;
  for (const Part& part : PartsOf(kind, object)) {
    JobPodSet set;
    set.name = NameOfPart(part, object);
    set.count = CountOf(part, object);
    if (!part.set->min_count_path.empty()) {
      set.min_count = object.At(part.Below(part.set->min_count_path)).Int();
    }
    set.pod_template = TemplateOf(part, object);
    if (!part.set->template_path.empty()) {
      set.place = part.Below(part.set->template_path);
      set.field = FieldAt(object, set.place) + ".metadata";
    }
    out.sets.push_back(std::move(set));
  }
  return out;
}

// ---- status ------------------------------------------------------------------------------------

std::string TextOf(const Value& value) {
  return value.kind == ValueKind::kBool ? (value.truth ? "true" : "false") : value.text;
}

bool Holds(const DeclaredTest& test, const Value& object) {
  const auto is_one = [&test](const std::string& text) {
    return std::find(test.values.begin(), test.values.end(), text) != test.values.end();
  };
  if (test.condition.empty()) {
    const Value& at = object.At(test.path);
    return !at.IsNull() && is_one(TextOf(at));
  }
  const auto& conditions = object.At({"status", "conditions"}).items;
  return std::any_of(conditions.begin(), conditions.end(), [&](const Value& condition) {
    return condition.TextAt("type") == test.condition && is_one(TextOf(condition.At("status")));
  });
}

bool AnyHolds(const std::vector<DeclaredTest>& tests, const Value& object) {
  return std::any_of(tests.begin(), tests.end(),
                     [&object](const DeclaredTest& test) { return Holds(test, object); });
}

JobStatus DeclaredStatus(const DeclaredKind& kind, const Value& object) {
  JobStatus out;
  out.success = AnyHolds(kind.succeeded, object);
  out.finished = out.success || AnyHolds(kind.failed, object);
  out.pods_ready = AnyHolds(kind.ready, object);
  out.active = !out.finished && (kind.active.empty() ? !object.At(kind.suspend_path).IsTrue()
                                                     : AnyHolds(kind.active, object));
  out.active_is_of_spec = kind.active.empty();
  for (const Part& part : PartsOf(kind, object)) {
    if (part.set->reclaimable_path.empty()) continue;
    if (!out.reclaimable) out.reclaimable.emplace();
    const std::int64_t pods = object.At(part.Below(part.set->reclaimable_path)).IntOr(0);
    if (pods > 0) out.reclaimable->push_back({NameOfPart(part, object), pods});
  }
  return out;
}

// ---- rules -------------------------------------------------------------------------------------

void CheckCount(const Value& object, const ValuePath& path, std::int64_t least,
                FieldErrors* errors) {
  const Value& value = object.At(path);
  if (value.IsNull()) return;
  const std::optional<std::int64_t> number = value.Int();
  if (number && *number >= least && *number <= kMostPods) return;
  errors->push_back(Invalid(FieldAt(object, path),
                            "must be a whole number of at least " + std::to_string(least),
                            "write for example 2, without quotes"));
}

/// Where a start writes: what stands on the way there must be able to hold it. False: it is told.
bool CheckWay(const Value& object, const ValuePath& path, FieldErrors* errors) {
  const Value* at = &object;
  for (std::size_t i = 0; i < path.size(); ++i, at = &at->At(path[i - 1])) {
    if (at->IsNull() || at->IsMap() || at->IsList()) continue;
    const ValuePath above(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(i));
    errors->push_back(
        Invalid(FieldAt(object, above), "must be a mapping", "write it with the field " + path[i]));
    return false;
  }
  return true;
}

void CheckPlacement(const Value& object, const ValuePath& path, FieldErrors* errors) {
  if (!CheckWay(object, path, errors)) return;
  const Value& placement = object.At(path);
  const std::string field = FieldAt(object, path);
  if (!placement.IsNull() && !placement.IsMap()) {
    errors->push_back(Invalid(field, "must be a mapping",
                              "write nodeSelector and tolerations below it, or leave it out"));
    return;
  }
  const Value& selector = placement.At("nodeSelector");
  if (!selector.IsNull() && !selector.IsMap()) {
    errors->push_back(Invalid(field + ".nodeSelector", "must be a mapping",
                              "write labels of nodes: {disk: ssd}"));
  }
  const Value& tolerations = placement.At("tolerations");
  if (!tolerations.IsNull() && !tolerations.IsList()) {
    errors->push_back(Invalid(field + ".tolerations", "must be a list",
                              "write for example [{key: spot, operator: Exists}]"));
  }
}

void CheckPart(const Part& part, const Value& object, FieldErrors* errors) {
  const DeclaredPodSet& set = *part.set;
  if (NameOfPart(part, object).empty()) {
    errors->push_back(Required(FieldAt(object, part.Below(set.name_path)), "is missing or no text",
                               "give the podset a name"));
  }
  if (!set.count_path.empty()) CheckCount(object, part.Below(set.count_path), 0, errors);
  if (!set.min_count_path.empty()) CheckCount(object, part.Below(set.min_count_path), 1, errors);
  if (!set.placement_path.empty()) {
    CheckPlacement(object, part.Below(set.placement_path), errors);
  }
  const bool has_template = !set.template_path.empty();
  const ValuePath path = part.Below(has_template ? set.template_path : set.requests_path);
  const Value& pods = object.At(path);
  if (pods.IsMap()) return;
  const std::string field = FieldAt(object, path);
  const std::string cure = has_template ? "write a pod template: {spec: {containers: [...]}}"
                                        : "write resources with quantities: {cpu: 2, memory: 4Gi}";
  errors->push_back(pods.IsNull() ? Required(field, "is missing", cure)
                                  : Invalid(field, "must be a mapping", cure));
}

void CheckDeclared(const DeclaredKind& kind, const Value& object, FieldErrors* errors) {
  const Value& suspend = object.At(kind.suspend_path);
  if (!kind.suspend_path.empty() && CheckWay(object, kind.suspend_path, errors) &&
      !suspend.IsNull() && suspend.kind != ValueKind::kBool) {
    errors->push_back(Invalid(FieldAt(object, kind.suspend_path), "must be true or false",
                              "write it without quotes"));
  }
  for (const DeclaredPodSet& set : kind.pod_sets) {
    const Value& all = object.At(set.for_each);
    if (set.for_each.empty() || (all.IsNull() || all.IsList() || all.IsMap())) continue;
    errors->push_back(Invalid(FieldAt(object, set.for_each), "must be a list or a mapping",
                              "write one entry for each podset"));
  }
  const std::vector<Part> parts = PartsOf(kind, object);
  if (parts.empty() && errors->empty()) {
    errors->push_back(Required(FieldAt(object, kind.pod_sets.front().for_each), "names no podset",
                               "write one entry for each podset"));
  }
  for (const Part& part : parts) CheckPart(part, object, errors);
}

// ---- start -------------------------------------------------------------------------------------

/// Into the place that the declaration has for it; a podset without one needs nothing of it.
std::string PlacePods(const Part& part, const StartInfo& info, Value& object) {
  const DeclaredPodSet& set = *part.set;
  if (!set.template_path.empty()) {
    return MergeInto(object.Make(part.Below(set.template_path)), info);
  }
  if (set.placement_path.empty()) return "";
  Value merged = Value::Map();
  const Value& before = object.At(part.Below(set.placement_path));
  for (const std::string_view field : {"nodeSelector", "tolerations"}) {
    if (before.Has(field)) merged.Make("spec").Set(field, before.At(field));
  }
  StartInfo pods = info;
  pods.labels = Value::Map();
  pods.annotations = Value::Map();
  pods.gates = Value::List();
  std::string conflict = MergeInto(merged, pods);
  if (!conflict.empty()) return conflict;
  for (const auto& [field, value] : merged.At("spec").entries) {
    object.Make(part.Below(set.placement_path)).Set(field, value);
  }
  return "";
}

std::string StartDeclared(const DeclaredKind& kind, Value& object, const JobPodSets& sets,
                          std::span<const StartInfo> infos) {
  const std::vector<Part> parts = PartsOf(kind, object);
  if (infos.size() != parts.size()) return "the number of podsets does not match";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string conflict = PlacePods(parts[i], infos[i], object);
    if (!conflict.empty()) return conflict;
    const ValuePath& count = parts[i].set->count_path;
    if (!count.empty() && infos[i].count != sets.sets[i].count) {
      object.Make(parts[i].Below(count)) = Value::Number(infos[i].count);
    }
  }
  return "";
}

}  // namespace

std::string FieldAt(const Value& object, const ValuePath& path) {
  std::string field;
  const Value* at = &object;
  for (const std::string& key : path) {
    if (at->IsList()) {
      field += "[" + key + "]";
    } else {
      field += (field.empty() ? "" : ".") + key;
    }
    at = &at->At(key);
  }
  return field;
}

KindRow RowOf(const DeclaredKind& kind) {
  KindRow row;
  row.framework = kind.kind;
  row.group = kind.group;
  row.version = kind.versions.front();
  row.kind = kind.kind;
  row.is_declared = true;
  row.suspend = kind.suspend_path;
  row.pod_sets = [&kind](const Value& object, const Setting&) {
    return DeclaredPodSets(kind, object);
  };
  row.status = [&kind](const Value& object, const Setting&) {
    return DeclaredStatus(kind, object);
  };
  row.check_create = [&kind](const Value& object, const Setting&, FieldErrors* errors) {
    CheckDeclared(kind, object, errors);
  };
  row.start = [&kind](Value& object, const JobPodSets& sets, std::span<const StartInfo> infos) {
    return StartDeclared(kind, object, sets, infos);
  };
  if (!kind.priority_class_path.empty()) {
    row.priority_class = [&kind](const Value& object) {
      return object.At(kind.priority_class_path).text;
    };
  }
  return row;
}

}  // namespace muster::objects
