// muster evict: orders an eviction. muster evicted: it is done.
#include <string_view>

#include "bindings/cli/verbs/workload_command.h"
#include "bindings/lab/read.h"
#include "bindings/manifest/names.h"

namespace muster::cli {
namespace {

bool HoldsQuota(WorkloadPhase phase) {
  return phase == WorkloadPhase::kReserved || phase == WorkloadPhase::kAdmitted ||
         phase == WorkloadPhase::kEvicting;
}

class Evict : public WorkloadCommand {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "evict",
        .group = "Report",
        .summary = "order an eviction; the quota stays charged until `evicted`",
        .usage = "NAMESPACE/WORKLOAD... --reason REASON --db LEDGER [--uid UID] [--run N]",
        .about =
            "Orders the eviction of jobs that hold quota: all of them or, if one holds none, none. "
            "Their pods are still there, so their quota stays charged until `muster evicted` says "
            "that they are gone; then they queue again. A job whose eviction is under way is left "
            "alone. `-` reads names from standard input; a Job `x` may be called `job-x` or `x`.",
        .examples = {{"A node goes down for maintenance",
                      "muster evict team-a/job-train --reason NodeMaintenance --db "
                      "cluster.ledger"}}};
    return kInfo;
  }

 protected:
  void DeclareMore(Flags& flags) override {
    flags.Text("--reason", "REASON", &reason_,
               "Why, in one word as conditions have them, for example NodeMaintenance.");
  }
  std::optional<std::string> Wrong() const override {
    if (reason_.empty()) return "say why with --reason REASON, for example NodeMaintenance";
    if (manifest::IsReason(reason_)) return std::nullopt;
    return "--reason takes one word such as NodeMaintenance, not '" + reason_ + "'";
  }
  std::string ResultFor(const WorkloadView& workload) const override {
    return workload.phase == WorkloadPhase::kEvicting ? "unchanged" : "evicting";
  }
  std::vector<muster::Command> Said(const std::vector<Key>& workloads) const override {
    std::vector<muster::Command> commands;
    for (const Key& key : workloads)
      commands.emplace_back(command::Evict{key, reason_, uid(), run()});
    return commands;
  }
  Status MaySay(const WorkloadView& workload) const override {
    if (HoldsQuota(workload.phase)) return Status::Ok();
    return {StatusCode::kFailedPrecondition, workload.spec.key.ToString() + " holds no quota"};
  }
  Status Tell(Engine& engine, const std::vector<Key>& workloads, TimeNs now) override {
    // Asked first, so that one which holds nothing stops the others too.
    for (const Key& key : workloads) {
      const Result<WorkloadView> workload = engine.GetWorkload(key);
      if (workload.ok() && HoldsQuota(workload->phase)) continue;
      return Status(StatusCode::kFailedPrecondition, key.ToString() + " holds no quota");
    }
    for (const Key& key : workloads) {
      if (Status status = engine.Evict(key, reason_, now, uid(), run()); !status.ok())
        return status;
    }
    return Status::Ok();
  }

 private:
  std::string reason_;
};

class Evicted : public WorkloadCommand {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "evicted",
        .group = "Report",
        .summary = "the pods of evicted jobs are gone: only now is their quota free",
        .usage = "NAMESPACE/WORKLOAD... | --all --db LEDGER [--uid UID] [--run N]",
        .about =
            "Tells the ledger that the pods of jobs are gone whose eviction was ordered, by a "
            "preemption or by `muster evict`. Their quota is free and they queue again. All of "
            "them or, if no eviction of one was ordered, none. A Job `x` is the workload `job-x`.",
        .examples = {{"The pods of one victim are gone",
                      "muster evicted team-b/job-sweep --db cluster.ledger"},
                     {"All of them", "muster evicted --all --db cluster.ledger"}}};
    return kInfo;
  }

 protected:
  void DeclareMore(Flags& flags) override {
    flags.Switch("--all", &all_, "Every workload whose eviction is under way.");
  }
  std::optional<std::string> Wrong() const override {
    if (all_ && named() > 0) return "--all leaves nothing to name";
    return std::nullopt;
  }
  bool NamesAll() const override { return all_; }
  std::vector<Key> All(const Engine& engine) const override { return lab::Read(engine.Evicting()); }
  std::string ResultFor(const WorkloadView&) const override { return "evicted"; }
  std::vector<muster::Command> Said(const std::vector<Key>& workloads) const override {
    return {command::Evicted{workloads, uids(), runs()}};
  }
  Status Tell(Engine& engine, const std::vector<Key>& workloads, TimeNs now) override {
    return engine.Evicted(workloads, now, uids(), runs());
  }

 private:
  bool all_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeEvict() { return std::make_unique<Evict>(); }
std::unique_ptr<Command> MakeEvicted() { return std::make_unique<Evicted>(); }

}  // namespace muster::cli
