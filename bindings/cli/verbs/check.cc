// muster check: the answer of an admission check about one job.
#include <charconv>
#include <optional>
#include <string>

#include "bindings/cli/command.h"
#include "bindings/cli/show/outcomes.h"
#include "bindings/cli/verbs/workload_command.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/load.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/service.h"
#include "bindings/cli/world/workload_names.h"
#include "bindings/lab/near_names.h"

namespace muster::cli {
namespace {

constexpr std::array<std::string_view, 4> kStates = {"pending", "ready", "retry", "rejected"};

std::optional<CheckState> StateNamed(std::string_view word) {
  for (std::size_t i = 0; i < kStates.size(); ++i) {
    if (kStates[i] == word) return static_cast<CheckState>(i);
  }
  return std::nullopt;
}

/// What the caller has to do now.
std::string Consequence(WorkloadPhase phase) {
  switch (phase) {
    case WorkloadPhase::kAdmitted:
      return "admitted";
    case WorkloadPhase::kEvicting:
      return "evicting";
    case WorkloadPhase::kInactive:
      return "deactivated";
    default:
      return "noted";
  }
}

class CheckCommand : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "check",
        .group = "Report",
        .summary = "an admission check has an answer about a job",
        .usage = "NAMESPACE/WORKLOAD CHECK pending|ready|retry|rejected --db LEDGER",
        .about =
            "Tells the ledger what the controller of an AdmissionCheck says about a job that "
            "holds quota. When all its checks are ready the job is admitted. `retry` evicts it: "
            "it queues again when its pods are gone and --requeue-after has passed. `rejected` "
            "deactivates it until it is set active again. --pod-set-updates names a file "
            "with a list of {name, labels, annotations, nodeSelector, tolerations}, which its pods "
            "get at start; what contradicts another check or a flavor is refused. A "
            "Job `x` may be called `job-x` or `x`.",
        .examples = {{"The nodes are there",
                      "muster check team-a/job-train provisioning ready --db cluster.ledger"},
                     {"Try again in ten minutes",
                      "muster check team-a/job-train provisioning retry --requeue-after 600 --db "
                      "cluster.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Required("WORKLOAD", &workload_, "The job, as NAMESPACE/NAME.");
    flags.Required("CHECK", &update_.check, "The AdmissionCheck that answers.");
    flags.Required("STATE", &state_, "pending, ready, retry or rejected.");
    flags.Text("-n,--namespace", "NAMESPACE", &ns_, "Namespace of WORKLOAD, named without one.");
    flags.Text("--uid", "UID", &update_.uid,
               "Which job of that name is meant: refused where another has the name by now.");
    flags.Text("--run", "N", &run_, kRunHelp);
    flags.Text("--message", "TEXT", &update_.message, "What people shall read about it.");
    flags.Text("--requeue-after", "SECONDS", &requeue_after_,
               "With retry: queue it again no sooner than this.");
    flags.Text("--pod-set-updates", "FILE", &pods_file_, "With ready: what its pods get at start.");
    ledger_.Declare(flags);
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A line, or JSON.");
  }

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {
        "--namespace", "--message", "--requeue-after", "--pod-set-updates", "--output",
        "--uid",       "--run"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    if (const int code = ReadWords(io); code != kDone) return code;
    WorkloadView workload;
    if (const int code = service.FindWorkload(update_.workload, io, &workload); code != kDone) {
      return code;
    }
    update_.workload = workload.spec.key;
    std::vector<muster::Answer> answers;
    if (const int code = service.Do({update_}, io, &answers); code != kDone) return code;
    const auto* const phase = std::get_if<answer::Phase>(&answers.front());
    PrintOutcomes({{"Workload", update_.workload.ToString(),
                    phase == nullptr ? "noted" : Consequence(phase->phase)}},
                  output_ == "json", io);
    return kDone;
  }

  int Run(Io& io) override {
    int code = ReadWords(io);
    if (code != kDone) return code;
    std::unique_ptr<DurableEngine> opened;
    TimeNs now = kNoTime;
    code = OpenLedger(ledger_, io, &opened, &now);
    if (code != kDone) return code;
    Engine& engine = opened->engine();
    update_.workload = ResolveWorkload(engine, update_.workload);
    const std::string name = update_.workload.ToString();
    if (!engine.GetWorkload(update_.workload).ok()) {
      return io.Fail(kNo, lab::UnknownWorkload(engine, update_.workload, "the ledger has none"));
    }
    const Result<WorkloadPhase> phase = engine.UpdateCheck(update_, now);
    if (!phase.ok()) return io.Fail(ExitCodeFor(phase.status()), phase.status().message());
    PrintOutcomes({{"Workload", name, Consequence(*phase)}}, output_ == "json", io);
    return kDone;
  }

 private:
  int ReadWords(Io& io) {
    std::vector<Key> keys;
    if (const int code = ParseKeys({workload_}, ns_, "check", io, &keys); code != kDone) {
      return code;
    }
    if (keys.size() > 1) return io.Fail(kWrongUse, "check: name one workload");
    update_.workload = keys.front();
    if (const auto wrong = ReadRun(run_, &update_.run)) return io.Fail(kWrongUse, "check" + *wrong);
    const std::optional<CheckState> state = StateNamed(state_);
    if (!state) {
      return io.Fail(kWrongUse, "check: '" + state_ +
                                    "' is no state; write pending, ready, retry or rejected");
    }
    update_.state = *state;
    if (!requeue_after_.empty()) {
      std::int32_t seconds = 0;
      const char* const end = requeue_after_.data() + requeue_after_.size();
      const auto read = std::from_chars(requeue_after_.data(), end, seconds);
      if (read.ec != std::errc() || read.ptr != end || seconds < 0 ||
          update_.state != CheckState::kRetry) {
        return io.Fail(kWrongUse, "check: --requeue-after takes whole seconds and goes with retry");
      }
      update_.requeue_after_seconds = seconds;
    }
    return pods_file_.empty() ? static_cast<int>(kDone) : ReadPods(io);
  }

  int ReadPods(Io& io) {
    std::vector<manifest::Source> sources;
    if (const int code = ReadSources({pods_file_}, io, &sources); code != kDone) return code;
    return Report(manifest::ParsePodSetUpdates(sources.front(), &update_.pod_set_updates), sources,
                  "the ledger was not told", io);
  }

  std::string workload_;
  std::string state_;
  std::string ns_;
  std::string run_;
  std::string requeue_after_;
  std::string pods_file_;
  CheckUpdate update_;
  LedgerFlags ledger_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeCheck() { return std::make_unique<CheckCommand>(); }

}  // namespace muster::cli
