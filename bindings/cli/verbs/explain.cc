// muster explain: why a workload waits, or who could make it wait again.
#include "bindings/cli/show/explain.h"

#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/show/attempts.h"
#include "bindings/cli/world/play.h"
#include "bindings/cli/world/report.h"
#include "bindings/manifest/closest.h"

namespace muster::cli {
namespace {

/// What to write instead of a workload that is not there.
std::string Unknown(const Engine& engine, const std::string& name) {
  std::vector<std::string> names;
  for (const WorkloadView& view : engine.Workloads()) names.push_back(view.spec.key.ToString());
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::string cure = names.empty() ? "these manifests have none" : "";
  const std::size_t slash = name.find('/');
  const std::string as_job = name.substr(0, slash + 1) + "job-" + name.substr(slash + 1);
  for (const std::string& each : names) {
    if (each == as_job) cure = "a Job's workload is called '" + as_job + "'";
  }
  if (cure.empty()) cure = manifest::ProposeName(name, views);
  return "there is no workload '" + name + "'; " + cure;
}

class ExplainCommand : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "explain",
        .group = "Look",
        .summary = "why a job waits: the shortage, who holds it, who is ahead",
        .usage = "NAMESPACE/WORKLOAD -f FILE... [--last-cycle] [-o table|json]",
        .about =
            "Loads the manifests into an engine in memory, plays their Scenario, or without one "
            "runs cycles until idle, and then explains one workload: a verdict in a sentence, the "
            "shortage per flavor and resource, who holds what is missing and whether it can be "
            "evicted for it, what stands ahead and by which key, and the policy in force with its "
            "file and line. Of a running workload it says which queues may reclaim what it "
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

  int Run(Io& io) override {
    const std::size_t slash = workload_.find('/');
    if (slash == std::string::npos && ns_.empty()) {
      return io.Fail(kWrongUse, "explain: '" + workload_ + "' has no namespace; write NAMESPACE/" +
                                    workload_ + " or add -n NAMESPACE");
    }
    const Key key = slash == std::string::npos
                        ? Key{ns_, workload_}
                        : Key{workload_.substr(0, slash), workload_.substr(slash + 1)};
    Loaded loaded;
    World world;
    const int code = Settle(input_, play_, io, &world, &loaded);
    if (code != kDone) return code;
    const Result<Explanation> explanation = world.engine.Explain(key);
    if (explanation.status().code() == StatusCode::kNotFound) {
      return io.Fail(kNo, Unknown(world.engine, key.ToString()));
    }
    if (!explanation.ok()) {
      return io.Fail(ExitCodeFor(explanation.status()), explanation.status().message());
    }
    const Answer answer{*explanation, Lenders(world.engine).MayReclaimFrom(explanation->workload)};
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
