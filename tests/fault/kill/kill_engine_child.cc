// A gateway at full speed: submits jobs, runs cycles, reports evictions and ends, and says every
// event that the engine acknowledged, until it is killed.
//
//   engine_kill_child LEDGER [--stop-at POINT] [--after CALLS] [--ack-early]
//
// Says "open", then "ack EVENT NAMESPACE/NAME" for what a call did once it has returned, and
// "stopped" when it waits at POINT (see db/sqlite/testing.h) for its end. --ack-early says what a
// submit will have done before its COMMIT: what a broken engine would do.
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include "db/sqlite/testing.h"
#include "muster/muster.h"
#include "tests/testing/builders.h"
#include "tests/testing/doomed_child.h"

namespace {

using muster::Key;
using muster::Workload;
using muster::testing::Say;

constexpr std::size_t kJobsWaiting = 12;

void Must(const muster::Status& status) {
  if (status.ok()) return;
  Say(status.message());
  _exit(2);
}

class Gateway {
 public:
  Gateway(muster::Engine& engine, bool ack_early) : engine_(engine), ack_early_(ack_early) {}

  /// Two queues of one cohort; the second takes back what the first borrows. Goes on with the jobs
  /// that an earlier process left.
  void Begin() {
    using muster::testing::MakeQueue;
    muster::PreemptionRules reclaim;
    reclaim.reclaim_within_cohort = muster::PreemptionPolicy::kAny;
    const std::vector<muster::Object> objects = {
        muster::testing::MakeNamespace(),        muster::testing::MakeFlavor("default"),
        MakeQueue("a", "all", {{.nominal = 6}}), MakeQueue("b", "all", {{.nominal = 6}}, reclaim),
        muster::testing::MakeLocalQueue("a"),    muster::testing::MakeLocalQueue("b")};
    Must(engine_.Apply(objects, Now()));
    for (const muster::WorkloadView& job : *engine_.Workloads()) {
      ++next_;
      if (job.phase == muster::WorkloadPhase::kAdmitted) running_.push_back(job.spec.key);
    }
  }

  bool submitting() const { return submitting_; }

  /// One of the things that a gateway does all day.
  void Step() {
    if (engine_.Pending()->size() < kJobsWaiting) Submit();
    Decide();
    Report();
  }

 private:
  muster::TimeNs Now() { return now_ += muster::kSecond; }

  void Acknowledge(muster::EventKind event, const Key& key) {
    Say("ack " + std::string(muster::EventName(event)) + " " + key.ToString());
  }

  void Submit() {
    std::vector<Workload> jobs;
    for (int i = 0; i < 3; ++i) {
      const std::string queue = next_ % 3 == 0 ? "b" : "a";
      jobs.push_back(muster::testing::MakeWorkload("job-" + std::to_string(next_), queue,
                                                   muster::testing::Cpu(1 + next_ % 3)));
      ++next_;
    }
    submitting_ = true;
    if (ack_early_) AcknowledgeAll(jobs);
    Must(engine_.Submit(jobs, Now()));
    submitting_ = false;
    if (!ack_early_) AcknowledgeAll(jobs);
  }

  void AcknowledgeAll(const std::vector<Workload>& jobs) {
    for (const Workload& job : jobs) Acknowledge(muster::EventKind::kSubmitted, job.key);
  }

  void Decide() {
    const muster::Result<muster::CycleResult> cycle = engine_.RunCycle(Now());
    Must(cycle.status());
    for (const auto& admitted : cycle->admitted) {
      Acknowledge(muster::EventKind::kQuotaReserved, admitted.workload);
      running_.push_back(admitted.workload);
    }
    for (const auto& preempted : cycle->preempted) {
      Acknowledge(muster::EventKind::kPreempted, preempted.workload);
      std::erase(running_, preempted.workload);
    }
  }

  void Report() {
    const std::vector<Key> gone = *engine_.Evicting();
    Must(engine_.Evicted(gone, Now()));
    for (const Key& key : gone) Acknowledge(muster::EventKind::kQuotaReleased, key);
    if (running_.size() < 3) return;
    const Key done = running_.front();
    running_.erase(running_.begin());
    Must(engine_.Finish({&done, 1}, /*failed=*/false, Now()));
    Acknowledge(muster::EventKind::kFinished, done);
  }

  muster::Engine& engine_;
  bool ack_early_;
  bool submitting_ = false;
  int next_ = 0;
  muster::TimeNs now_ = muster::testing::kNoon;
  std::vector<Key> running_;
};

}  // namespace

int main(int argc, char** argv) {
  const muster::testing::DoomedArguments arguments(argc, argv);
  int calls = 0;
  Gateway* gateway = nullptr;
  muster::LedgerTesting testing;
  testing.checkpoint_pages = 50;
  testing.at_point = [&](std::string_view point) {
    if (gateway == nullptr || point != arguments.stop_at) return;
    const bool may_stop = !arguments.ack_early || gateway->submitting();
    if (!may_stop || calls++ < arguments.after) return;
    Say("stopped");
    while (true) pause();
  };
  auto opened = muster::DurableEngine::Open(arguments.ledger, {.testing = &testing});
  Must(opened.status());
  Gateway working((*opened)->engine(), arguments.ack_early);
  working.Begin();
  gateway = &working;
  Say("open");
  while (true) working.Step();
}
