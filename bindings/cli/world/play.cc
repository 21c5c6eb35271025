// Without a scenario the clock stands still: every cycle of the call runs at the same time.
#include "bindings/cli/world/play.h"

#include <algorithm>
#include <utility>

#include "bindings/cli/world/policies.h"
#include "bindings/cli/world/report.h"
#include "muster/muster.h"

namespace muster::cli {
namespace {

/// Preemption can in principle go round in circles once evictions complete by themselves; this many
/// cycles without coming to rest mean it does.
std::size_t CycleLimit(const manifest::Manifests& manifests) {
  return 1000 + 10 * manifests.objects.size();
}

int Fail(const Status& status, const Loaded& loaded, Io& io) {
  if (status.problems().empty()) return io.Fail(ExitCodeFor(status), status.message());
  return Report(manifest::Locate(loaded.manifests, status.problems()), loaded.sources,
                "nothing was scheduled", io);
}

/// Cycles after the first one, as far as `flags` asks.
Status MoreCycles(const PlayFlags& flags, std::size_t limit, Io& io, World* world) {
  const std::size_t wanted = static_cast<std::size_t>(flags.cycles.value_or(1));
  while (true) {
    bool freed = false;
    if (flags.complete_evictions) {
      const std::vector<Key> evicting = world->engine.Evicting();
      freed = !evicting.empty();
      const Status status = world->engine.Evicted(evicting, world->now);
      if (!status.ok()) return status;
    }
    const bool done = flags.until_idle ? world->cycles.back().result.idle() && !freed
                                       : world->cycles.size() >= wanted;
    if (done) return Status::Ok();
    if (flags.until_idle && world->cycles.size() >= limit) {
      io.Warn("still busy after " + std::to_string(limit) +
              " cycles; the jobs seem to preempt each other in turn");
      return Status::Ok();
    }
    Result<CycleOutcome> cycle = RunOneCycle(world->engine, world->now, &world->last_trace);
    if (!cycle.ok()) return cycle.status();
    world->cycles.push_back(std::move(*cycle));
  }
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
  flags.Text("--now", "TIME", &now,
             "What time it is, in RFC 3339, for example 2026-01-01T12:00:00Z. Default: the wall "
             "clock, cut to the second.");
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

int Play(const Loaded& loaded, const PlayFlags& flags, Io& io, World* world) {
  if (const auto conflict = Conflict(loaded.manifests, flags)) {
    return io.Fail(kWrongUse, *conflict);
  }
  const std::optional<TimeNs> start = TimeOf(flags.now);
  if (!start) {
    return io.Fail(kWrongUse,
                   "--now takes a time such as 2026-01-01T12:00:00Z, not '" + flags.now + "'");
  }
  const auto& scenario = loaded.manifests.scenario;
  world->now = scenario && scenario->now != kNoTime ? scenario->now : *start;
  const int code =
      ActivatePolicies(flags.policies, loaded.manifests, world->now, world->engine, io);
  if (code != kDone) return code;

  Result<ScenarioOutcome> outcome =
      RunScenario(world->engine, loaded.manifests, world->now, /*trace_last=*/true);
  if (!outcome.ok()) return Fail(outcome.status(), loaded, io);
  world->cycles = std::move(outcome->cycles);
  world->last_trace = std::move(outcome->last_trace);
  if (scenario) {
    for (const manifest::Step& step : scenario->steps) {
      world->now += std::max<DurationNs>(step.advance, 0);
    }
    return kDone;
  }
  const Status status = MoreCycles(flags, CycleLimit(loaded.manifests), io, world);
  return status.ok() ? kDone : Fail(status, loaded, io);
}

int Settle(const InputFlags& input, PlayFlags flags, Io& io, World* world, Loaded* loaded) {
  const int code = Load(input, References::kMayBeMissing, "nothing was scheduled", io, loaded);
  if (code != kDone) return code;
  flags.until_idle = !loaded->manifests.scenario.has_value();
  return Play(*loaded, flags, io, world);
}

}  // namespace muster::cli
