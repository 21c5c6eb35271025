// muster start-patch: the object of an admitted workload as it may run.
#include <string>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/json.h"
#include "bindings/cli/verbs/object_name.h"
#include "bindings/cli/world/play.h"
#include "bindings/cli/world/workload_names.h"
#include "bindings/lab/yaml_text.h"
#include "bindings/manifest/start_objects.h"

namespace muster::cli {
namespace {

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
    if (input_.files.empty()) {
      return io.Fail(kWrongUse,
                     "a start is written into the object itself; give its manifest as it was "
                     "submitted, with -f FILE");
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
    const auto started = manifest::StartObjects(world.engine, key, sources);
    if (!started.ok()) return io.Fail(kNo, started.status().message());
    Print(key, *started, io);
    return kDone;
  }

 private:
  void Print(const Key& key, const std::vector<manifest::StartedObject>& started, Io& io) const {
    if (output_ == "json") {
      PrintJson(io.out, Json::parse(manifest::ToJson(key, started)));
      return;
    }
    bool is_first = true;
    for (const manifest::StartedObject& each : started) {
      if (output_ == "patch") {
        io.out << objects::ToJson(each.patch) << "\n";
      } else {
        io.out << (is_first ? "" : "---\n") << lab::BlockYaml(JsonOf(each.object));
      }
      is_first = false;
    }
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
