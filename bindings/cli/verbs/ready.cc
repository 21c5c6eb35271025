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
        .usage = "NAMESPACE/WORKLOAD... --db LEDGER",
        .about =
            "Tells the ledger that the pods of admitted jobs are all ready: all of these jobs or, "
            "if one is unknown or not admitted, none. Saying it twice changes nothing. A Job `x` "
            "is the workload `job-x`.",
        .examples = {{"The gateway saw every pod become ready",
                      "muster ready team-a/job-train --db cluster.ledger"}}};
    return kInfo;
  }

 protected:
  std::string ResultFor(const WorkloadView& workload) const override {
    const std::vector<Condition>& conditions = workload.spec.status.conditions;
    const bool said = std::any_of(conditions.begin(), conditions.end(), [](const Condition& c) {
      return c.type == "PodsReady" && c.status;
    });
    return said ? "unchanged" : "ready";
  }
  Status Tell(Engine& engine, const std::vector<Key>& workloads, TimeNs now) override {
    return engine.Ready(workloads, now);
  }
};

}  // namespace

std::unique_ptr<Command> MakeReady() { return std::make_unique<Ready>(); }

}  // namespace muster::cli
