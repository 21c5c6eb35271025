// muster describe: one object at length.
#include "bindings/cli/show/describe.h"

#include "bindings/cli/command.h"
#include "bindings/cli/kinds.h"
#include "bindings/cli/world/events.h"
#include "bindings/cli/world/play.h"

namespace muster::cli {
namespace {

class DescribeCommand : public Command {
 public:
  const CommandInfo& info() const override {
    static const std::string kAbout =
        "Loads the manifests into an engine in memory, plays their Scenario, or without one runs "
        "cycles until idle, and then describes one object: a queue with its quota, what is used, "
        "borrowed, lent and available; a workload with its podsets, conditions and events. NAME "
        "may be "
        "NAMESPACE/NAME. With --db it shows a ledger as it is, also beside the process that writes "
        "it.\nKinds: " +
        ListKinds() + ".";
    static const CommandInfo kInfo = {
        .name = "describe",
        .group = "Look",
        .summary = "one object at length: quota, conditions, events",
        .usage = "KIND NAME -f FILE... | --db LEDGER [-n NAMESPACE]",
        .about = kAbout,
        .examples = {{"What a queue has, uses, borrows and lends",
                      "muster describe clusterqueue team-a -f queues.yaml -f jobs.yaml"},
                     {"A cohort with the quota of its whole subtree",
                      "muster describe cohort research -f queues.yaml"},
                     {"A job's podsets and conditions, and what has happened to it",
                      "muster describe workload team-a/job-train -f queues.yaml -f jobs.yaml"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    flags.Required("KIND", &kind_, "What to describe: " + ListKinds() + ".");
    flags.Required("NAME", &filter_.name, "Its name, or NAMESPACE/NAME.");
    input_.Declare(flags);
    flags.Text("-n,--namespace", "NAMESPACE", &filter_.ns,
               "The namespace of NAME. Default: whichever has it.");
    play_.Declare(flags);
  }

  int Run(Io& io) override {
    const std::optional<Kind> kind = FindKind(kind_);
    if (!kind) return io.Fail(kWrongUse, UnknownKind(kind_));
    if (const std::size_t slash = filter_.name.find('/'); slash != std::string::npos) {
      filter_.ns = filter_.name.substr(0, slash);
      filter_.name.erase(0, slash + 1);
    }
    Loaded loaded;
    EventRecorder recorder;
    World world(&recorder);
    int code = Settle(input_, play_, io, &world, &loaded);
    if (code != kDone) return code;
    const HistoryOf history_of = [&](const Key& workload) {
      History history{recorder.Of(workload), world.now};
      if (!play_.db.empty()) code = ReadEvents(play_.db, workload, io, &history.events);
      return history;
    };
    if (Describe(world.engine, *kind, filter_, history_of, io) > 0) return code;
    const std::string where = filter_.ns.empty() ? "" : " in namespace " + filter_.ns;
    return io.Fail(kNo, "there is no " + std::string(Singular(*kind)) + " '" + filter_.name + "'" +
                            where + " (muster get " + kind_ + " lists them)");
  }

 private:
  std::string kind_;
  Filter filter_;
  InputFlags input_;
  PlayFlags play_;
};

}  // namespace

std::unique_ptr<Command> MakeDescribe() { return std::make_unique<DescribeCommand>(); }

}  // namespace muster::cli
