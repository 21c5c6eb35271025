// muster delete: one object leaves a ledger.
#include <optional>
#include <string>

#include "bindings/cli/command.h"
#include "bindings/cli/kinds.h"
#include "bindings/cli/show/outcomes.h"
#include "bindings/cli/verbs/object_name.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/service.h"
#include "bindings/cli/world/workload_names.h"
#include "bindings/lab/door.h"
#include "bindings/lab/near_names.h"
#include "bindings/lab/read.h"
#include "engine/model/kinds.h"

namespace muster::cli {
namespace {

class Delete : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "delete",
        .group = "Begin",
        .summary = "remove an object from a ledger",
        .usage = "KIND NAME --db LEDGER [-n NAMESPACE] [--force]",
        .about =
            "Removes one object. It is refused while another object names it and, of a "
            "ClusterQueue, while jobs hold its quota; with --force what named it waits for its "
            "return, and jobs that hold quota of a queue go on uncharged. As in Kueue, a flavor "
            "that no queue names may go while jobs run on it, and a priority class at any time: "
            "workloads keep the priority that they got from it. Deleting a workload is `muster "
            "cancel`. NAME may be NAMESPACE/NAME.",
        .examples = {{"A queue that is not used any more",
                      "muster delete clusterqueue team-a --db cluster.ledger"},
                     {"A LocalQueue", "muster delete lq research/batch --db cluster.ledger"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Required(
        "KIND", &kind_,
        "What to delete: " + ListKinds(KindsOf::kObjects) + ", or any kind of manifest.");
    flags.Required("NAME", &name_, "Its name, or NAMESPACE/NAME.");
    flags.Text("-n,--namespace", "NAMESPACE", &ns_, "The namespace of NAME.");
    flags.Switch("--force", &force_, "Also when something refers to it.");
    ledger_.DeclareWithoutForce(flags);
    flags.Switch("--time-jump", &ledger_.force, kForceDoc);
  }

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--namespace", "--force"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    std::optional<ObjectKind> kind;
    Key key;
    if (const int code = ReadWords(io, &kind, &key); code != kDone) return code;
    if (*kind == ObjectKind::kWorkload) {
      WorkloadView workload;
      if (const int code = service.FindWorkload(key, io, &workload); code != kDone) return code;
      key = workload.spec.key;
    }
    std::vector<Key> before;
    std::vector<Key> leaving;
    std::vector<muster::Answer> answers;
    Service::IsTheirs is_theirs;  // nothing leaves because anything but a node is deleted
    if (*kind == ObjectKind::kNode) {
      is_theirs = [](const WorkloadView&, std::string_view why) { return why == "NodeFailures"; };
      if (const int code = service.Evicting(io, &before); code != kDone) return code;
    }
    const int code = service.DoEvicting({command::Delete{*kind, key, force_}}, before, is_theirs,
                                        io, &answers, &leaving);
    if (code != kDone) return code;
    std::vector<ObjectOutcome> outcomes = {Deleted(*kind, key)};
    AddEvictions({}, leaving, &outcomes);
    PrintOutcomes(outcomes, /*json=*/false, io, leaving.size());
    return kDone;
  }

  int Run(Io& io) override {
    std::optional<ObjectKind> kind;
    Key key;
    if (const int code = ReadWords(io, &kind, &key); code != kDone) return code;
    std::unique_ptr<DurableEngine> opened;
    TimeNs now = kNoTime;
    int code = ReadLedgerFlags(ledger_, io, &now);
    if (code == kDone) {
      code = OpenLedger(ledger_.db, NewLedger::kRefuse, now, ledger_.force, ledger_.wait, io,
                        &opened, "--time-jump");
    }
    if (code != kDone) return code;
    if (*kind == ObjectKind::kWorkload) key = ResolveWorkload(opened->engine(), key);
    const std::vector<Key> before = lab::Read(opened->engine().Evicting());
    Status status = lab::CheckAtDoor(opened->engine(), command::Delete{*kind, key, force_});
    if (status.ok()) status = opened->engine().Delete(*kind, key, now, force_);
    if (!status.ok()) {
      const bool used = status.code() == StatusCode::kFailedPrecondition;
      if (status.code() == StatusCode::kNotFound) {
        return io.Fail(kNo, status.message() + lab::NearName(opened->engine(), *kind, key));
      }
      return io.Fail(ExitCodeFor(status),
                     status.message() + (used ? "; delete that first, or add --force" : ""));
    }
    std::vector<ObjectOutcome> outcomes = {Deleted(*kind, key)};
    const std::size_t leaving =
        AddEvictions(before, lab::Read(opened->engine().Evicting()), &outcomes);
    PrintOutcomes(outcomes, /*json=*/false, io, leaving);
    return kDone;
  }

 private:
  /// Why nothing of that kind is deleted.
  std::string WhyNot() const {
    const std::optional<Kind> listed = FindKind(kind_);
    if (listed == Kind::kConsumer) return "write muster consumer remove NAME --db LEDGER";
    if (listed == Kind::kPolicy) {
      return "packages stay in the history; muster policy rollback takes one out of use";
    }
    if (listed == Kind::kAccount) return "an account ends with the package that declares it";
    return UnknownKind(kind_);
  }

  /// What the command line means by itself.
  int ReadWords(Io& io, std::optional<ObjectKind>* kind, Key* key) const {
    *kind = FindObjectKind(kind_);
    if (!*kind) return io.Fail(kWrongUse, WhyNot());
    const int named =
        ReadName(name_, ns_, HasNamespace(**kind), KindName(**kind), "delete", io, key);
    if (named != kDone) return named;
    if (!HasNamespace(**kind) || !key->ns.empty()) return kDone;
    return io.Fail(kWrongUse, "delete: '" + name_ + "' has no namespace; write NAMESPACE/" + name_ +
                                  " or add -n NAMESPACE");
  }

  static ObjectOutcome Deleted(ObjectKind kind, const Key& key) {
    return {std::string(KindName(kind)), key.ns.empty() ? key.name : key.ToString(), "deleted"};
  }

  std::string kind_;
  std::string name_;
  std::string ns_;
  bool force_ = false;
  LedgerFlags ledger_;
};

}  // namespace

std::unique_ptr<Command> MakeDelete() { return std::make_unique<Delete>(); }

}  // namespace muster::cli
