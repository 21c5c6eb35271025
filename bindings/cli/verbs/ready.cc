// muster ready: all pods of the jobs are up.
#include <algorithm>

#include "bindings/cli/verbs/workload_command.h"

namespace muster::cli {
namespace {

class Ready : public WorkloadCommand {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "ready",
        .group = "Report",
        .summary = "all pods of these jobs are up",
        .usage = "NAMESPACE/WORKLOAD... --db LEDGER [--lost] [--uid UID] [--run N]",
        .about =
            "Tells the ledger that the pods of admitted jobs are all ready: all of these jobs or, "
            "if one is unknown or not admitted, none. Saying it twice changes nothing. With "
            "waitForPodsReady, a job that is not ready in time is evicted; one that lost a pod has "
            "recoveryTimeout to be ready again. `-` reads names from standard input; a "
            "Job `x` may be called `job-x` or `x`.",
        .examples = {{"The gateway saw every pod become ready",
                      "muster ready team-a/job-train --db cluster.ledger"},
                     {"One of them failed and is being replaced",
                      "muster ready team-a/job-train --lost --db cluster.ledger"}}};
    return kInfo;
  }

 protected:
  void DeclareMore(Flags& flags) override {
    flags.Switch("--lost", &lost_, "They were ready, and no longer are.");
  }
  std::string ResultFor(const WorkloadView& workload) const override {
    const std::vector<Condition>& conditions = workload.spec.status.conditions;
    const bool said = std::any_of(conditions.begin(), conditions.end(), [](const Condition& c) {
      return c.type == "PodsReady" && c.status;
    });
    if (said != lost_) return "unchanged";
    return lost_ ? "not ready" : "ready";
  }
  std::vector<muster::Command> Said(const std::vector<Key>& workloads) const override {
    return {command::Ready{workloads, !lost_, uids(), runs()}};
  }
  Status Tell(Engine& engine, const std::vector<Key>& workloads, TimeNs now) override {
    return engine.Ready(workloads, now, !lost_, uids(), runs());
  }

 private:
  bool lost_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeReady() { return std::make_unique<Ready>(); }

}  // namespace muster::cli
