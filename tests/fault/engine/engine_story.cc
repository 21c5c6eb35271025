#include "tests/fault/engine/engine_story.h"

#include <utility>

#include "db/sqlite/ledger.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

constexpr std::int64_t kCommitsBeforeThePolicy = 6;

/// Two queues of one cohort; the second takes back what the first borrows.
std::vector<Object> Cluster() {
  PreemptionRules reclaim;
  reclaim.reclaim_within_cohort = PreemptionPolicy::kAny;
  return {MakeNamespace(),
          MakeFlavor("default"),
          MakeQueue("a", "all", {{.nominal = 4}}),
          MakeQueue("b", "all", {{.nominal = 4}}, reclaim),
          MakeLocalQueue("a"),
          MakeLocalQueue("b")};
}

Status FinishOne(Engine& engine, TimeNs now) {
  for (const WorkloadView& job : *engine.Workloads()) {
    if (job.phase != WorkloadPhase::kAdmitted) continue;
    return engine.Finish({&job.spec.key, 1}, /*failed=*/false, now);
  }
  return Status::Ok();
}

}  // namespace

EngineStory::EngineStory(CrashVfs* disk, std::uint64_t number)
    : vfs(disk), prefix("job-" + std::to_string(number) + "-") {
  testing.vfs = disk->name();
  testing.checkpoint_pages = 12;
  testing.reserve_bytes = 4096;
}

std::int64_t EngineStory::commits() const { return gateway->ledger().last()->seq; }

bool EngineStory::Note(const Status& status) {
  if (!status.ok()) errors.push_back(status);
  return status.ok();
}

bool EngineStory::Open() {
  Result<std::unique_ptr<DurableEngine>> opened = DurableEngine::Open("L", {.testing = &testing});
  if (!Note(opened.status())) return false;
  gateway = std::move(*opened);
  if (states.empty()) states.push_back(*gateway->engine().StateHash());
  return true;
}

bool EngineStory::Close() {
  const bool closed = Note(gateway->Close());
  gateway.reset();
  return closed;
}

bool EngineStory::Live(int sessions, int steps) {
  for (int session = 0; session < sessions; ++session) {
    if (!Open()) return false;
    for (int i = 0; i < steps; ++i) {
      if (!Step()) return false;
    }
    if (!Close()) return false;
  }
  return true;
}

bool EngineStory::Step() {
  if (!Note(Call())) return false;
  acknowledged = commits();
  vfs->Mark(acknowledged);
  states.push_back(*gateway->engine().StateHash());
  return true;
}

Status EngineStory::Call() {
  Engine& engine = gateway->engine();
  if (Status closed = engine.Closed(); !closed.ok()) return closed;
  const std::int64_t before = commits();
  const TimeNs now = kNoon + before * kSecond;
  if (before == 0) return engine.Apply(Cluster(), now);
  if (before == kCommitsBeforeThePolicy) {
    return gateway->ActivatePolicy((SourceDir() / "policies/small-first").string(), now);
  }
  Status status;
  if (before % 4 == 0) status = engine.RunCycle(now).status();
  if (before % 4 == 1) status = engine.Evicted(*engine.Evicting(), now);
  if (before % 4 == 2) status = FinishOne(engine, now);
  if (!status.ok() || commits() > before) return status;
  return SubmitJobs(now);
}

Status EngineStory::SubmitJobs(TimeNs now) {
  std::vector<Workload> jobs;
  std::size_t next = gateway->engine().Workloads()->size();
  for (const std::string queue : {"a", "b"}) {
    const auto cores = static_cast<std::int64_t>(1 + next % 3);
    jobs.push_back(MakeWorkload(prefix + std::to_string(next++), queue, Cpu(cores)));
  }
  return gateway->engine().Submit(jobs, now);
}

}  // namespace muster::testing
