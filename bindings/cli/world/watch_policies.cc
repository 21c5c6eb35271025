// A save counts between two cycles only, so the time between them is spent looking for saves.
#include "bindings/cli/world/watch_policies.h"

#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include "bindings/cli/world/policy_words.h"
#include "bindings/cli/world/report.h"
#include "bindings/lab/read.h"
#include "bindings/lab/specs.h"
#include "muster/muster.h"
#include "muster/policy_reloader.h"

namespace muster::cli {
namespace {

constexpr std::size_t kPrintedHash = 12;
constexpr std::chrono::milliseconds kLookForSaves{20};

void PrintSteps(const std::vector<ReloadStep>& steps, const Engine& engine, Io& io) {
  for (const ReloadStep& step : steps) {
    const std::string name =
        step.package + (step.hash.empty() ? "" : "@" + step.hash.substr(0, kPrintedHash));
    if (step.outcome == ReloadStep::Outcome::kActivated) {
      io.out << "policy " << name << " activated\n";
      WarnOfActivation(engine, step.package, step.stopped, io);
    } else {
      io.Warn("policy " + name + " refused: " + step.message);
    }
  }
}

template <typename List>
void PrintKeys(const char* what, const List& list, Io& io) {
  for (const auto& each : list) io.out << "  " << what << ' ' << each.workload.ToString() << '\n';
}

void PrintCycle(const CycleResult& result, Io& io) {
  WarnOfFailures(result, "", io);
  if (result.DecidedNothing() && result.evicted.empty()) return;
  io.out << "cycle " << result.cycle << '\n';
  PrintKeys("admitted", result.admitted, io);
  PrintKeys("preempted", result.preempted, io);
  PrintKeys("evicted", result.evicted, io);
}

}  // namespace

int ScheduleWatching(DurableEngine& opened, const WatchPolicies& watch, Io& io) {
  std::error_code error;
  if (!std::filesystem::is_directory(watch.folder, error)) {
    return io.Fail(kWrongUse, watch.folder + ": no such policy package");
  }
  ReloadOptions options;
  options.folder = watch.folder;
  options.by = "schedule --watch-policies";
  options.tests = [](const std::string& folder) { return lab::RunOwnTests(folder); };
  PolicyReloader reloader(options);
  if (const Status status = reloader.status(); !status.ok()) {
    return io.Fail(ExitCodeFor(status), status.message());
  }
  reloader.Stage();
  while (reloader.busy()) {
    PrintSteps(lab::Read(reloader.Poll(opened, WallClock())), opened.engine(), io);
    std::this_thread::sleep_for(kLookForSaves);
  }
  for (int cycle = 0; !watch.cycles || cycle < *watch.cycles; ++cycle) {
    const Result<CycleResult> result = opened.engine().RunCycle(WallClock());
    if (!result.ok()) return io.Fail(ExitCodeFor(result.status()), result.status().message());
    PrintCycle(*result, io);
    io.out.flush();
    const auto next = std::chrono::steady_clock::now() + std::chrono::nanoseconds(watch.every);
    while (std::chrono::steady_clock::now() < next) {
      PrintSteps(lab::Read(reloader.Poll(opened, WallClock())), opened.engine(), io);
      std::this_thread::sleep_for(kLookForSaves);
    }
  }
  return kDone;
}

}  // namespace muster::cli
