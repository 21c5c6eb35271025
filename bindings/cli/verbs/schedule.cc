// muster schedule: cycles over manifests, in memory.
#include "bindings/cli/command.h"
#include "bindings/cli/show/schedule_view.h"
#include "bindings/cli/world/contract.h"
#include "bindings/cli/world/load.h"
#include "bindings/cli/world/play.h"

namespace muster::cli {
namespace {

class Schedule : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "schedule",
        .group = "Decide",
        .summary = "run scheduling cycles: who starts, who makes room, who waits",
        .usage = "-f FILE... [--cycles N | --until-idle] [--policy FOLDER] [-o table|wide|json]",
        .about =
            "Reads manifests into an engine in memory, runs cycles and prints what each decided. "
            "A document `kind: Scenario` says which steps to play on its own clock; without one a "
            "single cycle runs, or as many as --cycles or --until-idle ask for. Idle is a cycle "
            "in which nobody starts and nobody is told to leave.\n"
            "A reference to something that is not there is a warning: the object is inactive, as "
            "in Kueue. With -o json the output is one object, `steps`, with an entry per cycle.",
        .examples = {
            {"One cycle over a folder of manifests", "muster schedule -f examples/gpu-preemption"},
            {"Everything that can start, starts; evicted jobs vanish at once",
             "muster schedule -f queues.yaml -f jobs.yaml --until-idle "
             "--complete-evictions"},
            {"The same under another order",
             "muster schedule -f queues.yaml -f jobs.yaml --until-idle "
             "--policy policies/small-first"},
            {"For a program", "cat all.yaml | muster schedule -f - -o json"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    input_.Declare(flags);
    flags.Rest(&input_.files);
    flags.Count("--cycles", "N", &play_.cycles, "Run N cycles. Default: 1.");
    flags.Switch("--until-idle", &play_.until_idle,
                 "Run cycles until one neither admits nor evicts anybody.");
    play_.Declare(flags);
    flags.Choice("-o,--output", &output_, {"table", "wide", "json"},
                 "Tables for people (wide: every waiting workload with its whole message), or the "
                 "JSON contract.");
  }

  int Run(Io& io) override {
    Loaded loaded;
    int code = Load(input_, References::kMayBeMissing, "nothing was scheduled", io, &loaded);
    if (code != kDone) return code;
    World world;
    code = Play(loaded, play_, io, &world);
    if (code != kDone) return code;
    WarnAboutPolicies(world, io);
    if (output_ == "json") {
      PrintJson(io.out, OutcomeJson(world.cycles));
    } else {
      PrintSchedule(world, output_ == "wide", io);
    }
    return kDone;
  }

 private:
  InputFlags input_;
  PlayFlags play_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeSchedule() { return std::make_unique<Schedule>(); }

}  // namespace muster::cli
