// muster schedule: cycles over manifests in memory, or on a ledger.
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/cli/command.h"
#include "bindings/cli/interrupted.h"
#include "bindings/cli/show/schedule_view.h"
#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/load.h"
#include "bindings/cli/world/package_folder.h"
#include "bindings/cli/world/play.h"
#include "bindings/cli/world/report.h"
#include "bindings/cli/world/watch_policies.h"
#include "bindings/lab/diagnose.h"
#include "bindings/lab/player.h"
#include "bindings/lab/read.h"
#include "muster/muster.h"

namespace muster::cli {
namespace {

class Schedule : public Command {
 public:
  const CommandInfo& info() const override {
    static const CommandInfo kInfo = {
        .name = "schedule",
        .group = "Decide",
        .summary = "run scheduling cycles: what starts, what makes room, what waits",
        .usage = "-f FILE... | --db LEDGER [--cycles N | --until-idle] [--policy FOLDER] [options]",
        .about =
            "Reads manifests into an engine in memory, runs cycles and prints what each decided. "
            "A document `kind: Scenario` says which steps to play on its own clock; without one a "
            "single cycle runs, or as many as --cycles or --until-idle ask for. Idle is a cycle "
            "after which no further one would start a job or tell one to leave.\n"
            "A reference to something that is not there is a warning: the object is inactive, as "
            "in Kueue. Each cycle is printed as it ends and none is kept, so that a long run takes "
            "no more memory than a short one. With -o json the output is one object, `steps`, with "
            "an entry per cycle, which stays valid when the run fails on the way. Interrupted, it "
            "ends after the cycle that runs, with what it has done, and exits with 128 + the "
            "signal's number: 130, or 143 of SIGTERM.\n"
            "With --db the cycles run on a ledger, and each is on disk before it is shown. "
            "Manifests are applied first. A Scenario has its own clock and does not go with --db.",
        .examples = {
            {"One cycle over a folder of manifests", "muster schedule -f examples/gpu-preemption"},
            {"Everything that can start, starts; evicted jobs vanish at once",
             "muster schedule -f queues.yaml -f jobs.yaml --until-idle "
             "--complete-evictions"},
            {"The same under another order",
             "muster schedule -f queues.yaml -f jobs.yaml --until-idle "
             "--policy policies/small-first"},
            {"One cycle on a ledger", "muster schedule --db cluster.ledger"},
            {"For a program", "cat all.yaml | muster schedule -f - -o json"}}};
    return kInfo;
  }

  void Declare(Flags& flags) override {
    input_.Declare(flags);
    flags.Rest(&input_.files);
    flags.Count("--cycles", "N", &play_.cycles, "Run N cycles. Default: 1.");
    flags.Switch("--until-idle", &play_.until_idle,
                 "Run cycles until no further one would admit or evict.");
    play_.Declare(flags);
    DeclareWait(flags, &play_.wait);
    flags.Switch("--force", &play_.force, std::string("With --db: ") + kForceDoc);
    flags.Text("--shadow", "FOLDER", &shadow_,
               "A policy package that is compared with what decides, without any effect.");
    flags.Text(
        "--watch-policies", "FOLDER", &watch_,
        "With --db: cycle after cycle, one a second, under the policy package in FOLDER; when "
        "it is saved, it is checked, tried and goes live between two cycles.");
    flags.Choice("-o,--output", &output_, {"table", "wide", "json"},
                 "Tables for people (wide: every waiting workload with its whole message), or the "
                 "JSON contract.");
  }

  int Run(Io& io) override {
    Loaded loaded;
    if (!play_.db.empty()) return RunOnLedger(&loaded, io);
    if (!watch_.empty()) return io.Fail(kWrongUse, "--watch-policies needs --db LEDGER");
    const int code = Load(input_, lab::References::kAsKueue, kConsequence, io, &loaded);
    if (code != kDone) return code;
    World world;
    return Tell(loaded, Play, io, &world);
  }

 private:
  static constexpr std::string_view kConsequence = "nothing was scheduled";

  int RunOnLedger(Loaded* loaded, Io& io) {
    std::unique_ptr<DurableEngine> opened;
    TimeNs now = kNoTime;
    int code = ReadTime(play_.now, io, &now);
    if (code == kDone && !input_.files.empty()) {
      // Before the ledger is locked: others need it while input is typed.
      code = ReadSources(input_.files, io, &loaded->sources);
      if (code == kDone) code = ReadTime(play_.now, io, &now);
    }
    if (code == kDone) {
      code = OpenLedger(play_.db, NewLedger::kRefuse, now, play_.force, play_.wait, io, &opened);
    }
    if (code == kDone && !input_.files.empty()) {
      code = LoadSources(input_, lab::References::kMayBeMissing, kConsequence, io, loaded,
                         opened->engine());
    }
    if (code != kDone) return code;
    if (!watch_.empty()) return ScheduleWatching(*opened, {watch_, play_.cycles}, io);
    World world(std::move(opened));
    return Tell(*loaded, PlayOnLedger, io, &world);
  }

  /// Plays in `world` the way `play` does and tells each cycle.
  int Tell(const Loaded& loaded, decltype(Play)& play, Io& io, World* world) {
    if (const int code = BeginShadow(world->engine, io); code != kDone) return code;
    const std::map<std::string, CycleTeller::Form> forms = {{"table", CycleTeller::Form::kTable},
                                                            {"wide", CycleTeller::Form::kWide},
                                                            {"json", CycleTeller::Form::kJson}};
    CycleTeller teller(world->engine, forms.at(output_), play_.cycles, io);
    const Interrupted interrupted;
    bool is_cut_short = false;
    const int code = play(loaded, play_, io, world, [&](const lab::CycleOutcome& cycle) {
      Status told = teller.Take(cycle);
      is_cut_short = told.ok() && interrupted.Within(std::chrono::milliseconds(0));
      return is_cut_short ? Status(StatusCode::kUnavailable, "interrupted") : told;
    });
    if (code != kDone && !is_cut_short) {
      teller.Stop();
      return code;
    }
    const ShadowReport shadow = lab::Read(world->engine.Shadow());
    teller.End(shadow_.empty() ? nullptr : &shadow);
    return is_cut_short ? interrupted.ExitCode() : int{kDone};
  }

  int BeginShadow(Engine& engine, Io& io) const {
    if (shadow_.empty()) return kDone;
    Result<std::shared_ptr<Policy>> candidate = LoadPolicy(shadow_);
    if (!candidate.ok()) return FailPackage(candidate.status(), io);
    const Status begun = engine.ShadowPolicy(std::move(*candidate));
    return begun.ok() ? static_cast<int>(kDone) : io.Fail(ExitCodeFor(begun), begun.message());
  }

  InputFlags input_;
  PlayFlags play_;
  std::string shadow_;
  std::string watch_;
  std::string output_ = "table";
};

}  // namespace

std::unique_ptr<Command> MakeSchedule() { return std::make_unique<Schedule>(); }

}  // namespace muster::cli
