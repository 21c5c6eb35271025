// muster apply: loads objects into an engine, all or nothing.
#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/lint/lint.h"
#include "bindings/cli/show/outcomes.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/load.h"
#include "bindings/cli/world/policy_words.h"
#include "bindings/cli/world/read.h"
#include "bindings/cli/world/report.h"
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
        .usage = "-f FILE... [--db LEDGER] [--allow-missing] [--owner-of QUEUE] [-o table|json]",
        .about =
            "Loads Kueue objects (v1beta1 and v1beta2), Namespaces, Jobs and Muster's own kinds "
            "into an engine and says what became of each. One mistake anywhere and nothing is "
            "applied. With --db the engine is a ledger's, created if there is none: what was "
            "applied is on disk when the verb returns, and applying it again changes nothing and "
            "says so. Without --db nothing is kept: it shows that the set is accepted.",
        .examples = {
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
    flags.Text("--owner-of", "QUEUE", &owner_of_,
               "Apply for somebody who may edit only this ClusterQueue: PolicyBindings of "
               "queue_order, flavor_order and submit there, and nothing else.");
    ledger_.Declare(flags);
    flags.Choice("-o,--output", &output_, {"table", "json"}, "A line per object, or JSON.");
  }

  int Run(Io& io) override {
    TimeNs now = kNoTime;
    int code = ReadTime(ledger_.now, io, &now);
    if (code != kDone) return code;
    Engine in_memory;
    std::unique_ptr<DurableEngine> opened;
    if (!ledger_.db.empty())
      code = OpenLedger(ledger_.db, NewLedger::kCreate, now, ledger_.force, io, &opened);
    if (code != kDone) return code;
    Engine& engine = opened ? opened->engine() : in_memory;
    Loaded loaded;
    const References references =
        allow_missing_ ? References::kMayBeMissing : References::kMustExist;
    code = Load(input_, references, "nothing was applied", io, &loaded, engine);
    if (code != kDone) return code;
    std::vector<manifest::Diagnostic> advice = LintNames(loaded.manifests, engine);
    for (const auto& more : {LintUnread(loaded.manifests), LintNotDecided(loaded.manifests)}) {
      advice.insert(advice.end(), more.begin(), more.end());
    }
    Report(std::move(advice), loaded.sources, "", io);
    if (!owner_of_.empty()) code = MayOwnerApply(loaded, engine, io);
    if (code != kDone) return code;
    const std::vector<Key> evicting = Read(engine.Evicting());
    std::vector<Applied> applied;
    const std::vector<Object>& objects = loaded.manifests.objects;
    const DecidingHooks before = Deciding(engine);
    const Status status = engine.Apply(
        objects, now, allow_missing_ ? MissingReference::kAccept : MissingReference::kRefuse,
        &applied);
    if (!status.ok()) return io.Fail(ExitCodeFor(status), status.message());
    if (opened) WarnOfBindings(engine, objects, before, io);
    Report(LintNeverFits(loaded.manifests, engine), loaded.sources, "", io);
    std::vector<ObjectOutcome> outcomes = ApplyOutcomes(objects, applied);
    const std::size_t leaving = AddEvictions(evicting, engine, &outcomes);
    PrintOutcomes(outcomes, output_ == "json", io, leaving);
    return kDone;
  }

 private:
  int MayOwnerApply(const Loaded& loaded, const Engine& engine, Io& io) const {
    const std::vector<Problem> problems =
        Read(CheckQueueOwner(engine, loaded.manifests.objects, owner_of_));
    return Report(manifest::Locate(loaded.manifests, problems, manifest::Severity::kError),
                  loaded.sources, "nothing was applied", io);
  }

  InputFlags input_;
  bool allow_missing_ = false;
  std::string owner_of_;
  LedgerFlags ledger_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeApply() { return std::make_unique<Apply>(); }

}  // namespace muster::cli
