// muster update: what may change about a job while it waits or runs.
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/verbs/workload_command.h"
#include "bindings/manifest/manifest.h"
#include "muster/muster.h"

namespace muster::cli {
namespace {

std::optional<std::int32_t> Number(std::string_view text) {
  std::int32_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "main=2" each.
template <typename Pods>
std::optional<std::vector<Pods>> Counts(const std::vector<std::string>& words) {
  std::vector<Pods> counts;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) return std::nullopt;
    const auto count = Number(std::string_view(word).substr(equals + 1));
    if (!count || *count < 0) return std::nullopt;
    counts.push_back({word.substr(0, equals), *count});
  }
  return counts;
}

class Update : public WorkloadCommand {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "update",
        .group = "Report",
        .summary = "change a job that waits or runs: priority, active, pods",
        .usage = "NAMESPACE/WORKLOAD --db LEDGER [--priority N] [--active true|false] ...",
        .about =
            "Changes what may change about a job. --active false deactivates it: its quota is free "
            "at once and it is evicted; --active true queues it again. --reclaimable says how many "
            "pods of a podset are done and will not come back; --count makes a podset smaller in "
            "place (while it has no quota also larger): both free quota at once. --open-gates "
            "names the preemption gates that are open. --checkpointed says when the run last saved "
            "its work, or now: what it did before is not lost when it is preempted. A Job `x` may "
            "be called `job-x` or `x`.",
        .examples = {
            {"It is urgent now",
             "muster update team-a/job-train --priority 1000 --db cluster.ledger"},
            {"Two of its pods are done",
             "muster update team-a/job-train --reclaimable main=2 --db cluster.ledger"},
            {"It has saved its work",
             "muster update team-a/job-train --checkpointed now --db cluster.ledger"},
            {"Put it aside", "muster update team-a/job-train --active false --db cluster.ledger"}}};
    return kInfo;
  }

 protected:
  void DeclareMore(Flags& flags) override {
    flags.Text("--priority", "N", &priority_, "Its priority; higher is looked at first.");
    flags.Text("--active", "true|false", &active_, "Whether it may hold quota at all.");
    flags.CommaList("--reclaimable", "PODSET=N", &reclaimable_, "Pods that will not be recreated.");
    flags.CommaList("--count", "PODSET=N", &counts_, "Pods that it has from now on.");
    flags.CommaList("--open-gates", "GATE", &gates_, "Its preemption gates that are open.");
    flags.Text("--checkpointed", "TIME", &checkpointed_,
               "When its run last saved its work: a time as in --at, or now.");
  }
  std::optional<std::string> Wrong() const override {
    if (named() > 1) return "update one workload at a time";
    if (!priority_.empty() && !Number(priority_)) {
      return "--priority takes a whole number from -2147483648 to 2147483647, not '" + priority_ +
             "'";
    }
    if (!active_.empty() && active_ != "true" && active_ != "false") {
      return "--active takes true or false, not '" + active_ + "'";
    }
    if (!Counts<ReclaimablePods>(reclaimable_)) {
      return "--reclaimable takes PODSET=N, such as main=2";
    }
    if (!Counts<PodSetCount>(counts_)) return "--count takes PODSET=N, such as main=2";
    if (priority_.empty() && active_.empty() && reclaimable_.empty() && counts_.empty() &&
        gates_.empty() && checkpointed_.empty()) {
      return "say what changes: --priority, --active, --reclaimable, --count, --open-gates or "
             "--checkpointed";
    }
    if (!checkpointed_.empty() && checkpointed_ != "now" && !manifest::ParseTime(checkpointed_)) {
      return "--checkpointed takes a time such as 2026-01-01T12:00:00Z, or now, not '" +
             checkpointed_ + "'";
    }
    return std::nullopt;
  }
  std::string ResultFor(const WorkloadView&) const override { return "updated"; }
  bool MayEvict() const override { return active_ == "false"; }
  std::vector<muster::Command> Said(const std::vector<Key>& workloads) const override {
    return {UpdateOf(workloads.front(), WallClock())};
  }
  Status Tell(Engine& engine, const std::vector<Key>& workloads, TimeNs now) override {
    if (workloads.size() > 1) {
      return Status(StatusCode::kInvalidArgument, "update one workload at a time");
    }
    const Status status = engine.Update(UpdateOf(workloads.front(), now), now);
    if (status.problems().empty()) return status;
    std::string message;
    for (const Problem& problem : status.problems()) {
      message += (message.empty() ? "" : "\n") + problem.field + ": " + problem.what;
      if (!problem.cure.empty()) message += "; " + problem.cure;
    }
    return Status(status.code(), message);
  }

 private:
  WorkloadUpdate UpdateOf(const Key& workload, TimeNs now) const {
    WorkloadUpdate update;
    update.workload = workload;
    update.uid = uid();
    update.run = run();
    update.priority = Number(priority_);
    if (!active_.empty()) update.active = active_ == "true";
    if (!reclaimable_.empty()) update.reclaimable_pods = Counts<ReclaimablePods>(reclaimable_);
    if (!counts_.empty()) update.counts = Counts<PodSetCount>(counts_);
    if (!gates_.empty()) update.open_gates = gates_;
    if (!checkpointed_.empty()) {
      update.checkpointed =
          checkpointed_ == "now" ? now : manifest::ParseTime(checkpointed_).value_or(kNoTime);
    }
    return update;
  }

  std::string priority_;
  std::string active_;
  std::vector<std::string> reclaimable_;
  std::vector<std::string> counts_;
  std::vector<std::string> gates_;
  std::string checkpointed_;
};

}  // namespace

std::unique_ptr<Command> MakeUpdate() { return std::make_unique<Update>(); }

}  // namespace muster::cli
