// muster explain: why a workload waits, or what could make it wait again.
#include "bindings/cli/show/explain.h"

#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/show/attempts.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/play.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/service.h"
#include "bindings/cli/world/workload_names.h"
#include "bindings/lab/near_names.h"

namespace muster::cli {
namespace {

class ExplainCommand : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "explain",
        .group = "Look",
        .summary = "why a job waits: the shortage, what holds it, what would help",
        .usage = "NAMESPACE/WORKLOAD -f FILE... | --db LEDGER [--last-cycle] [-o table|json]",
        .about =
            "Loads the manifests into an engine in memory, plays their Scenario, or without one "
            "runs cycles until idle, and then explains one workload: a verdict over all flavors "
            "that were tried, what would help, the shortage per flavor and resource with what "
            "evictions could free, what holds it and why that is not evicted for it, what stands "
            "ahead and by which key, and the policy in force with its file and line. Of a long "
            "list it shows the first 20, and what else it would evict, and says that there are "
            "more. With --db it looks at a ledger as it is, also beside "
            "its writer, and --last-cycle decides the last cycle once more from its history. Of a "
            "running workload it says which queues may reclaim what it "
            "borrows. A Job `x` is the workload `job-x`.",
        .examples = {
            {"Why does it wait?", "muster explain team-a/job-train -f queues.yaml -f jobs.yaml"},
            {"What the last cycle thought, entry by entry",
             "muster explain team-a/job-train --last-cycle -f queues.yaml -f jobs.yaml"},
            {"For a program",
             "muster explain team-a/job-train -o json -f queues.yaml -f jobs.yaml"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Required("NAMESPACE/WORKLOAD", &workload_, "The workload to explain.");
    input_.Declare(flags);
    flags.Text("-n,--namespace", "NAMESPACE", &ns_, "Namespace of a workload named without one.");
    flags.Switch("--last-cycle", &last_cycle_,
                 "Also show the decision trace of the last cycle that ran.");
    flags.Choice("-o,--output", &output_, {"table", "json"}, "Tables for people, or JSON.");
    play_.Declare(flags);
  }

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--namespace", "--output"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    std::vector<Key> keys;
    if (const int code = ReadKeys(io, &keys); code != kDone) return code;
    const Key& key = keys.front();
    for (const std::string& name : {key.name, "job-" + key.name}) {
      std::string text;
      bool found = false;
      const std::string target =
          remote::Target({"v1", "workloads", key.ns, name, "explain"}, {{"output", output_}});
      if (const int code = service.Find(target, io, &text, &found); code != kDone) return code;
      if (!found) continue;
      io.out << text;
      return kDone;
    }
    WorkloadView come;  // it may have, meanwhile
    const int code = service.FindWorkload(key, io, &come);
    return code == kDone ? io.Fail(kNo, key.ToString() + " has just come; ask again") : code;
  }

  int Run(Io& io) override {
    std::vector<Key> keys;
    int code = ReadKeys(io, &keys);
    if (code != kDone) return code;
    Loaded loaded;
    World world;
    std::unique_ptr<HistoryReader> moment;
    code = Settle(input_, play_, io, &world, &loaded, &moment);
    if (code == kDone && last_cycle_ && moment) {
      code = RecallLastCycle(*moment, io, &world.last_trace);
    }
    if (code != kDone) return code;
    const Key key = ResolveWorkload(world.engine, keys.front());
    Result<Explanation> explanation = world.engine.Explain(key);
    if (explanation.status().code() == StatusCode::kNotFound) {
      return io.Fail(kNo, lab::UnknownWorkload(world.engine, key, kNone));
    }
    if (!explanation.ok()) {
      return io.Fail(ExitCodeFor(explanation.status()), explanation.status().message());
    }
    if (!play_.db.empty()) NameResume(&explanation->cure);
    const Answer answer{*explanation, MayReclaimFrom(world.engine, explanation->workload)};
    if (output_ == "json") {
      Json json = AnswerJson(answer);
      if (last_cycle_) json["lastCycle"] = TraceJson(world.last_trace);
      PrintJson(io.out, json);
    } else {
      PrintAnswer(answer, io);
      if (last_cycle_) PrintTrace(world.last_trace, key, io);
    }
    return kDone;
  }

 private:
  int ReadKeys(Io& io, std::vector<Key>* keys) const {
    if (const int code = ParseKeys({workload_}, ns_, "explain", io, keys); code != kDone) {
      return code;
    }
    return keys->size() == 1 ? int{kDone} : io.Fail(kWrongUse, "explain: name one workload");
  }

  /// Of a ledger, stopPolicy has a verb: "... of ClusterQueue a to None (muster resume a)".
  static void NameResume(std::string* cure) {
    constexpr std::string_view kBegin = "set spec.stopPolicy of ";
    constexpr std::string_view kEnd = " to None";
    const std::size_t begin = cure->find(kBegin);
    const std::size_t end = begin == std::string::npos ? begin : cure->find(kEnd, begin);
    if (end == std::string::npos) return;
    const std::size_t name = cure->rfind(' ', end - 1) + 1;
    cure->insert(end + kEnd.size(), " (muster resume " + cure->substr(name, end - name) + ")");
  }

  static constexpr std::string_view kNone = "there is none at all";

  std::string workload_;
  std::string ns_;
  bool last_cycle_ = false;
  std::string output_ = "table";
  InputFlags input_;
  PlayFlags play_;
};

}  // namespace

std::unique_ptr<Command> MakeExplain() { return std::make_unique<ExplainCommand>(); }

}  // namespace muster::cli
