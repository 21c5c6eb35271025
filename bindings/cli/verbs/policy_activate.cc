// muster policy activate and rollback: another policy decides from the next cycle on.
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bindings/cli/author/packages.h"
#include "bindings/cli/command.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/package_folder.h"
#include "bindings/cli/world/policy_words.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/open_store.h"
#include "bindings/cpp/policy_history.h"
#include "bindings/cpp/stored_policies.h"
#include "bindings/lab/read.h"
#include "bindings/lab/specs.h"
#include "bindings/trees/all_trees.h"
#include "db/store.h"
#include "muster/live_batch.h"
#include "muster/muster.h"

namespace muster::cli {
namespace {

constexpr std::size_t kShownHash = 12;
constexpr std::size_t kTrialItems = 10'000;  // of a hook

/// Parameters from the first PolicyBinding that names the package.
PolicyParams ParamsFor(const Engine& engine, const std::string& package) {
  for (const Object& object : lab::Read(engine.Objects(ObjectKind::kPolicyBinding))) {
    const auto& binding = std::get<PolicyBinding>(object);
    if (binding.policy == package) return binding.params;
  }
  return {};
}

/// Where MUSTER_SERVER names a service, other verbs go there.
void WarnOfService(std::string_view verb, const std::string& db, Io& io) {
  if (io.server.empty()) return;
  io.Warn("MUSTER_SERVER is set, and " + std::string(verb) + " works on the ledger " + db +
          " here; a service takes packages from the folder of its --policies");
}

Result<PolicyHistory> ReadHistory(const StoredHistory& ledger) {
  PolicyHistory history;
  const Status status =
      ledger.ReadEvents([&history](const CommitRecord& commit) { return history.Add(commit); });
  if (!status.ok()) return status;
  return history;
}

class PolicyActivate : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "policy activate",
        .group = "Policies",
        .summary = "a package decides from the next cycle on",
        .usage = "PACKAGE --db LEDGER [--why TEXT] [--untested]",
        .about =
            "Checks a package folder, runs its own specs and goldens as `policy test` does, asks "
            "its hooks about what waits and runs in the ledger now, stores it whole and makes it "
            "the active generation of its package. What does not pass is refused and changes "
            "nothing. The folder is not needed any more: reopening loads the stored files. "
            "Parameters come from the ledger's first PolicyBinding that names the package. Without "
            "any PolicyBinding its hooks decide for every queue; hooks that it lacks stay with the "
            "packages that decided them. What decides no longer is said. Activating what is active "
            "already changes nothing.",
        .examples = {{"Small jobs first, from now on",
                      "muster policy activate policies/small-first --db cluster.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Required("PACKAGE", &folder_, "The package's folder.");
    ledger_.Declare(flags);
    flags.Text("--why", "TEXT", &why_, "A reason, kept with the change.");
    flags.Switch("--all-trees", &all_trees_,
                 "For every ledger of the database that --db names without a #: each takes it by "
                 "itself, without parameters, as objects of muster apply --all-trees.");
    flags.Switch("--untested", &untested_,
                 "Without its own tests and the trial on the ledger: when it must decide at once.");
  }

  /// It is tried on no ledger; each asks it about its own once it is active.
  int ForAllTrees(const std::string& name, Io& io) const {
    if (!IsDatabase(ledger_.db) || ledger_.db.find('#') != std::string::npos) {
      return io.Fail(kWrongUse,
                     "policy activate: --all-trees is for all ledgers of a database; write --db "
                     "postgresql://USER@HOST/DATABASE, without a # and a name");
    }
    std::string doubt;
    const Status tested = untested_ ? Status::Ok() : lab::RunOwnTests(folder_, &doubt);
    if (!tested.ok()) return io.Fail(kNo, tested.message());
    Result<StoredPolicy> stored = ReadPolicyFolder(folder_, {});
    if (!stored.ok()) return io.Fail(ExitCodeFor(stored.status()), stored.status().message());
    const std::string hash = stored->hash;
    const Result<std::int64_t> number = AddForAll(ledger_.db, {"", *std::move(stored)});
    if (!number.ok()) return io.Fail(ExitCodeFor(number.status()), number.status().message());
    if (!doubt.empty()) io.Warn("policy " + name + " is not tested: " + doubt);
    io.out << "policy " << name << '@' << hash.substr(0, kShownHash) << " number " << *number
           << " of all ledgers\n";
    return kDone;
  }

  int Run(Io& io) override {
    while (folder_.size() > 1 && folder_.ends_with('/')) folder_.pop_back();
    const Result<std::shared_ptr<Policy>> policy = LoadPolicy(folder_);
    if (!policy.ok()) return FailPackage(policy.status(), io);
    WarnOfService(info().name, ledger_.db, io);
    const std::string name = (*policy)->info().name;
    if (all_trees_) return ForAllTrees(name, io);
    std::unique_ptr<DurableEngine> opened;
    TimeNs now = kNoTime;
    // Before the ledger is locked: they may take some seconds.
    std::string doubt;
    const Status tested = untested_ ? Status::Ok() : lab::RunOwnTests(folder_, &doubt);
    if (const int code = OpenLedger(ledger_, io, &opened, &now); code != kDone) return code;
    const PolicyParams params = ParamsFor(opened->engine(), name);
    const Result<StoredPolicy> stored = ReadPolicyFolder(folder_, params);
    if (!stored.ok()) return io.Fail(ExitCodeFor(stored.status()), stored.status().message());
    const Result<PolicyHistory> history = ReadHistory(opened->ledger());
    if (!history.ok()) return FailLedger(history.status(), ledger_.db, io);
    const bool active = !history->steps().empty() && history->steps().back().hash == stored->hash;
    if (!active) {
      if (const auto source = luajit::ReadPackage(folder_); source.ok()) WarnOfDoubts(*source, io);
      const Status tried = tested.ok() ? Try(**policy, params, opened->engine()) : tested;
      if (!tried.ok()) {
        const PolicyChange change = {UserName(), why_.empty() ? "policy activate" : why_};
        const Status noted =
            opened->engine().NoteStaged(name, stored->hash, tried.message(), change, now);
        return io.Fail(kNo, (noted.ok() ? tried : noted).message());
      }
      std::vector<StoppedHook> stopped;
      const Status status =
          opened->ActivatePolicy(folder_, now, params, {UserName(), why_}, &stopped);
      if (!status.ok()) return io.Fail(ExitCodeFor(status), status.message());
      WarnOfActivation(opened->engine(), name, stopped, io);
      if (!doubt.empty()) io.Warn("policy " + name + " is not tested: " + doubt);
    }
    io.out << "policy " << name << '@' << stored->hash.substr(0, kShownHash)
           << (active ? " unchanged" : " activated") << '\n';
    return kDone;
  }

 private:
  /// Its hooks on what the ledger holds.
  Status Try(Policy& policy, const PolicyParams& params, const Engine& engine) const {
    if (untested_) return Status::Ok();
    const std::vector<LiveBatch> batches =
        lab::Read(engine.LiveBatches(policy.info(), kTrialItems));
    if (params.empty()) return DryCall(policy, batches);
    const Result<std::shared_ptr<Policy>> with_params = policy.WithParams(params);
    if (!with_params.ok()) return with_params.status();
    return DryCall(**with_params, batches);
  }

  std::string folder_;
  std::string why_;
  bool all_trees_ = false;
  bool untested_ = false;
  LedgerFlags ledger_;
};

class PolicyRollback : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "policy rollback",
        .group = "Policies",
        .summary = "undo the newest activation",
        .usage = "--db LEDGER [--why TEXT]",
        .about =
            "What decided before the newest activation decides again from the next cycle on: the "
            "generation before it, or the built-in rules. Can be repeated, one activation at a "
            "time.",
        .examples = {{"It was a mistake", "muster policy rollback --db cluster.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    ledger_.Declare(flags);
    flags.Text("--why", "TEXT", &why_, "A reason, kept with the change.");
  }

  int Run(Io& io) override {
    WarnOfService(info().name, ledger_.db, io);
    std::unique_ptr<DurableEngine> opened;
    TimeNs now = kNoTime;
    if (const int code = OpenLedger(ledger_, io, &opened, &now); code != kDone) return code;
    const Result<PolicyHistory> history = ReadHistory(opened->ledger());
    if (!history.ok()) return FailLedger(history.status(), ledger_.db, io);
    const Status status = opened->RollBackPolicy(now, {UserName(), why_});
    if (!status.ok()) return io.Fail(ExitCodeFor(status), status.message());
    const PolicyStep& undone = history->steps().back();
    io.out << "policy " << undone.package << '@' << undone.hash.substr(0, kShownHash)
           << " rolled back; ";
    const std::vector<PolicyInfo> active = lab::Read(opened->engine().Policies());
    if (active.empty()) io.out << "the built-in rules decide";
    for (std::size_t i = 0; i < active.size(); ++i) {
      io.out << (i == 0 ? "active: " : ", ") << active[i].name << '@'
             << active[i].hash.substr(0, kShownHash);
    }
    io.out << '\n';
    return kDone;
  }

 private:
  std::string why_;
  LedgerFlags ledger_;
};

}  // namespace

std::unique_ptr<Command> MakePolicyActivate() { return std::make_unique<PolicyActivate>(); }
std::unique_ptr<Command> MakePolicyRollback() { return std::make_unique<PolicyRollback>(); }

}  // namespace muster::cli
