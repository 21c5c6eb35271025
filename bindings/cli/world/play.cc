// Without a scenario the clock stands still: every cycle of the call runs at the same time.
#include "bindings/cli/world/play.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/policies.h"
#include "bindings/cli/world/policy_words.h"
#include "bindings/cli/world/read.h"
#include "bindings/cli/world/report.h"
#include "muster/muster.h"

namespace muster::cli {
namespace {

int Fail(const Status& status, const Loaded& loaded, Io& io) {
  if (status.problems().empty()) return io.Fail(ExitCodeFor(status), status.message());
  return Report(manifest::Locate(loaded.manifests, status.problems()), loaded.sources,
                "nothing was scheduled", io);
}

/// Hands cycles on and remembers what decides whether another one runs.
struct Relay {
  const CycleSink& sink;
  std::size_t cycles = 0;
  bool idle = false;
  std::vector<PolicyFailure> submit_failures = {};  ///< for the next cycle to tell

  Status operator()(CycleOutcome cycle) {
    ++cycles;
    if (!submit_failures.empty()) cycle.submit_failures = std::exchange(submit_failures, {});
    idle = cycle.result.idle();
    return sink(std::move(cycle));
  }
};

/// The pods of evicted jobs vanish; whether there were any.
Result<bool> CompleteEvictions(Engine& engine, TimeNs now) {
  const Result<std::vector<Key>> evicting = engine.Evicting();
  if (!evicting.ok()) return evicting.status();
  if (evicting->empty()) return false;
  const Status status = engine.Evicted(*evicting, now);
  if (!status.ok()) return status;
  return true;
}

Status OneMoreCycle(Engine& engine, TimeNs now, CycleTrace* trace, Relay& relay) {
  Result<CycleOutcome> cycle = RunOneCycle(engine, now, trace);
  return cycle.ok() ? relay(*std::move(cycle)) : cycle.status();
}

/// Cycles after the first one, as far as `flags` asks.
Status MoreCycles(const PlayFlags& flags, std::size_t limit, Io& io, World* world,
                  CycleTrace* trace, Relay& relay) {
  const std::size_t wanted = static_cast<std::size_t>(flags.cycles.value_or(1));
  while (true) {
    bool freed = false;
    if (flags.complete_evictions) {
      const Result<bool> completed = CompleteEvictions(world->engine, world->now);
      if (!completed.ok()) return completed.status();
      freed = *completed;
    }
    const bool done = flags.until_idle ? relay.idle && !freed : relay.cycles >= wanted;
    if (done) return Status::Ok();
    if (flags.until_idle && relay.cycles >= limit) {
      io.Warn("still busy after " + std::to_string(limit) +
              " cycles; the jobs seem to preempt each other in turn");
      return Status::Ok();
    }
    const Status status = OneMoreCycle(world->engine, world->now, trace, relay);
    if (!status.ok()) return status;
  }
}

/// Says of which time a ledger is shown where that is not how its last call left it.
void WarnOfDue(const Engine& engine, TimeNs now, Io& io) {
  const TimeNs deadline = Read(engine.NextDeadline());
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
               const CycleSink& sink, CycleTrace* trace) {
  if (const auto conflict = Conflict(loaded.manifests, flags)) {
    return io.Fail(kWrongUse, *conflict);
  }
  int code = ReadTime(flags.now, io, &world->now);
  if (code != kDone) return code;
  const auto& scenario = loaded.manifests.scenario;
  if (scenario && scenario->now != kNoTime) world->now = scenario->now;
  code = ActivatePolicies(flags.policies, loaded.manifests, world->now, world->engine, io);
  if (code != kDone) return code;

  Relay relay{sink};
  Result<ScenarioOutcome> outcome =
      RunScenario(world->engine, loaded.manifests, world->now,
                  /*trace_last=*/trace != nullptr, {}, std::ref(relay));
  if (!outcome.ok()) return Fail(outcome.status(), loaded, io);
  if (trace != nullptr) *trace = std::move(outcome->last_trace);
  if (scenario) {
    for (const manifest::Step& step : scenario->steps) {
      world->now += std::max<DurationNs>(step.advance, 0);
    }
    return kDone;
  }
  const std::size_t limit = CycleLimit(loaded.manifests.objects.size());
  const Status status = MoreCycles(flags, limit, io, world, trace, relay);
  return status.ok() ? kDone : Fail(status, loaded, io);
}

}  // namespace

std::size_t CycleLimit(std::size_t objects) { return 1000 + 10 * objects; }

Result<bool> RunUntilIdle(Engine& engine, TimeNs now, std::size_t limit, const CycleSink& sink) {
  Relay relay{sink};
  // Those told to leave before the first cycle are no different from those that a cycle tells.
  if (const Status freed = CompleteEvictions(engine, now).status(); !freed.ok()) return freed;
  while (relay.cycles < limit) {
    if (Status status = OneMoreCycle(engine, now, nullptr, relay); !status.ok()) return status;
    const Result<bool> freed = CompleteEvictions(engine, now);
    if (!freed.ok()) return freed.status();
    if (relay.idle && !*freed) return true;
  }
  return false;
}

int Play(const Loaded& loaded, const PlayFlags& flags, Io& io, World* world,
         const CycleSink& sink) {
  return PlayTraced(loaded, flags, io, world, sink, nullptr);
}

int PlayOnLedger(const Loaded& loaded, const PlayFlags& flags, Io& io, World* world,
                 const CycleSink& sink) {
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
  Relay relay{sink};
  const Status applied =
      world->engine.Apply(loaded.manifests.objects, world->now, MissingReference::kAccept, nullptr,
                          Submission::kAsk, &relay.submit_failures);
  if (!applied.ok()) return Fail(applied, loaded, io);
  Status status = OneMoreCycle(world->engine, world->now, nullptr, relay);
  if (!status.ok()) return Fail(status, loaded, io);
  const std::size_t limit = CycleLimit(Read(world->engine.Workloads()).size());
  status = MoreCycles(flags, limit, io, world, nullptr, relay);
  return status.ok() ? kDone : Fail(status, loaded, io);
}

int Settle(const InputFlags& input, PlayFlags flags, Io& io, World* world, Loaded* loaded,
           std::unique_ptr<ReadOnlyLedger>* moment) {
  if (!flags.db.empty()) {
    if (const auto conflict = LedgerConflict(input, flags)) return io.Fail(kWrongUse, *conflict);
    if (const int code = ReadTime(flags.now, io, &world->now); code != kDone) return code;
    std::unique_ptr<ReadOnlyLedger> ledger;
    int code = OpenMoment(flags.db, io, &ledger);
    if (code == kDone) code = ReadState(*ledger, flags.db, io, &world->engine);
    if (code != kDone) return code;
    if (moment != nullptr) *moment = std::move(ledger);
    if (flags.now.empty()) WarnOfDue(world->engine, world->now, io);
    // What is due by then is done in memory; the ledger itself is only read.
    const Status due = world->engine.Advance(world->now);
    return due.ok() ? static_cast<int>(kDone) : io.Fail(ExitCodeFor(due), due.message());
  }
  const int code = Load(input, References::kAsKueue, "nothing was scheduled", io, loaded);
  if (code != kDone) return code;
  flags.until_idle = !loaded->manifests.scenario.has_value();
  bool warned = false;
  const CycleSink warn = [&io, &warned](const CycleOutcome& cycle) {
    WarnOfSubmit(cycle.submit_failures, "", io);
    // One that fails mostly fails in every cycle.
    if (!warned) WarnOfFailures(cycle.result, "", io);
    warned = warned || !cycle.result.policy_failures.empty();
    return Status::Ok();
  };
  return PlayTraced(*loaded, flags, io, world, warn, &world->last_trace);
}

}  // namespace muster::cli
