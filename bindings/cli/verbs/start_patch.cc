// muster start-patch: the object of an admitted workload as it may run.
#include <string>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/json.h"
#include "bindings/cli/verbs/object_name.h"
#include "bindings/cli/world/play.h"
#include "bindings/cli/world/workload_names.h"
#include "bindings/lab/yaml_text.h"
#include "bindings/manifest/job_objects.h"
#include "bindings/objects/pod.h"
#include "bindings/objects/webhook.h"
#include "engine/model/names.h"

namespace muster::cli {
namespace {

objects::Value ValueOf(const LabelMap& labels) {
  objects::Value out = objects::Value::Map();
  for (const auto& [key, text] : labels) out.Set(key, objects::Value::Text(text));
  return out;
}

objects::Value ValueOf(const std::vector<Toleration>& tolerations) {
  objects::Value out = objects::Value::List();
  for (const Toleration& each : tolerations) {
    objects::Value toleration = objects::Value::Map();
    if (!each.key.empty()) toleration.Set("key", objects::Value::Text(each.key));
    const bool exists = each.op == TolerationOp::kExists;
    toleration.Set("operator", objects::Value::Text(exists ? "Exists" : "Equal"));
    if (!each.value.empty()) toleration.Set("value", objects::Value::Text(each.value));
    if (each.effect != TaintEffect::kNone) {
      toleration.Set("effect", objects::Value::Text(EnumName(each.effect)));
    }
    out.items.push_back(std::move(toleration));
  }
  return out;
}

/// What the pods of each podset get: marks of the queues, and what flavors and checks say.
std::vector<objects::StartInfo> InfosOf(const WorkloadView& view,
                                        const std::vector<PodSetUpdate>& updates,
                                        objects::JobWorkload* workload) {
  objects::JobAdmission admission;
  admission.cluster_queue = view.spec.status.admission->cluster_queue;
  for (const PodSetAssignment& assigned : view.spec.status.admission->pod_sets) {
    admission.sets.push_back({assigned.name, assigned.count, {}, assigned.topology.has_value()});
  }
  workload->name = view.spec.key.name;
  objects::StartInfos start = objects::StartInfosFor(*workload, admission, "", objects::Setting());
  for (objects::StartInfo& info : start.infos) {
    for (const PodSetUpdate& update : updates) {
      if (update.name != info.pod_set) continue;
      objects::MergePatch(info.labels, ValueOf(update.labels));
      objects::MergePatch(info.annotations, ValueOf(update.annotations));
      info.node_selector = ValueOf(update.node_selector);
      info.tolerations = ValueOf(update.tolerations);
    }
  }
  return std::move(start.infos);
}

/// The object as it waits, without what only Kueue's own controllers take back.
void Hold(const objects::KindRow& row, objects::Value& object) {
  if (!row.Is("Pod")) return objects::Prepare(row, object, objects::Setting());
  objects::AddGate(object, "kueue.x-k8s.io/admission");
  objects::AddGate(object, "kueue.x-k8s.io/topology");
}

Json JsonOf(const objects::Value& value) { return Json::parse(objects::ToJson(value)); }

class StartPatch : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "start-patch",
        .group = "Look",
        .summary = "the object of an admitted workload, ready to start",
        .usage = "NAMESPACE/WORKLOAD -f FILE... [--db LEDGER] [-o json|yaml|patch]",
        .about =
            "Finds the object of a job kind that the workload was made of in the manifests, and "
            "writes it as it may run: the node selectors and tolerations of its flavors, what its "
            "admission checks add, counts, labels and annotations, and no longer suspended or "
            "gated. "
            "The patch is one to the object as it waits. Of a "
            "pod group these are its pods. Without --db the manifests are played in memory. "
            "Nothing is changed. A workload without quota has no patch, nor one whose flavors "
            "contradict its template.",
        .examples = {{"The patch and the whole object",
                      "muster start-patch default/rayjob-sweep-f4133 -f examples/kinds"},
                     {"A JSON merge patch for kubectl",
                      "muster start-patch team-a/job-train -f job.yaml --db cluster.ledger -o "
                      "patch"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Required("NAMESPACE/WORKLOAD", &word_, "The workload.");
    input_.Declare(flags);
    flags.Text("-n,--namespace", "NAMESPACE", &ns_, "Its namespace, when WORKLOAD has none.");
    flags.Choice("-o,--output", &output_, {"json", "yaml", "patch"},
                 "Patch and object as JSON, the whole object as YAML, or the merge patch alone.");
    play_.Declare(flags);
  }

  int Run(Io& io) override {
    Key key;
    if (const int code = ReadName(word_, ns_, true, "workload", "start-patch", io, &key);
        code != kDone) {
      return code;
    }
    std::vector<manifest::Source> sources;
    if (const int code = ReadSources(input_.files, io, &sources); code != kDone) return code;
    Loaded loaded;
    World world;
    InputFlags played = input_;
    if (!play_.db.empty()) played.files.clear();
    if (const int code = Settle(played, play_, io, &world, &loaded); code != kDone) return code;
    key = ResolveWorkload(world.engine, key);
    const Result<WorkloadView> view = world.engine.GetWorkload(key);
    if (!view.ok()) {
      return io.Fail(kNo, UnknownWorkload(world.engine, key.ToString(), "there is none"));
    }
    const auto updates = world.engine.PodSetUpdates(key);
    if (!updates.ok()) return io.Fail(kNo, updates.status().message());
    for (manifest::JobObject& job : manifest::ReadJobObjects(sources).jobs) {
      if (job.workload_key == key) return Print(job, *view, *updates, io);
    }
    return io.Fail(kNo, "the manifests hold no object of the workload " + key.ToString() +
                            "; name the file that it was submitted from with -f");
  }

 private:
  int Print(manifest::JobObject& job, const WorkloadView& view,
            const std::vector<PodSetUpdate>& updates, Io& io) const {
    const std::vector<objects::StartInfo> infos = InfosOf(view, updates, &job.workload);
    if (job.row->through_pods) {
      return io.Fail(kNo, "a " + std::string(job.row->kind) +
                              " is started by its pods; give those that it makes");
    }
    Json all = Json::array();
    for (objects::Value& object : job.objects) {
      Hold(*job.row, object);
      const objects::Value before = object;
      std::span<const objects::StartInfo> own = infos;
      if (job.objects.size() > 1 || !objects::GroupOf(object).empty()) {
        for (std::size_t i = 0; i < infos.size(); ++i) {
          if (infos[i].pod_set == objects::RoleHash(object)) own = std::span(&infos[i], 1);
        }
      }
      const std::string conflict = objects::Start(*job.row, object, job.workload, own);
      if (!conflict.empty()) {
        return io.Fail(kNo, "the flavors contradict the template, whose " + conflict);
      }
      const objects::Value patch = objects::MergePatchFor(before, object);
      if (output_ == "patch") {
        io.out << objects::ToJson(patch) << "\n";
      } else if (output_ == "yaml") {
        io.out << (&object == job.objects.data() ? "" : "---\n") << lab::BlockYaml(JsonOf(object));
      } else {
        all.push_back({{"patch", JsonOf(patch)}, {"object", JsonOf(object)}});
      }
    }
    if (output_ == "json") {
      PrintJson(io.out, Json{{"workload", job.workload_key.ToString()}, {"objects", all}});
    }
    return kDone;
  }

  std::string word_;
  std::string ns_;
  InputFlags input_;
  PlayFlags play_;
  std::string output_ = "json";
};

}  // namespace

std::unique_ptr<Command> MakeStartPatch() { return std::make_unique<StartPatch>(); }

}  // namespace muster::cli
