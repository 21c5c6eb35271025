// Without a scenario the clock stands still: every cycle of the call runs at the same time.
#include "bindings/cli/world/play.h"

#include <string>
#include <utility>

#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/package_folder.h"
#include "bindings/cli/world/policy_words.h"
#include "bindings/cli/world/report.h"
#include "bindings/lab/activate.h"
#include "bindings/lab/read.h"
#include "bindings/lab/scenario/scenario.h"
#include "muster/muster.h"

namespace muster::cli {
namespace {

int Fail(const Status& status, const Loaded& loaded, Io& io) {
  if (status.problems().empty()) return io.Fail(ExitCodeFor(status), status.message());
  return Report(manifest::Locate(loaded.manifests, status.problems()), loaded.sources,
                "nothing was scheduled", io);
}

/// The cycles that `flags` asks for, at most `limit` until idle.
Status RunCycles(const PlayFlags& flags, std::size_t limit, Io& io, lab::Player& player) {
  const lab::Evictions evictions =
      flags.complete_evictions ? lab::Evictions::kComplete : lab::Evictions::kStayOpen;
  if (flags.until_idle) {
    const Result<bool> at_rest = player.RunUntilIdle(limit, evictions);
    if (at_rest.ok() && !*at_rest) {
      io.Warn("still busy after " + std::to_string(limit) +
              " cycles; the jobs seem to preempt each other in turn");
    }
    return at_rest.status();
  }
  for (int ran = 0; ran < flags.cycles.value_or(1); ++ran) {
    Status status = player.Do(command::Cycle{});
    if (status.ok() && flags.complete_evictions) status = player.CompleteEvictions().status();
    if (!status.ok()) return status;
  }
  return Status::Ok();
}

/// Says of which time a ledger is shown where that is not how its last call left it.
void WarnOfDue(const Engine& engine, TimeNs now, Io& io) {
  const TimeNs deadline = lab::Read(engine.NextDeadline());
  if (deadline == kNoTime || deadline > now) return;
  io.err
      << "as of " << manifest::FormatTime(now)
      << ": what is due since the ledger's last call is shown as done; the next call that writes "
         "does it\n";
}

/// What a verb that shows a ledger as it is leaves no room for.
std::optional<std::string> LedgerConflict(const InputFlags& input, const PlayFlags& flags) {
  const std::string why = " does not go with --db, which shows the ledger as it is";
  if (!input.files.empty()) return "-f" + why;
  if (!flags.policies.empty()) return "--policy" + why;
  if (flags.complete_evictions) return "--complete-evictions" + why;
  return std::nullopt;
}

/// What a Scenario, which has its own clock and cycles, leaves no room for.
std::optional<std::string> Conflict(const manifest::Manifests& manifests, const PlayFlags& flags) {
  if (flags.cycles && flags.until_idle) return "--cycles and --until-idle exclude each other";
  if (!manifests.scenario) return std::nullopt;
  const std::string why = " does not go with a Scenario, whose steps say ";
  if (flags.cycles) return "--cycles" + why + "which cycles run";
  if (flags.until_idle) return "--until-idle" + why + "which cycles run";
  if (flags.complete_evictions) {
    return "--complete-evictions" + why + "when evictions complete ({evicted: true})";
  }
  if (!flags.now.empty() && manifests.scenario->now != kNoTime) {
    return "--now" + why + "what time it is";
  }
  return std::nullopt;
}

}  // namespace

void PlayFlags::Declare(Flags& flags) {
  flags.Text("--db", "LEDGER", &db,
             "A ledger, which remembers everything, instead of an engine in memory.");
  flags.Text("--now", "TIME", &now,
             "What time it is, in RFC 3339, for example 2026-01-01T12:00:00Z. Default: the wall "
             "clock, cut to the second. Looking at a ledger, backoffs and time limits that end "
             "before it are over, in memory: nothing is written.");
  flags.List("--policy", "FOLDER...", &policies,
             "Policy packages to activate. A PolicyBinding in the manifests finds the folder "
             "policies/NAME beside its file, or above it, by itself.");
  flags.Switch("--complete-evictions", &complete_evictions,
               "Let the pods of evicted jobs vanish after each cycle, so that their quota becomes "
               "free. Without it an eviction stays open: its quota is still charged.");
}

std::optional<TimeNs> TimeOf(const std::string& text) {
  if (text.empty()) return WallClock();
  return manifest::ParseTime(text);
}

namespace {

/// Play, which with a `trace` leaves that of the last cycle there.
int PlayTraced(const Loaded& loaded, const PlayFlags& flags, Io& io, World* world,
               const lab::CycleSink& sink, CycleTrace* trace) {
  if (const auto conflict = Conflict(loaded.manifests, flags)) {
    return io.Fail(kWrongUse, *conflict);
  }
  if (const int code = ReadTime(flags.now, io, &world->now); code != kDone) return code;
  if (const int code = NeedPackages(flags.policies, io); code != kDone) return code;
  const manifest::Manifests& manifests = loaded.manifests;
  world->now = lab::BeginOf(manifests, world->now);
  Engine& engine = world->engine;
  const lab::ActivationSink warn = [&](const std::string& package, const auto& stopped) {
    WarnOfActivation(engine, package, stopped, io);
  };
  Status status = lab::ActivatePolicies(flags.policies, manifests, world->now, engine, warn);
  if (!status.ok()) return io.Fail(ExitCodeFor(status), status.message());
  lab::Player player(engine, world->now, sink);
  status = lab::CreateObjects(manifests, player);
  player.TraceInto(trace);
  if (status.ok()) {
    status = manifests.scenario
                 ? lab::PlaySteps(*manifests.scenario, player)
                 : RunCycles(flags, lab::CycleLimit(manifests.objects.size()), io, player);
  }
  world->now = player.now();
  return status.ok() ? kDone : Fail(status, loaded, io);
}

}  // namespace

int Play(const Loaded& loaded, const PlayFlags& flags, Io& io, World* world,
         const lab::CycleSink& sink) {
  return PlayTraced(loaded, flags, io, world, sink, nullptr);
}

int PlayOnLedger(const Loaded& loaded, const PlayFlags& flags, Io& io, World* world,
                 const lab::CycleSink& sink) {
  if (loaded.manifests.scenario) {
    return io.Fail(kWrongUse, "a Scenario does not go with --db: it has its own clock");
  }
  if (!flags.policies.empty()) {
    return io.Fail(kWrongUse, "--policy does not go with --db; use muster policy activate");
  }
  if (const auto conflict = Conflict(loaded.manifests, flags)) {
    return io.Fail(kWrongUse, *conflict);
  }
  if (const int code = ReadTime(flags.now, io, &world->now); code != kDone) return code;
  lab::Player player(world->engine, world->now, sink);
  Status status = player.Apply(loaded.manifests.objects, MissingReference::kAccept);
  if (status.ok()) {
    const std::size_t limit = lab::CycleLimit(lab::Read(world->engine.Workloads()).size());
    status = RunCycles(flags, limit, io, player);
  }
  return status.ok() ? kDone : Fail(status, loaded, io);
}

int Settle(const InputFlags& input, PlayFlags flags, Io& io, World* world, Loaded* loaded,
           std::unique_ptr<HistoryReader>* moment) {
  if (!flags.db.empty()) {
    if (const auto conflict = LedgerConflict(input, flags)) return io.Fail(kWrongUse, *conflict);
    if (const int code = ReadTime(flags.now, io, &world->now); code != kDone) return code;
    std::unique_ptr<HistoryReader> ledger;
    int code = OpenMoment(flags.db, io, &ledger);
    if (code == kDone) code = ReadState(*ledger, flags.db, io, &world->engine);
    if (code != kDone) return code;
    if (moment != nullptr) *moment = std::move(ledger);
    if (flags.now.empty()) WarnOfDue(world->engine, world->now, io);
    // What is due by then is done in memory; the ledger itself is only read.
    const Status due = world->engine.Advance(world->now);
    return due.ok() ? static_cast<int>(kDone) : io.Fail(ExitCodeFor(due), due.message());
  }
  const int code = Load(input, lab::References::kAsKueue, "nothing was scheduled", io, loaded);
  if (code != kDone) return code;
  flags.until_idle = !loaded->manifests.scenario.has_value();
  bool warned = false;
  const lab::CycleSink warn = [&io, &warned](const lab::CycleOutcome& cycle) {
    WarnOfSubmit(cycle.submit_failures, "", io);
    // One that fails mostly fails in every cycle.
    if (!warned) WarnOfFailures(cycle.result, "", io);
    warned = warned || !cycle.result.policy_failures.empty();
    return Status::Ok();
  };
  return PlayTraced(*loaded, flags, io, world, warn, &world->last_trace);
}

}  // namespace muster::cli
