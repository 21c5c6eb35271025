// muster submit: jobs into the queues of a ledger, all or nothing.
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "bindings/cli/command.h"
#include "bindings/cli/progress.h"
#include "bindings/cli/show/outcomes.h"
#include "bindings/cli/world/examined_past.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/load.h"
#include "bindings/cli/world/policy_words.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/send.h"
#include "bindings/eta/examine.h"
#include "bindings/lab/diagnose.h"
#include "bindings/lab/lint/lint.h"
#include "engine/model/expected_run.h"

namespace muster::cli {
namespace {

class Submit : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "submit",
        .group = "Begin",
        .summary = "queue jobs, all or nothing",
        .usage = "-f FILE... --db LEDGER [--quiet] [-o table|json]",
        .about =
            "Queues Jobs and Workloads in a ledger and says what became of each. One mistake "
            "anywhere and nothing is queued. When it returns they are on disk. Submitting the same "
            "job again changes nothing and says so. Under the name of a job that waits, another "
            "one replaces it; under that of one which holds quota or has ended, it is refused: "
            "`muster cancel` forgets the old one. With --expect each job that does not say how "
            "long it will run gets what jobs like it ran in this ledger, as label "
            "muster.dev/expected-run, which policies may read.",
        .examples = {{"A folder of jobs", "muster submit -f jobs/ --db cluster.ledger"},
                     {"From a program", "cat job.yaml | muster submit -f - --db cluster.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    input_.Declare(flags);
    flags.Rest(&input_.files);
    ledger_.Declare(flags);
    flags.Switch("--expect", &expect_,
                 "Say of each job how long jobs like it ran, where it does not say.");
    flags.Switch("--quiet", &quiet_, kQuietDoc);
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A line per job, or JSON.");
  }

  const std::vector<std::string_view>* ServiceFlags() const override { return &kSendFlags; }

  int Ask(const Service& service, Io& io) override {
    return SendTo(service, {"submit", input_.files, kConsequence, output_ == "json", quiet_}, io);
  }

  int Run(Io& io) override {
    if (quiet_) io.hidden_warnings = 0;
    std::unique_ptr<DurableEngine> opened;
    TimeNs now = kNoTime;
    Loaded loaded;
    int code = ReadLedgerFlags(ledger_, io, &now);
    // Before the ledger is locked: others need it while input is typed.
    if (code == kDone) code = ReadSources(input_.files, io, &loaded.sources);
    std::unique_ptr<HistoryReader> history;
    std::unique_ptr<eta::Examiner> past;
    if (code == kDone && expect_) code = OpenMoment(ledger_.db, io, &history);
    if (code == kDone && expect_) code = ExaminePast(*history, ledger_.db, 0, {}, io, &past);
    if (code == kDone) code = OpenLedger(ledger_, io, &opened, &now);
    if (code != kDone) return code;
    code = LoadSources(input_, lab::References::kMustBeStored, kConsequence, io, &loaded,
                       opened->engine());
    if (code != kDone) return code;
    code = Report(Others(loaded.manifests), loaded.sources, kConsequence, io);
    if (code != kDone) return code;
    std::vector<Applied> applied;
    std::vector<Object>& objects = loaded.manifests.objects;
    for (Object& object : objects) {
      if (past != nullptr)
        Expect(past->record().runs(), opened->engine(), &std::get<Workload>(object));
    }
    if (objects.empty() && loaded.manifests.updates.empty()) {
      return io.Fail(kNo, "there is no job in what was read; nothing was submitted");
    }
    std::vector<PolicyFailure> failures;
    std::vector<Warning> warnings;
    Status status = [&] {
      Progress progress(io);
      progress.ShowStoring(objects.size());
      return opened->engine().Apply(objects, now, MissingReference::kRefuse, &applied,
                                    Submission::kAsk, &failures, &warnings);
    }();
    if (status.ok()) {
      status = manifest::Follow(&opened->engine(), loaded.manifests, now, &applied);
    }
    if (!status.ok()) {
      const ExitCode refused = ExitCodeFor(status);
      return io.Fail(refused, status.message() + (refused == kNo ? "; nothing was submitted" : ""));
    }
    Report(lab::LintApplied(loaded.manifests, opened->engine()), loaded.sources, "", io);
    Report(lab::LintEnded(loaded.manifests, opened->engine(), warnings), loaded.sources, "", io);
    Report(lab::Located(loaded.manifests, warnings), loaded.sources, "", io);
    WarnOfSubmit(failures, "", io);
    PrintApplied({ApplyOutcomes(objects, applied, failures)}, output_ == "json", quiet_, io);
    return kDone;
  }

 private:
  static constexpr std::string_view kConsequence = "nothing was submitted";

  /// What was said of it before stays: a job that is submitted again is the same one.
  static void Expect(const eta::RunTimes& runs, const Engine& engine, Workload* job) {
    const Result<WorkloadView> known = engine.GetWorkload(job->key);
    if (known.ok()) {
      const LabelMap& said = known->spec.labels;
      const auto run = said.find(kExpectedRunLabel);
      if (run != said.end() && !std::as_const(job->labels).contains(kExpectedRunLabel)) {
        job->labels[run->first] = run->second;
      }
    }
    SayExpectedRun(runs, job);
  }

  /// What is not a job.
  static std::vector<manifest::Diagnostic> Others(const manifest::Manifests& manifests) {
    std::vector<manifest::Diagnostic> others;
    for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
      if (std::holds_alternative<Workload>(manifests.objects[i])) continue;
      others.push_back(
          {manifest::Severity::kError, manifests.PlaceOf(i, "kind"),
           "a " + std::string(KindName(KindOf(manifests.objects[i]))) + " cannot be submitted",
           "use muster apply"});
    }
    if (manifests.scenario) {
      others.push_back({manifest::Severity::kError, manifests.scenario->place,
                        "a Scenario cannot be submitted", "use muster schedule or muster test"});
    }
    return others;
  }

  InputFlags input_;
  LedgerFlags ledger_;
  bool expect_ = false;
  bool quiet_ = false;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeSubmit() { return std::make_unique<Submit>(); }

}  // namespace muster::cli
