// muster describe: one object at length.
#include "bindings/cli/show/describe.h"

#include "bindings/cli/command.h"
#include "bindings/cli/kinds.h"
#include "bindings/cli/show/slices.h"
#include "bindings/cli/show/workload_events.h"
#include "bindings/cli/verbs/object_name.h"
#include "bindings/cli/world/play.h"
#include "bindings/cli/world/service.h"
#include "bindings/lab/events.h"
#include "bindings/lab/near_names.h"
#include "bindings/lab/read.h"
#include "bindings/lab/yaml_text.h"

namespace muster::cli {
namespace {

class DescribeCommand : public Command {
 public:
  const CommandInfo& info() const override {
    static const std::string kAbout =
        "Loads the manifests into an engine in memory, plays their Scenario, or without one runs "
        "cycles until idle, and then describes one object: a queue with its quota, what is used, "
        "borrowed, lent and available; a workload with its podsets, conditions and events, an "
        "elastic job with those of all its slices. NAME "
        "may be "
        "NAMESPACE/NAME. With --db it shows a ledger as it is, also beside the process that writes "
        "it.\nKinds: " +
        ListKinds() + ".";
    static const CommandInfo kInfo = {
        .name = "describe",
        .group = "Look",
        .summary = "one object at length: quota, conditions, events",
        .usage = "KIND NAME -f FILE... | --db LEDGER [-n NAMESPACE] [-o table|json|yaml]",
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
    flags.Choice("-o,--output", &output_, {"table", "json", "yaml"},
                 "Tables for people, or the object with its status and a workload's events.");
    play_.Declare(flags);
  }

  const std::vector<std::string_view>* ServiceFlags() const override {
    static const std::vector<std::string_view> kFlags = {"--namespace", "--output"};
    return &kFlags;
  }

  int Ask(const Service& service, Io& io) override {
    const std::optional<Kind> kind = FindKind(kind_);
    if (!kind) return io.Fail(kWrongUse, UnknownKind(kind_));
    if (const int code = ReadName(*kind, "describe", io, &filter_); code != kDone) return code;
    const std::string target = remote::Target(
        {"v1", "describe"},
        {{"kind", kind_}, {"name", filter_.name}, {"namespace", filter_.ns}, {"output", output_}});
    std::string text;
    const int code = service.Get(target, io, &text);
    io.out << text;
    return code;
  }

  int Run(Io& io) override {
    const std::optional<Kind> kind = FindKind(kind_);
    if (!kind) return io.Fail(kWrongUse, UnknownKind(kind_));
    if (int code = ReadName(*kind, "describe", io, &filter_); code != kDone) return code;
    Loaded loaded;
    lab::EventRecorder recorder;
    World world(&recorder);
    std::unique_ptr<HistoryReader> moment;
    const int code = Settle(input_, play_, io, &world, &loaded, &moment);
    if (code != kDone) return code;
    filter_ = MeantBy(world.engine, *kind, filter_);
    if (*kind == Kind::kWorkload) filter_ = MeantSlice(world.engine, filter_);
    const HistoryOf history_of_one = [&](const Key& workload) {
      lab::History history{recorder.Of(workload), world.now};
      if (moment) history.events = lab::Read(lab::ReadEvents(*moment, workload));
      return history;
    };
    const HistoryOf history_of = [&](const Key& workload) {
      return HistoryOfJob(world.engine, workload, history_of_one);
    };
    if (output_ != "table") {
      const std::vector<Json> items = Items(world.engine, *kind, filter_);
      for (std::size_t i = 0; i < items.size(); ++i) {
        PrintItem(items[i], *kind, history_of, i, io);
      }
      if (!items.empty()) return kDone;
    } else if (Describe(world.engine, *kind, filter_, history_of, io) > 0) {
      return kDone;
    }
    const std::string where = filter_.ns.empty() ? "" : " in namespace " + filter_.ns;
    return io.Fail(kNo, "there is no " + std::string(Singular(*kind)) + " '" + filter_.name + "'" +
                            where + NearName(world.engine, *kind, {filter_.ns, filter_.name}) +
                            " (muster get " + kind_ + " lists them)");
  }

 private:
  /// The object with its status; a workload's also with what has happened to it.
  void PrintItem(Json item, Kind kind, const HistoryOf& history_of, std::size_t index,
                 Io& io) const {
    if (kind == Kind::kWorkload) {
      const Json& metadata = item["metadata"];
      const Key key{metadata.value("namespace", ""), metadata.value("name", "")};
      item["events"] = EventsJson(history_of(key), key);
    }
    if (output_ == "json") {
      PrintJson(io.out, item);
    } else {
      io.out << (index > 0 ? "---\n" : "") << lab::BlockYaml(item);
    }
  }

  std::string kind_;
  Filter filter_;
  InputFlags input_;
  PlayFlags play_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeDescribe() { return std::make_unique<DescribeCommand>(); }

}  // namespace muster::cli
