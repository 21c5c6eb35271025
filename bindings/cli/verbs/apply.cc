// muster apply: loads objects into an engine, all or nothing.
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/progress.h"
#include "bindings/cli/show/outcomes.h"
#include "bindings/cli/show/what_if_view.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/load.h"
#include "bindings/cli/world/policy_words.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/send.h"
#include "bindings/lab/diagnose.h"
#include "bindings/lab/lint/lint.h"
#include "bindings/lab/read.h"
#include "bindings/lab/what_if.h"
#include "muster/queue_owner.h"

namespace muster::cli {
namespace {

class Apply : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "apply",
        .group = "Begin",
        .summary = "load objects, all or nothing; a Job among them is submitted",
        .usage = "-f FILE... [--db LEDGER] [--dry-run] [--quiet] [--allow-missing] [-o table|json]",
        .about =
            "Loads Kueue objects (v1beta1 and v1beta2), Namespaces, Jobs and Muster's own kinds "
            "into an engine and says what became of each. One mistake anywhere and nothing is "
            "applied. With --db the engine is a ledger's, created if there is none: what was "
            "applied is on disk when the verb returns, and applying it again changes nothing and "
            "says so. Without --db nothing is kept: it shows that the set is accepted. Of "
            "several objects the totals by kind come last; --quiet prints nothing else.\n"
            "With --dry-run the ledger is only read. The change is applied to a copy of its state, "
            "then cycles run until idle on this copy and on one without the change, with the pods "
            "of evicted jobs gone at once. What differs is listed: jobs that start, start "
            "elsewhere, stay, leave, restart or wait only with the change. Both copies are in "
            "memory: 100,000 jobs take about 200 MB and a few seconds.",
        .examples = {
            {"What would this change do to the jobs?",
             "muster apply --dry-run -f cluster/team-a.yaml --db cluster.ledger"},
            {"Would this set be accepted?", "muster apply -f cluster/ -f jobs.yaml"},
            {"Begin a ledger", "muster apply -f cluster/ --db cluster.ledger"},
            {"For a team that owns a queue",
             "muster apply -f binding.yaml --owner-of team-a-cq --db cluster.ledger"},
            {"Queues first, flavors later", "muster apply -f queues.yaml --allow-missing"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    input_.Declare(flags);
    flags.Rest(&input_.files);
    flags.Switch("--allow-missing", &allow_missing_,
                 "A reference to something that is not there is a warning; the object is inactive "
                 "until it appears.");
    flags.Switch("--dry-run", &dry_run_,
                 "Change nothing; say which jobs of the ledger would fare differently.");
    flags.Text("--owner-of", "QUEUE", &owner_of_,
               "Apply for a user who may edit only this ClusterQueue: PolicyBindings of "
               "queue_order, flavor_order, hold and submit there, and nothing else. "
               "NAMESPACE/NAME is a LocalQueue, whose owner orders its jobs among themselves.");
    ledger_.Declare(flags);
    flags.Switch("--quiet", &quiet_, kQuietDoc);
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A line per object, or JSON.");
  }

  const std::vector<std::string_view>* ServiceFlags() const override { return &kSendFlags; }

  int Ask(const Service& service, Io& io) override {
    return SendTo(service,
                  {"apply", input_.files, "nothing was applied", output_ == "json", quiet_}, io);
  }

  int Run(Io& io) override {
    if (quiet_) io.hidden_warnings = 0;
    TimeNs now = kNoTime;
    if (int code = ReadTime(ledger_.now, io, &now); code != kDone) return code;
    if (dry_run_ && ledger_.db.empty()) {
      return io.Fail(kWrongUse,
                     "--dry-run needs --db LEDGER; without a ledger nothing is kept anyway");
    }
    // Before the ledger is locked: others need it while input is typed.
    Loaded loaded;
    if (int code = ReadSources(input_.files, io, &loaded.sources); code != kDone) return code;
    if (int code = ReadTime(ledger_.now, io, &now); code != kDone) return code;
    if (dry_run_) return DryRun(&loaded, now, io);
    Engine in_memory;
    std::unique_ptr<DurableEngine> opened;
    // Looked at before a ledger begins, so that a refusal leaves none.
    const bool begins = ledger_.db.empty() || !IsThere(ledger_.db);
    int code = begins ? Check(in_memory, &loaded, io) : int{kDone};
    if (code == kDone && !ledger_.db.empty()) {
      code =
          OpenLedger(ledger_.db, NewLedger::kCreate, now, ledger_.force, ledger_.wait, io, &opened);
    }
    if (code == kDone && !begins) code = Check(opened->engine(), &loaded, io);
    AppliedReport report;
    if (code == kDone) {
      code = ApplyTo(opened ? opened->engine() : in_memory, loaded, now, io, &report);
    }
    if (code == kDone) PrintApplied(report, output_ == "json", quiet_, io);
    return code;
  }

 private:
  /// Whether what was read can be applied to `engine`, and what is to be said about it before.
  int Check(const Engine& engine, Loaded* read, Io& io) const {
    Loaded& loaded = *read;
    const lab::References references =
        allow_missing_ ? lab::References::kMayBeMissing : lab::References::kMustExist;
    int code = LoadSources(input_, references, "nothing was applied", io, &loaded, engine);
    if (code != kDone) return code;
    std::vector<manifest::Diagnostic> advice = lab::LintBeforeApply(loaded.manifests, engine);
    if (loaded.manifests.scenario) {
      advice.push_back({manifest::Severity::kError, loaded.manifests.scenario->place,
                        "a Scenario cannot be applied", "use muster schedule or muster test"});
    }
    code = Report(std::move(advice), loaded.sources, "nothing was applied", io);
    if (code != kDone) return code;
    if (loaded.manifests.objects.empty() && loaded.manifests.diagnostics.empty()) {
      return io.Fail(kNo, "there is no object in what was read; nothing was applied");
    }
    return owner_of_.empty() ? int{kDone} : MayOwnerApply(loaded, engine, io);
  }

  /// All but the printing of what was done.
  int ApplyTo(Engine& engine, const Loaded& loaded, TimeNs now, Io& io, AppliedReport* report) {
    const std::vector<Key> evicting = lab::Read(engine.Evicting());
    std::vector<Applied> applied;
    const std::vector<Object>& objects = loaded.manifests.objects;
    const DecidingHooks before = Deciding(engine);
    std::vector<PolicyFailure> failures;
    std::vector<Warning> warnings;
    Status status = [&] {
      Progress progress(io);
      progress.ShowStoring(objects.size());
      return engine.Apply(objects, now,
                          allow_missing_ ? MissingReference::kAccept : MissingReference::kRefuse,
                          &applied, Submission::kAsk, &failures, &warnings);
    }();
    if (status.ok()) status = manifest::Follow(&engine, loaded.manifests, now, &applied);
    if (!status.ok()) {
      const ExitCode refused = ExitCodeFor(status);
      return io.Fail(refused, status.message() + (refused == kNo ? "; nothing was applied" : ""));
    }
    if (!ledger_.db.empty()) WarnOfBindings(engine, objects, before, io);
    Report(lab::LintApplied(loaded.manifests, engine), loaded.sources, "", io);
    Report(lab::Located(loaded.manifests, warnings), loaded.sources, "", io);
    WarnOfSubmit(failures, "", io);
    report->outcomes = ApplyOutcomes(objects, applied, failures);
    // Those of a dry run are among the jobs that fare differently.
    if (!dry_run_) {
      report->leaving = AddEvictions(evicting, lab::Read(engine.Evicting()), &report->outcomes);
    }
    return kDone;
  }

  int DryRun(Loaded* loaded, TimeNs now, Io& io) {
    std::pair<Engine, Engine> engines;
    int code = ReadStateTwice(ledger_.db, now, ledger_.force, io, &engines);
    if (code != kDone) return code;
    auto& [without, with] = engines;
    const std::set<Key> held = lab::Holders(without);
    AppliedReport report;
    if (code = Check(with, loaded, io); code != kDone) return code;
    if (code = ApplyTo(with, *loaded, now, io, &report); code != kDone) return code;
    const lab::Course old_course = lab::RunCourse(without, now, held);
    without = Engine();  // its memory is free for the other one
    const lab::Course course = lab::RunCourse(with, now, held);
    WarnOfCourses(old_course, course, io);
    const lab::WhatIf what_if = Compare(old_course, course);
    if (output_ == "json") {
      PrintJson(io.out, DryRunJson(report, what_if, io));
      return kDone;
    }
    PrintApplied(report, /*json=*/false, quiet_, io);
    io.out << '\n';
    PrintWhatIf(what_if, quiet_, io);
    return kDone;
  }

  Json DryRunJson(const AppliedReport& report, const lab::WhatIf& what_if, const Io& io) const {
    Json json = {{"dryRun", true}, {"totals", TotalsJson(report.outcomes)}};
    if (quiet_) {
      json["warnings"] = io.hidden_warnings.value_or(0);
    } else {
      json["objects"] = OutcomesJson(report.outcomes);
      json["changes"] = WhatIfJson(what_if);
    }
    json["different"] = what_if.changes.size();
    json["same"] = what_if.same;
    return json;
  }

  int MayOwnerApply(const Loaded& loaded, const Engine& engine, Io& io) const {
    const std::vector<Problem> problems =
        lab::Read(CheckQueueOwner(engine, loaded.manifests.objects, owner_of_));
    return Report(manifest::Locate(loaded.manifests, problems, manifest::Severity::kError),
                  loaded.sources, "nothing was applied", io);
  }

  InputFlags input_;
  bool allow_missing_ = false;
  bool dry_run_ = false;
  bool quiet_ = false;
  std::string owner_of_;
  LedgerFlags ledger_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeApply() { return std::make_unique<Apply>(); }

}  // namespace muster::cli
