// muster cancel: jobs are withdrawn.
#include "bindings/cli/verbs/workload_command.h"

namespace muster::cli {
namespace {

class Cancel : public WorkloadCommand {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "cancel",
        .group = "Report",
        .summary = "withdraw jobs: they are forgotten and hold nothing",
        .usage = "NAMESPACE/WORKLOAD... --db LEDGER [--uid UID] [--run N]",
        .about =
            "Withdraws jobs, waiting or running, all of them or, if one is unknown, none. Their "
            "quota is free at once and the ledger's state forgets them; its history does not. `-` "
            "reads names from standard input; a "
            "Job `x` may be called `job-x` or `x`.",
        .examples = {{"A job that is not needed any more",
                      "muster cancel team-a/job-train --db cluster.ledger"}}};
    return kInfo;
  }

 protected:
  bool MeansWholeJobs() const override { return true; }
  std::string ResultFor(const WorkloadView&) const override { return "cancelled"; }
  std::vector<muster::Command> Said(const std::vector<Key>& workloads) const override {
    return {command::Cancel{workloads, uids(), runs()}};
  }
  Status Tell(Engine& engine, const std::vector<Key>& workloads, TimeNs now) override {
    return engine.Cancel(workloads, now, uids(), runs());
  }
};

}  // namespace

std::unique_ptr<Command> MakeCancel() { return std::make_unique<Cancel>(); }

}  // namespace muster::cli
