// A gateway that computes ahead of the disk: submits, decides and finishes in rounds, each round's
// results read while the next is on its way, and says every event once its seal is off, until it
// is killed.
//
//   pipeline_kill_child LEDGER [--stop-at POINT] [--after TRANSACTIONS]
//
// Says what engine_kill_child says; --ack-early is not for it.
#include <unistd.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "db/sqlite/testing.h"
#include "muster/muster.h"
#include "muster/pipeline.h"
#include "tests/testing/builders.h"
#include "tests/testing/doomed_child.h"

namespace {

using muster::Engine;
using muster::EventKind;
using muster::Key;
using muster::Workload;
using muster::testing::Say;

constexpr int kJobsOfARound = 3;

void Must(const muster::Status& status) {
  if (status.ok()) return;
  Say(status.message());
  _exit(2);
}

void Acknowledge(EventKind event, const Key& key) {
  Say("ack " + std::string(muster::EventName(event)) + " " + key.ToString());
}

class Gateway {
 public:
  explicit Gateway(muster::DurableEngine& durable) {
    const std::vector<muster::Object> objects = {
        muster::testing::MakeNamespace(), muster::testing::MakeFlavor("default"),
        muster::testing::MakeQueue("q", "", {{.nominal = 2 * kJobsOfARound}}),
        muster::testing::MakeLocalQueue("q")};
    Engine& engine = durable.engine();
    Must(engine.Apply(objects, Now()));
    for (const muster::WorkloadView& job : *engine.Workloads()) {
      ++next_;
      if (job.phase == muster::WorkloadPhase::kAdmitted) left_.push_back(job.spec.key);
    }
    auto started = muster::Pipeline::Start(durable);
    Must(started.status());
    pipeline_ = std::move(*started);
  }

  void Step() {
    Round next = Begin();
    if (round_) End(*round_);
    round_ = std::move(next);
  }

 private:
  struct Round {
    std::vector<Workload> jobs;
    muster::Sealed<muster::Status> submitted;
    muster::Sealed<muster::Result<muster::CycleResult>> decided;
    std::vector<Key> done;
    muster::Sealed<muster::Status> finished;
  };

  muster::TimeNs Now() { return now_ += muster::kSecond; }

  Round Begin() {
    std::vector<Workload> jobs;
    for (int i = 0; i < kJobsOfARound; ++i) {
      jobs.push_back(muster::testing::MakeWorkload("job-" + std::to_string(next_++), "q",
                                                   muster::testing::Cpu(1)));
    }
    const std::vector<Key> done = std::exchange(left_, {});
    auto finished = pipeline_->Call(
        [&, now = Now()](Engine& engine) { return engine.Finish(done, /*failed=*/false, now); });
    auto submitted =
        pipeline_->Call([&, now = Now()](Engine& engine) { return engine.Submit(jobs, now); });
    auto decided = pipeline_->Call([now = Now()](Engine& engine) { return engine.RunCycle(now); });
    return {std::move(jobs), std::move(submitted), std::move(decided), done, std::move(finished)};
  }

  void End(Round& round) {
    Must(round.finished.Wait());
    for (const Key& key : round.done) Acknowledge(EventKind::kFinished, key);
    Must(round.submitted.Wait());
    for (const Workload& job : round.jobs) Acknowledge(EventKind::kSubmitted, job.key);
    const muster::Result<muster::CycleResult> cycle = round.decided.Wait();
    Must(cycle.status());
    for (const auto& admitted : cycle->admitted) {
      Acknowledge(EventKind::kQuotaReserved, admitted.workload);
      left_.push_back(admitted.workload);
    }
  }

  std::unique_ptr<muster::Pipeline> pipeline_;
  std::optional<Round> round_;
  std::vector<Key> left_;  // running, to be finished
  int next_ = 0;
  muster::TimeNs now_ = muster::testing::kNoon;
};

}  // namespace

int main(int argc, char** argv) {
  const muster::testing::DoomedArguments arguments(argc, argv);
  int transactions = 0;
  bool working = false;
  muster::LedgerTesting testing;
  testing.checkpoint_pages = 50;
  testing.at_point = [&](std::string_view point) {
    if (!working || point != arguments.stop_at || transactions++ < arguments.after) return;
    Say("stopped");
    while (true) pause();
  };
  auto opened = muster::DurableEngine::Open(arguments.ledger, {.testing = &testing});
  Must(opened.status());
  Gateway gateway(**opened);
  working = true;
  Say("open");
  while (true) gateway.Step();
}
