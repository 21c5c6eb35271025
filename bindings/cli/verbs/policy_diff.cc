// muster policy diff: what two packages decide differently, and for which jobs.
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/author/decider.h"
#include "bindings/cli/author/packages.h"
#include "bindings/cli/author/recorded_diff_view.h"
#include "bindings/cli/command.h"
#include "bindings/cli/json.h"
#include "bindings/cli/table.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/load.h"
#include "bindings/cli/world/play.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/open_store.h"
#include "bindings/lab/decision_diff.h"
#include "bindings/lab/diagnose.h"
#include "bindings/lab/player.h"
#include "bindings/lab/read.h"
#include "bindings/lab/recorded_diff.h"
#include "bindings/lab/words.h"
#include "db/store.h"

namespace muster::cli {
namespace {

constexpr std::size_t kMaxCycles = 10'000;

class PolicyDiff : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "policy diff",
        .group = "Prove",
        .summary = "show which decisions differ between two policy packages",
        .usage = "A B -f FILE... | --db LEDGER [--recorded]",
        .about =
            "Plays the same manifests, with their Scenario when they have one, once under each "
            "package and lists every workload that starts at another time or place, or is "
            "preempted more or less often. With --db it goes on from the state of a ledger until "
            "nothing changes. With --db and --recorded it goes through the ledger's past: wherever "
            "cycles were run, it asks what each package would have started and evicted in the "
            "cluster as it was then. The ledger stays as it is. `native` stands for the engine's "
            "own rules, `active` for the policies that the ledger has, or had then, NAME@HASH for "
            "a "
            "generation that it has stored. Exit code 0 whether or not something differs.",
        .examples = {{"Which jobs start earlier, which later?",
                      "muster policy diff native policies/small-first -f examples/gpu-preemption"},
                     {"What would change tonight?",
                      "muster policy diff active policies/small-first --db cluster.ledger"},
                     {"Which would have fared differently last week?",
                      "muster policy diff active policies/small-first --db cluster.ledger "
                      "--recorded"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Required("A", &packages_[0], "A package's folder, native, active or NAME@HASH.");
    flags.Required("B", &packages_[1], "The one to compare it with.");
    input_.Declare(flags);
    flags.Text("--db", "LEDGER", &play_.db, "Begin with the state of this ledger.");
    flags.Switch("--recorded", &recorded_, "Compare the decisions of the ledger's past instead.");
    flags.Text("--now", "TIME", &play_.now, "What time it is, in RFC 3339. Default: now.");
    flags.Choice("-o,--output", &output_, {"table", "json"}, "How to print. Default: table.");
  }

  int Run(Io& io) override {
    if (input_.files.empty() == play_.db.empty()) {
      return io.Fail(kWrongUse, "policy diff: name manifests with -f, or a ledger with --db");
    }
    if (recorded_ && play_.db.empty()) {
      return io.Fail(kWrongUse, "policy diff: --recorded needs a ledger; name it with --db");
    }
    for (const std::string& package : packages_) {
      if (package != lab::kActiveWord || !play_.db.empty()) continue;
      return io.Fail(kWrongUse,
                     "policy diff: `active` are the policies of a ledger; name it with "
                     "--db, or write native");
    }
    if (recorded_) return CompareRecorded(io);
    std::unique_ptr<HistoryReader> moment;  // the same for both
    if (!play_.db.empty()) {
      if (const int code = OpenMoment(play_.db, io, &moment); code != kDone) return code;
    }
    std::vector<lab::CycleOutcome> runs[2];
    for (int i : {0, 1}) {
      const int code = moment ? RunLedger(*moment, packages_[i], io, &runs[i])
                              : RunManifests(packages_[i], io, &runs[i]);
      if (code != kDone) return code;
    }
    const lab::DecisionDiff diff = lab::CompareRuns(runs[0], runs[1]);
    if (output_ == "json") {
      PrintAsJson(diff, io);
    } else {
      PrintAsTable(diff, io);
    }
    return kDone;
  }

 private:
  int CompareRecorded(Io& io) {
    std::array<lab::Decider, 2> deciders;
    for (const std::size_t i : {0U, 1U}) {
      const int code = ReadDecider(packages_[i], play_.db, io, &deciders[i]);
      if (code != kDone) return code;
    }
    const Result<std::unique_ptr<HistoryReader>> ledger = OpenHistory(play_.db);
    if (!ledger.ok()) return FailLedger(ledger.status(), play_.db, io);
    const Result<lab::RecordedDiff> diff = lab::DiffRecorded(**ledger, deciders);
    if (!diff.ok()) return io.Fail(ExitCodeFor(diff.status()), diff.status().message());
    const std::array<std::string, 2> names = {packages_[0], packages_[1]};
    if (output_ == "json") {
      PrintJson(io.out, RecordedDiffJson(*diff, names));
    } else {
      PrintRecordedDiff(*diff, names, io);
    }
    return kDone;
  }

  int RunManifests(const std::string& package, Io& io, std::vector<lab::CycleOutcome>* cycles) {
    Loaded loaded;
    const int code = Load(input_, lab::References::kAsKueue, "nothing was played", io, &loaded);
    if (code != kDone) return code;
    PlayFlags flags = play_;
    if (package != lab::kNativeWord) flags.policies = {package};
    flags.until_idle = !loaded.manifests.scenario.has_value();
    World world;
    return Play(loaded, flags, io, &world, lab::KeepIn(cycles));
  }

  int RunLedger(const HistoryReader& moment, const std::string& package, Io& io,
                std::vector<lab::CycleOutcome>* cycles) {
    Engine engine;
    TimeNs now = kNoTime;
    if (int code = ReadState(moment, play_.db, io, &engine); code != kDone) return code;
    if (int code = ReadTime(play_.now, io, &now); code != kDone) return code;
    lab::Decider decider;
    if (int code = ReadDecider(package, play_.db, io, &decider); code != kDone) return code;
    Status status = PutToWork(decider, now, engine);
    lab::Player player(engine, now, lab::KeepIn(cycles));
    // Jobs told to leave before the first cycle are no different from those that a cycle tells.
    if (status.ok()) status = player.CompleteEvictions().status();
    if (status.ok()) status = player.RunUntilIdle(kMaxCycles, lab::Evictions::kComplete).status();
    return status.ok() ? static_cast<int>(kDone) : io.Fail(ExitCodeFor(status), status.message());
  }

  void PrintAsTable(const lab::DecisionDiff& diff, Io& io) const {
    if (!diff.differences.empty()) {
      Table table({"WORKLOAD", "CLUSTERQUEUE", LastPart(packages_[0]), LastPart(packages_[1])});
      for (const lab::Difference& each : diff.differences) {
        table.Add({each.workload, each.cluster_queue, each.before, each.after});
      }
      table.Print(io.out, io.paint);
      io.out << '\n';
    }
    io.out << lab::Counted(diff.differences.size(), "workload") << " fared differently, "
           << diff.same << " alike; starts " << diff.starts_before << " and " << diff.starts_after
           << ", preemptions " << diff.preemptions_before << " and " << diff.preemptions_after
           << '\n';
  }

  void PrintAsJson(const lab::DecisionDiff& diff, Io& io) const {
    Json list = Json::array();
    for (const lab::Difference& each : diff.differences) {
      list.push_back({{"workload", each.workload},
                      {"clusterQueue", each.cluster_queue},
                      {"a", each.before},
                      {"b", each.after}});
    }
    PrintJson(io.out,
              {{"a", packages_[0]},
               {"b", packages_[1]},
               {"differences", std::move(list)},
               {"same", diff.same},
               {"starts", {{"a", diff.starts_before}, {"b", diff.starts_after}}},
               {"preemptions", {{"a", diff.preemptions_before}, {"b", diff.preemptions_after}}}});
  }

  std::string packages_[2];
  bool recorded_ = false;
  InputFlags input_;
  PlayFlags play_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakePolicyDiff() { return std::make_unique<PolicyDiff>(); }

}  // namespace muster::cli
