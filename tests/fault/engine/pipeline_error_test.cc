// Every write and every flush fails, once and from then on, while an engine computes ahead of the
// disk: the calls that were not stored all say why, nothing they decided can be seen any more, and
// the ledger opens in the state after some call, no earlier than the last that was confirmed.
#include <gtest/gtest.h>

#include <deque>
#include <iostream>
#include <string>
#include <vector>

#include "db/sqlite/ledger.h"
#include "db/sqlite/testing.h"
#include "muster/pipeline.h"
#include "tests/testing/builders.h"
#include "tests/testing/crash_images.h"
#include "tests/testing/crash_vfs.h"

namespace muster::testing {
namespace {

constexpr int kRounds = 8;
constexpr std::size_t kInFlight = 4;

/// Call number `call` of a gateway's life; each makes one commit.
Status Do(Engine& engine, int call) {
  const TimeNs now = kNoon + call * kSecond;
  if (call == 0) {
    return engine.Apply(
        std::vector<Object>{MakeNamespace(), MakeFlavor("default"),
                            MakeQueue("q", "", {{.nominal = 2}}), MakeLocalQueue("q")},
        now);
  }
  const Workload job = MakeWorkload("job-" + std::to_string((call - 1) / 3), "q", Cpu(1));
  if (call % 3 == 1) return engine.Submit({&job, 1}, now);
  if (call % 3 == 2) return engine.RunCycle(now).status();
  return engine.Finish({&job.key, 1}, false, now);
}

LedgerTesting TestingOf(const CrashVfs& vfs) {
  LedgerTesting testing;
  testing.vfs = vfs.name();
  testing.checkpoint_pages = 12;
  testing.reserve_bytes = 4096;
  return testing;
}

/// StateHash after each number of calls, from an engine that waits for a disk that works.
std::vector<std::string> StatesOfAnEngineThatWaits() {
  CrashVfs vfs;
  const LedgerTesting testing = TestingOf(vfs);
  auto opened = DurableEngine::Open("L", {.testing = &testing});
  EXPECT_TRUE(opened.ok()) << opened.status().message();
  Engine& engine = (*opened)->engine();
  std::vector<std::string> states = {*engine.StateHash()};
  for (int call = 0; call <= 3 * kRounds; ++call) {
    EXPECT_TRUE(Do(engine, call).ok());
    states.push_back(*engine.StateHash());
    EXPECT_EQ((*opened)->ledger().last()->seq, call + 1);
  }
  return states;
}

/// Lives on `vfs` as long as it lets; returns how many calls were confirmed.
int LiveAhead(const CrashVfs& vfs) {
  const LedgerTesting testing = TestingOf(vfs);
  auto opened = DurableEngine::Open("L", {.testing = &testing});
  if (!opened.ok()) return 0;
  auto pipeline = Pipeline::Start(**opened, kInFlight);
  EXPECT_TRUE(pipeline.ok());
  std::deque<Sealed<Status>> returned;
  for (int call = 0; call <= 3 * kRounds; ++call) {
    returned.push_back((*pipeline)->Call([call](Engine& engine) { return Do(engine, call); }));
  }
  int confirmed = 0;
  bool lost = false;
  for (auto& each : returned) {
    const Status status = each.Wait();
    EXPECT_FALSE(lost && status.ok()) << "a call is confirmed that follows a lost one";
    lost = lost || !status.ok();
    confirmed += status.ok() ? 1 : 0;
    EXPECT_EQ(status.code(), lost ? StatusCode::kUnavailable : StatusCode::kOk) << status.message();
  }
  if (lost) {
    EXPECT_FALSE((*pipeline)->Settle().ok());
    EXPECT_FALSE((*opened)->engine().Workloads().ok()) << "lost decisions can be seen";
    EXPECT_EQ((*opened)->engine().RunCycle(kNoon).status().code(), StatusCode::kUnavailable);
  }
  return confirmed;
}

/// Empty when this disk opens in one of `states` and holds what was confirmed.
std::string LookAhead(const DiskImage& disk, const std::vector<std::string>& states,
                      int confirmed) {
  CrashVfs vfs;
  vfs.Boot(disk);
  const LedgerTesting testing = TestingOf(vfs);
  auto opened = DurableEngine::Open("L", {.testing = &testing});
  if (!opened.ok()) return opened.status().message();
  const std::int64_t calls = (*opened)->ledger().last()->seq;
  if (calls < confirmed) return "confirmed calls are gone";
  const std::string state = *(*opened)->engine().StateHash();
  return state == states.at(static_cast<std::size_t>(calls)) ? "" : "a state that never was";
}

struct DiskFault {
  const char* name;
  FaultKind kind;
  unsigned targets;
};
void PrintTo(const DiskFault& fault, std::ostream* out) { *out << fault.name; }

class PipelineOnAFailingDisk : public ::testing::TestWithParam<DiskFault> {};

TEST_P(PipelineOnAFailingDisk, LosesNothingThatWasConfirmedAndShowsNothingElse) {
  const std::vector<std::string> states = StatesOfAnEngineThatWaits();
  std::int64_t failures = 0;
  for (const bool persistent : {false, true}) {
    for (std::int64_t k = 0;; ++k, ++failures) {
      CrashVfs vfs;
      vfs.Inject({GetParam().kind, GetParam().targets, k, persistent});
      const int confirmed = LiveAhead(vfs);
      if (!vfs.fault_fired()) break;
      vfs.ClearFault();
      ASSERT_EQ(LookAhead(vfs.Visible(), states, confirmed), "") << "operation " << k;
      DiskModel model;
      for (const DiskOp& op : vfs.record()) model.Apply(op);
      DiskModel::Random random(7);
      ASSERT_EQ(LookAhead(model.Draw(Loss::kSubset, random), states, confirmed), "")
          << "operation " << k << ", then a power cut";
    }
  }
  std::cout << GetParam().name << ": " << failures << " failures\n";
  EXPECT_GT(failures, 10);
}

INSTANTIATE_TEST_SUITE_P(Disk, PipelineOnAFailingDisk,
                         ::testing::Values(DiskFault{"Write", FaultKind::kIoError, kWrites},
                                           DiskFault{"FullDisk", FaultKind::kDiskFull, kWrites},
                                           DiskFault{"Flush", FaultKind::kIoError, kSyncs}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace muster::testing
