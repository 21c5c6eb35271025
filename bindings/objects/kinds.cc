// The table of job kinds, and what all its rows share.
#include <algorithm>
#include <set>

#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/topology.h"

namespace muster::objects {
namespace {

std::vector<KindRow> AllRows() {
  std::vector<KindRow> rows = {
      JobRow(),        JobSetRow(),      TrainJobRow(),       MpiJobRow(),     RayJobRow(),
      RayClusterRow(), RayServiceRow(),  SparkRow(),          AppWrapperRow(), PodRow(),
      DeploymentRow(), StatefulSetRow(), LeaderWorkerSetRow()};
  for (KindRow& row : KubeflowRows()) rows.push_back(std::move(row));
  return rows;
}

/// Of variables of one name the first keeps its place and the last its value.
void CollapseEnvironment(Value& containers) {
  for (Value& container : containers.items) {
    Value* env = container.Find("env");
    if (env == nullptr) continue;
    std::vector<Value> kept;
    for (Value& variable : env->items) {
      const auto same = std::find_if(kept.begin(), kept.end(), [&variable](const Value& each) {
        return each.TextAt("name") == variable.TextAt("name");
      });
      if (same == kept.end()) {
        kept.push_back(std::move(variable));
      } else {
        *same = std::move(variable);
      }
    }
    env->items = std::move(kept);
  }
}

/// Adds entries; the first that stands there with another value is the answer.
std::string MergeTexts(Value& object, std::initializer_list<std::string_view> place,
                       const Value& added) {
  if (added.entries.empty()) return "";
  Value& map = object.Make(place);
  for (const auto& [key, value] : added.entries) {
    const Value* present = map.Find(key);
    if (present != nullptr && !(*present == value)) return key + " is " + present->text;
    map.Set(key, value);
  }
  return "";
}

void AppendMissing(Value& object, std::string_view list, const Value& added) {
  if (added.items.empty()) return;
  Value& present = object.Make("spec").Make(list);
  if (!present.IsList()) present = Value::List();
  for (const Value& each : added.items) {
    if (std::find(present.items.begin(), present.items.end(), each) == present.items.end()) {
      present.items.push_back(each);
    }
  }
}

}  // namespace

std::span<const KindRow> KindTable() {
  static const std::vector<KindRow> rows = AllRows();
  return rows;
}

std::string_view GroupOfVersion(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

const KindRow* FindKindRow(std::string_view api_version, std::string_view kind) {
  const std::string_view group = GroupOfVersion(api_version);
  for (const KindRow& row : KindTable()) {
    if (row.kind == kind && row.group == group) return &row;
  }
  return nullptr;
}

const KindRow* FindKindRow(std::string_view api_version, std::string_view kind,
                           const Setting& setting) {
  for (const KindRow* row : setting.declared) {
    if (row->kind == kind && row->group == GroupOfVersion(api_version)) return row;
  }
  return FindKindRow(api_version, kind);
}

const KindRow* FindKindRow(const Value& object) {
  return FindKindRow(object.TextAt("apiVersion"), object.TextAt("kind"));
}

bool IsElastic(const KindRow& row, const Value& object, const Setting& setting) {
  return row.can_be_elastic && Annotation(object, mark::kElastic) == "true" &&
         setting.GateIsOn("ElasticJobsViaWorkloadSlices");
}

bool IsSuspended(const KindRow& row, const Value& object) {
  if (row.is_suspended != nullptr) return row.is_suspended(object);
  return object.At(row.suspend).IsTrue() && Annotation(object, mark::kStopping) != "true";
}

JobPodSets BuildPodSets(const KindRow& row, const Value& object, const Setting& setting) {
  JobPodSets out = row.pod_sets(object, setting);
  for (JobPodSet& set : out.sets) {
    for (char& c : set.name) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    if (Value* spec = set.pod_template.Find("spec")) {
      for (const std::string_view list : {"containers", "initContainers"}) {
        if (Value* containers = spec->Find(list)) CollapseEnvironment(*containers);
      }
    }
    std::string error = ReadTopology(&set, setting);
    if (error.empty() || !out.error.empty()) continue;
    out.mark = set.pod_template.At({"metadata", "annotations", error.substr(0, error.find(' '))});
    out.error = std::move(error);
  }
  return out;
}

std::string_view TrueCondition(const Value& object, std::initializer_list<std::string_view> types) {
  for (const Value& condition : object.At({"status", "conditions"}).items) {
    if (condition.TextAt("status") != "True") continue;
    const std::string_view type = condition.TextAt("type");
    if (std::find(types.begin(), types.end(), type) != types.end()) return type;
  }
  return "";
}

std::string MergeInto(Value& pod_template, const StartInfo& info) {
  std::string conflict = MergeTexts(pod_template, {"metadata", "labels"}, info.labels);
  if (conflict.empty()) {
    conflict = MergeTexts(pod_template, {"metadata", "annotations"}, info.annotations);
  }
  if (conflict.empty()) {
    conflict = MergeTexts(pod_template, {"spec", "nodeSelector"}, info.node_selector);
  }
  if (!conflict.empty()) return conflict;
  AppendMissing(pod_template, "tolerations", info.tolerations);
  AppendMissing(pod_template, "schedulingGates", info.gates);
  return "";
}

void RestoreTemplate(Value& pod_template, const Value& before) {
  const auto restore = [&](std::string_view part, std::string_view field) {
    const Value& old = before.At({part, field});
    if (!old.IsNull()) {
      pod_template.Make(part).Set(field, old);
    } else if (pod_template.Has(part)) {
      pod_template.Make(part).Remove(field);
    }
  };
  for (const std::string_view field : {"labels", "annotations"}) restore("metadata", field);
  for (const std::string_view field : {"nodeSelector", "tolerations", "schedulingGates"}) {
    restore("spec", field);
  }
}

FieldError Wrong(std::string_view type, std::string field, std::string what, std::string cure,
                 Line rule) {
  return {"FieldValue" + std::string(type), std::move(field), std::move(what), std::move(cure),
          rule};
}
FieldError Invalid(std::string field, std::string what, std::string cure, Line rule) {
  return Wrong("Invalid", std::move(field), std::move(what), std::move(cure), rule);
}
FieldError Forbidden(std::string field, std::string what, std::string cure, Line rule) {
  return Wrong("Forbidden", std::move(field), std::move(what), std::move(cure), rule);
}
FieldError Required(std::string field, std::string what, std::string cure, Line rule) {
  return Wrong("Required", std::move(field), std::move(what), std::move(cure), rule);
}

std::string AnnotationField(std::string_view name) {
  return "metadata.annotations[" + std::string(name) + "]";
}
std::string LabelField(std::string_view name) {
  return "metadata.labels[" + std::string(name) + "]";
}

}  // namespace muster::objects
