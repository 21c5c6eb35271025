// muster finish: the jobs ended.
#include "bindings/cli/verbs/workload_command.h"

namespace muster::cli {
namespace {

class Finish : public WorkloadCommand {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "finish",
        .group = "Report",
        .summary = "the pods of these jobs ended; their quota is free",
        .usage = "NAMESPACE/WORKLOAD... --db LEDGER [--failed] [--reason REASON] [--uid UID]",
        .about =
            "Tells the ledger that jobs ended, all of them or, if one is unknown, none. What they "
            "held is free at once. A workload that ended before is left alone, so it is safe to "
            "say it twice. `-` reads names from standard input; a "
            "Job `x` may be called `job-x` or `x`.",
        .examples = {{"A job succeeded", "muster finish team-a/job-train --db cluster.ledger"},
                     {"Two jobs failed",
                      "muster finish job-a job-b -n team-a --failed --db cluster.ledger"}}};
    return kInfo;
  }

 protected:
  bool MeansWholeJobs() const override { return true; }
  void DeclareMore(Flags& flags) override {
    flags.Switch("--failed", &failed_, "They ended without success.");
    flags.Text("--reason", "REASON", &reason_,
               "With --failed: the reason of condition Finished, for example FailedToStart.");
  }
  std::string ResultFor(const WorkloadView& workload) const override {
    if (workload.phase == WorkloadPhase::kFinished) return "unchanged";
    return failed_ ? "failed" : "finished";
  }
  std::vector<muster::Command> Said(const std::vector<Key>& workloads) const override {
    return {command::Finish{workloads, failed_, uids(), reason_}};
  }
  Status Tell(Engine& engine, const std::vector<Key>& workloads, TimeNs now) override {
    return engine.Do(command::Finish{workloads, failed_, uids(), reason_}, now).status();
  }

 private:
  bool failed_ = false;
  std::string reason_;
};

}  // namespace

std::unique_ptr<Command> MakeFinish() { return std::make_unique<Finish>(); }

}  // namespace muster::cli
