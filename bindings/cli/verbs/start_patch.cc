// muster start-patch: the object of an admitted workload as it may run.
#include <map>
#include <string>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/verbs/object_name.h"
#include "bindings/cli/world/play.h"
#include "bindings/cli/world/service.h"
#include "bindings/cli/world/workload_names.h"
#include "bindings/lab/near_names.h"
#include "bindings/manifest/emit.h"
#include "bindings/manifest/plain.h"
#include "bindings/manifest/slices.h"
#include "bindings/manifest/start_objects.h"

namespace muster::cli {
namespace {

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

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--namespace", "--output", "--filename"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    Key key;
    std::vector<manifest::Source> sources;
    if (const int code = ReadInput(io, &key, &sources); code != kDone) return code;
    std::map<std::string, std::string> why;
    for (const std::string& name : {key.name, "job-" + key.name}) {
      std::string answer;
      bool found = false;
      const std::string target =
          remote::Target({"v1", "workloads", key.ns, name, "start-patch"}, {});
      if (const int code = service.Post(target, sources, io, &answer, &found); code != kDone) {
        return code;
      }
      // JSON is YAML, and read as such a number keeps its spelling.
      const manifest::PlainDocuments read = manifest::ParsePlain(answer, "the answer");
      if (!read.problem.empty() || read.documents.size() != 1) {
        return io.Fail(kRefused, "the service answers not as muster serve does");
      }
      const objects::Value& said = read.documents.front();
      if (!found) {
        const std::string_view message = said.TextAt("message");
        why[name] = message.empty() ? "there is no such workload" : message;
        continue;
      }
      Print(said, io);
      return kDone;
    }
    WorkloadView there;
    const int code = service.FindWorkload(key, io, &there);
    return code == kDone ? io.Fail(kNo, why[there.spec.key.name]) : code;
  }

  int Run(Io& io) override {
    Key key;
    std::vector<manifest::Source> sources;
    if (const int code = ReadInput(io, &key, &sources); code != kDone) return code;
    Loaded loaded;
    World world;
    InputFlags played = input_;
    if (!play_.db.empty()) played.files.clear();
    if (const int code = Settle(played, play_, io, &world, &loaded); code != kDone) return code;
    key = manifest::RunningSlice(world.engine, ResolveWorkload(world.engine, key));
    const Result<WorkloadView> view = world.engine.GetWorkload(key);
    if (!view.ok()) {
      return io.Fail(kNo, lab::UnknownWorkload(world.engine, key, "there is none"));
    }
    const auto started = manifest::StartObjects(world.engine, key, sources);
    if (!started.ok()) return io.Fail(kNo, started.status().message());
    Print(manifest::AnswerOf(key, *started), io);
    return kDone;
  }

 private:
  int ReadInput(Io& io, Key* key, std::vector<manifest::Source>* sources) const {
    if (const int code = ReadName(word_, ns_, true, "workload", "start-patch", io, key);
        code != kDone) {
      return code;
    }
    if (key->ns.empty()) {
      return io.Fail(kWrongUse, "start-patch: '" + word_ + "' has no namespace; write NAMESPACE/" +
                                    word_ + " or add -n NAMESPACE");
    }
    if (input_.files.empty()) {
      return io.Fail(kWrongUse,
                     "a start is written into the object itself; give its manifest as it was "
                     "submitted, with -f FILE");
    }
    return ReadSources(input_.files, io, sources);
  }

  /// Numbers as they were written: what is read as a double may come out as another text.
  void Print(const objects::Value& answer, Io& io) const {
    const auto& made = answer.At("objects").items;
    if (const std::string& of = made.empty() ? std::string() : made.front().At("podOf").text;
        !of.empty()) {
      io.Warn("the " + of +
              " is not patched itself: each patch is for one of the pods that it "
              "makes, to be sent when the pod waits");
    }
    if (output_ == "json") {
      io.out << objects::ToJsonLines(answer) << "\n";
      return;
    }
    bool is_first = true;
    for (const objects::Value& each : answer.At("objects").items) {
      if (output_ == "patch") {
        io.out << objects::ToJson(each.At("patch")) << "\n";
      } else {
        manifest::YamlArena arena;
        io.out << (is_first ? "" : "---\n")
               << manifest::EmitYaml(*manifest::NodeOf(each.At("object"), {}, arena));
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
