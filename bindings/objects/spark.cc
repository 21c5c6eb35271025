// SparkApplication: a driver and its executors, whose pods are told by fields of their roles.
#include <array>

#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"
#include "muster/quantity.h"

namespace muster::objects {
namespace {

constexpr std::array<std::string_view, 2> kRoles = {"driver", "executor"};

std::string ContainerName(std::string_view role) { return "spark-kubernetes-" + std::string(role); }

bool HasSetting(const Value& app, std::string_view name) {
  return app.At({"spec", "sparkConf"}).Has(name);
}

void FillSpark(Value& app) {
  Value& spec = app.Make("spec");
  spec.Default("mode", Value::Text("cluster"));
  spec.Make("restartPolicy").Default("type", Value::Text("Never"));
  for (const std::string_view role : kRoles) {
    const std::string prefix = "spark." + std::string(role) + ".";
    if (!HasSetting(app, prefix + "cores")) {
      spec.Make(role).Default("cores", Value::Number(1));
    }
    if (!HasSetting(app, prefix + "memory")) {
      spec.Make(role).Default("memory", Value::Text("1g"));
    }
  }
  const bool dynamic =
      spec.At({"dynamicAllocation", "enabled"}).IsTrue() ||
      app.At({"spec", "sparkConf", "spark.dynamicAllocation.enabled"}).text == "true";
  if (!dynamic && !HasSetting(app, "spark.executor.instances")) {
    spec.Make("executor").Default("instances", Value::Number(1));
  }
}

/// "512m" of a Java virtual machine as a quantity, "512Mi". Only lower case is understood; what
/// ends in another spelling of a unit becomes no quantity.
std::string JavaMemory(std::string_view text) {
  constexpr std::string_view kUnits = "kmgtp";
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const char unit : kUnits) {
    for (const std::string& suffix : {std::string{unit, 'b'}, std::string{unit}}) {
      if (!lower.ends_with(suffix)) continue;
      std::string number(text);
      if (text.ends_with(suffix)) number.resize(number.size() - suffix.size());
      return number + (unit == 'k' ? 'K' : static_cast<char>(unit - 'a' + 'A')) + "i";
    }
  }
  return std::string(text);
}

struct SparkField {
  std::string_view field;
  std::string_view list;
  std::string_view resource;
  bool is_memory;
};
constexpr std::array<SparkField, 4> kFields = {{{"coreRequest", "requests", "cpu", false},
                                                {"memory", "requests", "memory", true},
                                                {"coreLimit", "limits", "cpu", false},
                                                {"memoryLimit", "limits", "memory", true}}};

Value SparkContainer(const Value& role, std::string_view name, JobPodSets* out) {
  Value container = Value::Map();
  container.Set("name", Value::Text(ContainerName(name)));
  for (const SparkField& each : kFields) {
    if (!role.Has(each.field)) continue;
    const std::string_view written = role.TextAt(each.field);
    const std::string amount = each.is_memory ? JavaMemory(written) : std::string(written);
    if (!Quantity::Parse(amount)) {
      out->error = "\"" + std::string(written) + "\" is no quantity that Spark reads";
      out->field = "spec." + std::string(name) + "." + std::string(each.field);
      continue;
    }
    container.Make({"resources", each.list}).Set(each.resource, Value::Text(amount));
  }
  const std::int64_t gpus = role.At({"gpu", "quantity"}).IntOr(0);
  const std::string& gpu = role.At({"gpu", "name"}).text;
  if (gpus > 0 && !gpu.empty()) {
    container.Make({"resources", "limits"}).Set(gpu, Value::Text(std::to_string(gpus)));
  }
  return container;
}

JobPodSets SparkSets(const Value& app, const Setting&) {
  JobPodSets out;
  for (const std::string_view name : kRoles) {
    const Value& role = app.At({"spec", name});
    JobPodSet set;
    set.name = name;
    set.count = name == "driver" ? 1 : role.At("instances").IntOr(0);
    set.field = "spec." + std::string(name);
    for (const std::string_view part : {"labels", "annotations"}) {
      Value texts = role.At({"template", "metadata", part});
      for (const auto& [key, value] : role.At(part).entries) texts.Set(key, value);
      if (!texts.Empty()) set.pod_template.Make("metadata").Set(part, std::move(texts));
    }
    Value& spec = set.pod_template.Make("spec");
    Value containers = Value::List();
    containers.items.push_back(SparkContainer(role, name, &out));
    for (const Value& sidecar : role.At("sidecars").items) containers.items.push_back(sidecar);
    spec.Set("containers", std::move(containers));
    for (const std::string_view part :
         {"initContainers", "nodeSelector", "tolerations", "affinity", "priorityClassName"}) {
      if (role.Has(part)) spec.Set(part, role.At(part));
    }
    out.sets.push_back(std::move(set));
  }
  return out;
}

JobStatus SparkStatus(const Value& app, const Setting&) {
  JobStatus out;
  const std::string& state = app.At({"status", "applicationState", "state"}).text;
  out.success = state == "COMPLETED";
  out.finished = out.success || state == "FAILED" || state == "SUBMISSION_FAILED";
  out.active = state == "RUNNING";
  out.pods_run = state == "SUBMITTED" || state == "SUCCEEDING" || state == "FAILING" ||
                 state == "INVALIDATING" || state == "SUSPENDING";  // its driver is there, or goes
  std::int64_t running = 0;
  for (const auto& [name, executor] : app.At({"status", "executorState"}).entries) {
    running += executor.text == "RUNNING" || executor.text == "COMPLETED" ? 1 : 0;
    out.pods_run |= executor.text == "RUNNING" || executor.text == "PENDING";
  }
  out.pods_ready = out.active && running >= app.At({"spec", "executor", "instances"}).IntOr(0);
  return out;
}

void CheckSpark(const Value& app, const Setting&, FieldErrors* errors) {
  const Value& spec = app.At("spec");
  if (spec.TextAt("mode") != "cluster") {
    errors->push_back(Invalid("spec.mode", "must be cluster", "write mode: cluster"));
  }
  if (spec.At({"dynamicAllocation", "enabled"}).IsTrue() &&
      Annotation(app, mark::kElastic) != "true") {
    errors->push_back(Invalid("spec.dynamicAllocation.enabled",
                              "would grow the application beyond its quota",
                              "write a fixed number of executor.instances"));
  }
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kInjected = {
    {{"metadata", "labels"},
     {"metadata", "annotations"},
     {"spec", "nodeSelector"},
     {"spec", "tolerations"}}};

/// The role's own fields as a pod template, and back.
Value RoleTemplate(const Value& role) {
  Value out = Value::Map();
  for (const auto& [part, field] : kInjected) {
    if (role.Has(field)) out.Make(part).Set(field, role.At(field));
  }
  return out;
}
void SetRole(Value& role, const Value& pod_template) {
  for (const auto& [part, field] : kInjected) {
    const Value& value = pod_template.At({part, field});
    if (value.IsNull()) {
      role.Remove(field);
    } else {
      role.Set(field, value);
    }
  }
}

std::string StartSpark(Value& app, const JobPodSets& sets, std::span<const StartInfo> infos) {
  if (infos.size() != sets.sets.size()) return "the number of podsets does not match";
  const Value everywhere = app.At({"spec", "nodeSelector"});
  for (std::size_t i = 0; i < infos.size(); ++i) {
    Value& role = app.Make({"spec", kRoles[i]});
    Value fields = RoleTemplate(role);
    for (const auto& [key, value] : everywhere.entries) {
      fields.Make({"spec", "nodeSelector"}).Default(key, value);
    }
    std::string conflict = MergeInto(fields, infos[i]);
    if (!conflict.empty()) return conflict;
    SetRole(role, fields);
    Value& containers = role.Make({"template", "spec", "containers"});
    if (!containers.IsList()) containers = Value::List();
    bool has_own = false;
    for (const Value& each : containers.items) {
      has_own |= each.TextAt("name") == ContainerName(kRoles[i]);
    }
    if (!has_own) {
      containers.items.push_back(Value::Texts({{"name", ContainerName(kRoles[i])}}));
    }
    if (!infos[i].gates.items.empty()) {
      StartInfo gates;
      gates.gates = infos[i].gates;
      MergeInto(role.Make("template"), gates);
    }
  }
  app.Make("spec").Remove("nodeSelector");
  return "";
}

void StopSpark(Value& app, const JobPodSets& sets) {
  for (std::size_t i = 0; i < sets.sets.size(); ++i) {
    Value& role = app.Make({"spec", kRoles[i]});
    SetRole(role, sets.sets[i].pod_template);
    if (kRoles[i] == "executor") role.Set("instances", Value::Number(sets.sets[i].count));
    if (!role.At({"template", "spec"}).IsNull()) {
      role.Make({"template", "spec"}).Remove("schedulingGates");
    }
  }
}

}  // namespace

KindRow SparkRow() {
  KindRow row;
  row.framework = "sparkoperator.k8s.io/sparkapplication";
  row.group = "sparkoperator.k8s.io";
  row.version = "v1beta2";
  row.kind = "SparkApplication";
  row.suspend = {"spec", "suspend"};
  row.takes_prebuilt = false;
  row.build_error_hides = true;
  row.only_with_queue = true;
  row.fill = FillSpark;
  row.pod_sets = SparkSets;
  row.status = SparkStatus;
  row.check_create = CheckSpark;
  row.start = StartSpark;
  row.stop = StopSpark;
  return row;
}

}  // namespace muster::objects
