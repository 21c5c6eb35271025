#include "tests/conformance/kinds/kind_case.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "bindings/manifest/manifest.h"
#include "bindings/manifest/plain.h"
#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/pod.h"
#include "bindings/objects/pod_group.h"
#include "bindings/objects/requests.h"
#include "bindings/objects/webhook.h"
#include "tests/conformance/kinds/world.h"

namespace muster::conformance {
namespace {

using nlohmann::json;
using objects::KindRow;
using objects::Value;

json JsonOf(const Value& value) {
  switch (value.kind) {
    case objects::ValueKind::kNull:
      return nullptr;
    case objects::ValueKind::kBool:
      return value.truth;
    case objects::ValueKind::kNumber:
      return json::parse(value.text);
    case objects::ValueKind::kText:
      return value.text;
    case objects::ValueKind::kList: {
      json list = json::array();
      for (const Value& item : value.items) list.push_back(JsonOf(item));
      return list;
    }
    case objects::ValueKind::kMap:
      break;
  }
  json map = json::object();
  for (const auto& [key, child] : value.entries) {
    if (!child.IsNull()) map[key] = JsonOf(child);
  }
  return map;
}

/// Without entries that are null or an empty map, which the API leaves out.
Value Pruned(const Value& value) {
  Value out = value;
  for (auto& [key, child] : out.entries) child = Pruned(child);
  for (Value& item : out.items) item = Pruned(item);
  std::erase_if(out.entries, [](const auto& entry) {
    return entry.second.IsNull() || (entry.second.IsMap() && entry.second.entries.empty());
  });
  return out;
}

json ChangesBetween(const Value& before, const Value& after) {
  json out = json::object();
  for (const objects::Change& change : objects::Changes(Pruned(before), Pruned(after))) {
    out[change.pointer] = JsonOf(change.value);
  }
  return out;
}

json ErrorsOf(const objects::FieldErrors& errors) {
  std::set<std::pair<std::string, std::string>> once;
  for (const objects::FieldError& error : errors) once.insert({error.type, error.field});
  json out = json::array();
  for (const auto& [type, field] : once) {
    json one = {{"type", type}};
    if (type != "Other") one["field"] = field;
    out.push_back(std::move(one));
  }
  return out;
}

/// As recorded, in the form of ErrorsOf.
json ErrorsIn(const json& recorded) {
  objects::FieldErrors errors;
  for (const json& each : recorded) {
    errors.push_back({each.at("type"), each.value("field", ""), "", ""});
  }
  return ErrorsOf(errors);
}

json PodSetOf(const objects::JobPodSet& set, const KindWorld& world, const std::string& ns) {
  json out = {{"name", set.name}, {"count", set.count}};
  if (set.min_count) out["minCount"] = *set.min_count;
  if (!set.topology.IsNull()) out["topologyRequest"] = JsonOf(set.topology);
  json requests = json::object();
  const Value& spec = set.pod_template.At("spec");
  for (const auto& [resource, amount] : objects::RequestsOf(spec, world.setting, ns)) {
    requests[resource] = amount;
  }
  out["requests"] = std::move(requests);
  const auto add = [&out](const char* name, const Value& value) {
    if (!value.Empty()) out[name] = JsonOf(value);
  };
  json containers = json::array();
  for (const Value& each : spec.At("containers").items) containers.push_back(each.TextAt("name"));
  if (!containers.empty()) out["containers"] = std::move(containers);
  add("labels", set.pod_template.At({"metadata", "labels"}));
  add("annotations", set.pod_template.At({"metadata", "annotations"}));
  add("nodeSelector", spec.At("nodeSelector"));
  add("tolerations", spec.At("tolerations"));
  add("schedulingGates", spec.At("schedulingGates"));
  const std::string_view pod_class = spec.TextAt("priorityClassName");
  if (!pod_class.empty()) out["priorityClassName"] = pod_class;
  return out;
}

json WorkloadOf(const HeldWorkload& held, const KindWorld& world, bool with_state) {
  const objects::JobWorkload& workload = held.workload;
  json out = {
      {"name", workload.name}, {"queueName", workload.queue}, {"priority", workload.priority}};
  if (!workload.class_kind.empty()) {
    const bool own = workload.class_kind == "WorkloadPriorityClass";
    out["priorityClassRef"] = {{"group", own ? "kueue.x-k8s.io" : "scheduling.k8s.io"},
                               {"kind", workload.class_kind},
                               {"name", workload.class_name}};
  }
  if (workload.max_seconds) out["maximumExecutionTimeSeconds"] = *workload.max_seconds;
  if (!workload.annotations.Empty()) out["annotations"] = JsonOf(workload.annotations);
  std::vector<std::string> owners = workload.owners;
  std::sort(owners.begin(), owners.end());
  if (!owners.empty()) out["owners"] = owners;
  json sets = json::array();
  for (const objects::JobPodSet& set : workload.sets) {
    sets.push_back(PodSetOf(set, world, workload.ns));
  }
  out["podSets"] = std::move(sets);
  if (with_state) {
    out["state"] = !held.finished.empty() ? "finished " + held.finished
                   : held.admitted        ? "admitted"
                                          : "pending";
  }
  return out;
}

/// What the recording says of a workload, without what is not compared.
json Normalised(json workload) {
  workload.erase("resourceErrors");
  if (!workload.contains("priority")) workload["priority"] = 0;
  if (!workload.contains("queueName")) workload["queueName"] = "";
  if (workload.contains("owners")) std::sort(workload["owners"].begin(), workload["owners"].end());
  if (workload.contains("owners") && workload["owners"].empty()) workload.erase("owners");
  for (json& set : workload["podSets"]) {
    if (!set.contains("requests")) set["requests"] = json::object();
    for (auto at = set["requests"].begin(); at != set["requests"].end();) {
      at = *at == 0 ? set["requests"].erase(at) : std::next(at);
    }
  }
  return workload;
}

/// The Job that a CronJob makes for a minute.
Value JobOfCronJob(const Value& cron, const Value& scenario) {
  const std::string& time = scenario.At("scheduledTime").text;
  const TimeNs at = manifest::ParseTime(time).value_or(0);
  const std::int64_t minutes = at / (60 * std::int64_t{1'000'000'000});
  const Value& from = cron.At({"spec", "jobTemplate"});
  Value job = Value::Texts({{"apiVersion", "batch/v1"}, {"kind", "Job"}});
  Value& metadata = job.Make("metadata");
  metadata.Set("name",
               Value::Text(std::string(objects::NameOf(cron)) + "-" + std::to_string(minutes)));
  metadata.Set("namespace", Value::Text(objects::NamespaceOf(cron)));
  metadata.Set("uid", scenario.At("jobUID"));
  for (const std::string_view part : {"labels", "annotations"}) {
    const Value& marks = from.At({"metadata", part});
    if (!marks.IsNull()) metadata.Set(part, marks);
  }
  metadata.Make("annotations")
      .Set("batch.kubernetes.io/cronjob-scheduled-timestamp", Value::Text(time));
  Value owner = Value::Texts({{"apiVersion", "batch/v1"}, {"kind", "CronJob"}});
  owner.Set("name", Value::Text(objects::NameOf(cron)));
  owner.Set("uid", cron.At({"metadata", "uid"}));
  owner.Set("controller", Value::Bool(true));
  metadata.Set("ownerReferences", Value::List());
  metadata.Make("ownerReferences").items.push_back(std::move(owner));
  job.Set("spec", from.At("spec"));
  return job;
}

struct Input {
  Value scenario = Value::Map();
  KindWorld world;  ///< with what is no target
  std::vector<std::pair<Value, const KindRow*>> targets;
};

Input Read(const std::vector<Value>& documents) {
  constexpr std::int64_t kRecorded = 1'767'268'800;  // 2026-01-01T12:00:00Z
  Input in;
  in.world.setting.now = kRecorded;
  for (const Value& each : documents) {
    if (each.TextAt("kind") == "JobScenario") {
      in.scenario = each;
      continue;
    }
    Value object = each;
    if (object.TextAt("kind") == "CronJob") object = JobOfCronJob(each, in.scenario);
    const KindRow* row = objects::FindKindRow(object);
    if (row == nullptr) {
      in.world.AddSurrounding(object);
      continue;
    }
    if (row->fill != nullptr) row->fill(object);
    in.targets.emplace_back(std::move(object), row);
  }
  return in;
}

json Create(Input& in) {
  json out = json::object();
  for (auto& [object, row] : in.targets) {
    Value prepared = object;
    objects::Prepare(*row, prepared, in.world.setting);
    const std::string name = std::string(row->kind) + "/" + std::string(objects::NameOf(object));
    const objects::FieldErrors errors = objects::CheckCreate(*row, prepared, in.world.setting);
    if (!errors.empty()) {
      out["errors"][name] = ErrorsOf(errors);
      continue;
    }
    json changes = ChangesBetween(object, prepared);
    if (!changes.empty()) out["defaulted"][name] = std::move(changes);
    in.world.Store(std::move(prepared), *row);
  }
  in.world.Settle();
  return out;
}

/// Status and generation are written by others than the controllers of workloads.
Value Comparable(const Target& target) {
  Value out = target.object;
  out.Make("status") = target.earlier.At("status");
  const Value& generation = target.earlier.At({"metadata", "generation"});
  out.Make({"metadata", "generation"}) = generation;
  return out;
}

void AddChanges(const KindWorld& world, json& out) {
  for (const Target& target : world.targets) {
    if (target.deleted) {
      out["deleted"].push_back(target.Name());
      continue;
    }
    json changes = ChangesBetween(target.earlier, Comparable(target));
    if (!changes.empty()) out["changes"][target.Name()] = std::move(changes);
  }
  for (const auto& [key, held] : world.workloads) {
    if (!held.finished.empty()) out["finished"][held.workload.name] = held.finished;
  }
}

void AddWorkloads(const KindWorld& world, bool with_state, json& out) {
  out["workloads"] = json::array();
  for (const auto& [key, held] : world.workloads) {
    out["workloads"].push_back(WorkloadOf(held, world, with_state));
  }
}

json StatusOf(const objects::JobStatus& status, const KindRow& row, bool suspended,
              const std::vector<objects::JobPodSet>& sets) {
  json out = {{"finished", status.finished},
              {"podsReady", status.pods_ready},
              {"suspended", suspended},
              {"active", status.active}};
  if (status.finished) out["success"] = status.success;
  if (row.kind == "RayJob") out["onHold"] = !status.on_hold.empty();
  if (!status.reclaimable) return out;
  out["reclaimablePods"] = json::array();
  for (const auto& each : *status.reclaimable) {
    std::int64_t count = each.count;
    for (const objects::JobPodSet& set : sets) {
      if (set.name == each.name) count = std::min(count, set.count);
    }
    out["reclaimablePods"].push_back({{"name", each.name}, {"count", count}});
  }
  std::sort(out["reclaimablePods"].begin(), out["reclaimablePods"].end(),
            [](const json& a, const json& b) { return a["name"] < b["name"]; });
  return out;
}

json Statuses(Input& in) {
  json out = json::object();
  std::map<std::string, std::vector<const Value*>> groups;
  for (auto& [object, row] : in.targets) {
    const std::string group(row->kind == "Pod" ? objects::GroupOf(object, in.world.setting)
                                               : std::string_view());
    if (!group.empty()) {
      groups["PodGroup/" + group].push_back(&object);
      continue;
    }
    const std::string name = std::string(row->kind) + "/" + std::string(objects::NameOf(object));
    std::vector<objects::JobPodSet> sets;
    if (row->pod_sets != nullptr) sets = objects::BuildPodSets(*row, object, in.world.setting).sets;
    out[name] = StatusOf(row->status(object, in.world.setting), *row,
                         objects::IsSuspended(*row, object), sets);
  }
  for (const auto& [name, pods] : groups) {
    out[name] =
        StatusOf(objects::PodGroupStatus(pods, in.world.setting),
                 *objects::FindKindRow("v1", "Pod"), objects::IsPodGroupSuspended(pods), {});
  }
  return out;
}

/// What an update says of each object.
std::map<std::string, objects::FieldErrors> Updates(Input& in) {
  std::map<std::string, objects::FieldErrors> out;
  const std::string target = in.scenario.At("target").text;
  for (const auto& [object, row] : in.targets) in.world.setting.Add(object);
  for (auto& [object, row] : in.targets) {
    const std::string name = std::string(row->kind) + "/" + std::string(objects::NameOf(object));
    if (!target.empty() && name != target) continue;
    Value after = object;
    objects::MergePatch(after, in.scenario.At("patch"));
    if (row->fill != nullptr) row->fill(after);
    out[name] = objects::CheckUpdate(*row, object, after, in.world.setting);
  }
  return out;
}

json Run(Input& in) {
  const std::string action =
      in.scenario.Has("action") ? in.scenario.At("action").text : std::string("create");
  json out = json::object();
  if (action == "status") {
    out["status"] = Statuses(in);
  } else if (action == "update") {
    out["errors"] = json::object();
    for (const auto& [name, errors] : Updates(in)) out["errors"][name] = ErrorsOf(errors);
  } else {
    out = Create(in);
    const Value& admission = in.scenario.At("admission");
    if (action != "create") in.world.Remember();
    if (!admission.IsNull()) in.world.Admit(admission);
    if (action == "stop") in.world.Evict();
    if (action == "change") {
      in.world.Patch(in.scenario.At("target").text, in.scenario.At("patch"));
      in.world.Settle();
    }
    if (action != "change" || !admission.IsNull()) AddChanges(in.world, out);
    if (action == "create" || action == "change") {
      AddWorkloads(in.world, action == "change" && !admission.IsNull(), out);
    }
  }
  out["action"] = action;
  return out;
}

/// The recording, in the form of Run.
json Expected(json recorded) {
  recorded.erase("held");
  if (recorded.contains("errors")) {
    for (json& each : recorded["errors"]) each = ErrorsIn(each);
  }
  if (recorded.contains("workloads")) {
    for (json& each : recorded["workloads"]) each = Normalised(each);
  }
  if (recorded.contains("deleted"))
    std::sort(recorded["deleted"].begin(), recorded["deleted"].end());
  for (const char* part : {"changes", "defaulted", "errors", "finished", "deleted"}) {
    if (recorded.contains(part) && recorded[part].empty() && recorded["action"] != "update") {
      recorded.erase(part);
    }
  }
  return recorded;
}

std::string TextOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

std::map<std::string, std::vector<std::filesystem::path>> FindKindCases(
    const std::filesystem::path& folder) {
  std::map<std::string, std::vector<std::filesystem::path>> families;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() != ".yaml") continue;
    const std::string stem = path.stem().string();
    families[stem.substr(0, stem.rfind('-'))].push_back(path);
  }
  for (auto& [family, paths] : families) std::sort(paths.begin(), paths.end());
  return families;
}

std::set<std::string> RulesBrokenIn(const std::filesystem::path& input) {
  const manifest::PlainDocuments read = manifest::ParsePlain(TextOf(input), input.string());
  Input in = Read(read.documents);
  std::set<std::string> rules;
  if (in.scenario.At("action").text != "update") return rules;
  for (const auto& [name, errors] : Updates(in)) {
    for (const objects::FieldError& error : errors) {
      const std::filesystem::path file(error.rule.file);
      rules.insert(file.filename().string() + ":" + std::to_string(error.rule.number));
    }
  }
  return rules;
}

std::vector<std::string> RunKindCase(const std::filesystem::path& input) {
  const manifest::PlainDocuments read = manifest::ParsePlain(TextOf(input), input.string());
  if (!read.problem.empty()) return {read.problem};
  std::filesystem::path beside = input;
  const json recorded = json::parse(TextOf(beside.replace_extension(".json")), nullptr, false);
  if (recorded.is_discarded()) return {"no JSON beside it"};
  const json expected = Expected(recorded);
  Input in = Read(read.documents);
  json actual = Run(in);
  if (actual.contains("deleted")) std::sort(actual["deleted"].begin(), actual["deleted"].end());
  std::vector<std::string> differences;
  for (const json& step : json::diff(expected, actual)) {
    std::string line = step.at("op").get<std::string>() + " " + step.at("path").get<std::string>();
    if (step.contains("value")) line += " " + step.at("value").dump();
    const json::json_pointer at(step.at("path").get<std::string>());
    if (step.at("op") != "add" && expected.contains(at)) {
      line += " instead of " + expected.at(at).dump();
    }
    differences.push_back(std::move(line));
  }
  return differences;
}

}  // namespace muster::conformance
