// An engine and its ledger: closed, opened, and nothing has happened in between.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "bindings/cpp/replay.h"
#include "db/sqlite/ledger.h"
#include "db/sqlite/read_only_ledger.h"
#include "muster/muster.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::MakeWorkload;
using ::testing::SizeIs;

class DurableEngineTest : public ::testing::Test {
 protected:
  void Open() {
    opened_.reset();
    Result<std::unique_ptr<DurableEngine>> opened = DurableEngine::Open(path());
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    opened_ = std::move(*opened);
  }
  Engine& engine() { return opened_->engine(); }
  std::string path() const { return (directory_.path() / "ledger").string(); }

  void ApplyQueue(std::int64_t cores) {
    const std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                         testing::MakeQueue("q", "", {{.nominal = cores}}),
                                         testing::MakeLocalQueue("q")};
    ASSERT_TRUE(engine().Apply(objects, kNoon).ok());
  }
  void Submit(const Workload& workload) {
    ASSERT_TRUE(engine().Submit({&workload, 1}, kNoon).ok());
  }
  std::vector<std::string> Cycle() {
    const Result<CycleResult> result = engine().RunCycle(kNoon);
    EXPECT_TRUE(result.ok()) << result.status().message();
    return testing::AdmittedNames(*result);
  }
  std::string Replay() {
    const auto ledger = ReadOnlyLedger::Open(path());
    EXPECT_TRUE(ledger.ok()) << ledger.status().message();
    const Result<Replayed> replayed = ReplayLedger(**ledger);
    EXPECT_TRUE(replayed.ok()) << replayed.status().message();
    return replayed.ok() ? replayed->state_hash : std::string();
  }
  /// A copy of a package of this repository, so that it can be taken away.
  std::string CopyPackage(const std::string& name) const {
    const std::filesystem::path copy = directory_.path() / name;
    std::filesystem::copy(testing::SourceDir() / "policies" / name, copy);
    return copy.string();
  }

  testing::TemporaryDirectory directory_;
  std::unique_ptr<DurableEngine> opened_;
};

TEST_F(DurableEngineTest, GoesOnWhereItWas) {
  Open();
  ApplyQueue(4);
  Submit(MakeWorkload("a", "q", Cpu(3)));
  Submit(MakeWorkload("b", "q", Cpu(3)));
  EXPECT_THAT(Cycle(), ElementsAre("a"));
  const std::string before = *engine().StateHash();
  Open();
  EXPECT_EQ(*engine().StateHash(), before);
  EXPECT_TRUE(engine().CheckInvariants().ok());
  EXPECT_THAT(Cycle(), IsEmpty());
  const Key a = DefaultKey("a");
  ASSERT_TRUE(engine().Finish({&a, 1}, false, kNoon).ok());
  Open();
  EXPECT_THAT(Cycle(), ElementsAre("b"));
}

TEST_F(DurableEngineTest, TimeDoesNotGoBackOverAReopening) {
  Open();
  ApplyQueue(4);
  Submit(MakeWorkload("a", "q", Cpu(1)));
  ASSERT_TRUE(engine().RunCycle(kNoon + 100 * kSecond).ok());
  Open();
  Workload late = MakeWorkload("late", "q", Cpu(1));
  late.created = kNoTime;
  Submit(late);
  EXPECT_EQ(engine().GetWorkload(late.key)->spec.created, kNoon + 100 * kSecond);
}

TEST_F(DurableEngineTest, ASecondWriterIsToldWhoHoldsIt) {
  Open();
  const auto second = DurableEngine::Open(path());
  ASSERT_EQ(second.status().code(), StatusCode::kUnavailable);
  EXPECT_THAT(second.status().message(), HasSubstr(std::to_string(getpid())));
}

TEST_F(DurableEngineTest, AReaderSeesTheStateBesideTheWriter) {
  Open();
  ApplyQueue(4);
  Submit(MakeWorkload("a", "q", Cpu(3)));
  const Result<Engine> read = ReadLedger(path());
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(*read->StateHash(), *engine().StateHash());
  Cycle();
  EXPECT_NE(*read->StateHash(), *engine().StateHash());
}

TEST_F(DurableEngineTest, StateAndHistoryOfAHeldMomentFitTogether) {
  Open();
  ApplyQueue(4);
  const auto moment = ReadOnlyLedger::Open(path());
  ASSERT_TRUE((*moment)->HoldMoment().ok());
  Submit(MakeWorkload("a", "q", Cpu(3)));
  const Result<Engine> read = ReadLedger(**moment);
  ASSERT_TRUE(read.ok()) << read.status().message();
  Cycle();
  const Result<Replayed> replayed = ReplayLedger(**moment);
  ASSERT_TRUE(replayed.ok()) << replayed.status().message();
  EXPECT_EQ(replayed->commits, 1);
  EXPECT_EQ(replayed->state_hash, *read->StateHash());
}

TEST_F(DurableEngineTest, AMissingLedgerIsNotCreatedUnlessAsked) {
  const auto opened = DurableEngine::Open(path(), {.create = false});
  EXPECT_EQ(opened.status().code(), StatusCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(path()));
  EXPECT_EQ(ReadLedger(path()).status().code(), StatusCode::kNotFound);
}

TEST_F(DurableEngineTest, APolicyIsLoadedFromTheLedgerAndNotFromItsFolder) {
  Open();
  ApplyQueue(4);
  const std::string folder = CopyPackage("small-first");
  ASSERT_TRUE(opened_->ActivatePolicy(folder, kNoon, {{"resource", "cpu"}}).ok());
  const std::vector<PolicyInfo> active = *engine().Policies();
  ASSERT_THAT(active, SizeIs(1));
  std::filesystem::remove_all(folder);
  Submit(MakeWorkload("large", "q", Cpu(4)));
  Submit(MakeWorkload("small", "q", Cpu(1)));
  const std::string before = *engine().StateHash();
  Open();
  ASSERT_THAT(*engine().Policies(), SizeIs(1));
  EXPECT_EQ(engine().Policies()->front().hash, active.front().hash);
  EXPECT_EQ(*engine().StateHash(), before);
  EXPECT_THAT(Cycle(), ElementsAre("small"));
  EXPECT_EQ(Replay(), *engine().StateHash());
}

TEST_F(DurableEngineTest, ParametersAreAnotherGeneration) {
  Open();
  const std::string folder = CopyPackage("small-first");
  ASSERT_TRUE(opened_->ActivatePolicy(folder, kNoon).ok());
  const std::string plain = engine().Policies()->front().hash;
  ASSERT_TRUE(opened_->ActivatePolicy(folder, kNoon, {{"aging", "2h"}}).ok());
  EXPECT_THAT(*engine().Policies(), SizeIs(1));
  EXPECT_NE(engine().Policies()->front().hash, plain);
  EXPECT_THAT(*opened_->ledger().PolicyHashes(), SizeIs(2));
}

TEST_F(DurableEngineTest, ABrokenPackageIsNotStored) {
  Open();
  const std::string folder = CopyPackage("small-first");
  testing::WriteFile(folder + "/policy.lua", "return {");
  EXPECT_EQ(opened_->ActivatePolicy(folder, kNoon).code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(*opened_->ledger().PolicyHashes(), IsEmpty());
}

// Its rules are with it in the ledger, so that a replay asks no machine for them.
TEST_F(DurableEngineTest, TheRulesOfATimeZoneAreStoredWithItsPackage) {
  Open();
  ApplyQueue(4);
  const std::string folder = (directory_.path() / "night").string();
  directory_.Write("night/policy.lua",
                   "return { api = 1, name = 'night', zones = { 'Asia/Tokyo' }, queue_order = "
                   "{ reads = { 'now' }, function(w, c) local t = c.local_time('Asia/Tokyo') "
                   "return t.hour == 21 and w.request.cpu or -w.request.cpu end } }");
  ASSERT_TRUE(opened_->ActivatePolicy(folder, kNoon).ok());
  const std::string hash = engine().Policies()->front().hash;
  const Result<StoredPolicy> stored = opened_->ledger().LoadPolicy(hash);
  ASSERT_TRUE(stored.ok());
  ASSERT_THAT(stored->files, SizeIs(2));
  EXPECT_EQ(stored->files[1].path, "zones/Asia/Tokyo");
  EXPECT_THAT(stored->files[1].bytes, ::testing::StartsWith("TZif"));
  Submit(MakeWorkload("small", "q", Cpu(1)));
  Submit(MakeWorkload("large", "q", Cpu(4)));
  Open();
  EXPECT_THAT(Cycle(), ElementsAre("large")) << "it is nine in the evening there";
  EXPECT_EQ(Replay(), *engine().StateHash());
}

TEST_F(DurableEngineTest, AnErrorBehindABranchIsFoundBeforeThePackageIsStored) {
  Open();
  const std::string folder = CopyPackage("small-first");
  testing::WriteFile(folder + "/policy.lua",
                     "return { api = 1, name = 'small-first', queue_order = function(w) "
                     "if w.priority > 5000 then return nil + 1 end return 1 end }");
  EXPECT_THAT(opened_->ActivatePolicy(folder, kNoon).message(),
              HasSubstr("with values that the policy compares with"));
  EXPECT_THAT(*opened_->ledger().PolicyHashes(), IsEmpty());
}

TEST_F(DurableEngineTest, RollingBackGoesThroughTheActivationsOneByOne) {
  Open();
  ApplyQueue(4);
  EXPECT_EQ(opened_->RollBackPolicy(kNoon).code(), StatusCode::kFailedPrecondition);
  ASSERT_TRUE(opened_->ActivatePolicy(CopyPackage("fifo-priority"), kNoon).ok());
  const std::string fifo = engine().Policies()->front().hash;
  const std::string small = CopyPackage("small-first");
  ASSERT_TRUE(opened_->ActivatePolicy(small, kNoon).ok());
  ASSERT_TRUE(opened_->ActivatePolicy(small, kNoon, {{"aging", "2h"}}).ok());
  ASSERT_TRUE(opened_->RollBackPolicy(kNoon).ok());
  EXPECT_THAT(*engine().Policies(), SizeIs(2));
  ASSERT_TRUE(opened_->RollBackPolicy(kNoon).ok());
  ASSERT_THAT(*engine().Policies(), SizeIs(1));
  EXPECT_EQ(engine().Policies()->front().hash, fifo);
  Open();
  ASSERT_THAT(*engine().Policies(), SizeIs(1));
  EXPECT_EQ(engine().Policies()->front().hash, fifo);
  ASSERT_TRUE(opened_->RollBackPolicy(kNoon).ok());
  EXPECT_THAT(*engine().Policies(), IsEmpty());
  EXPECT_EQ(opened_->RollBackPolicy(kNoon).code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(Replay(), *engine().StateHash());
}

TEST_F(DurableEngineTest, EachDecisionNamesThePolicyAndItsFuelIsCounted) {
  Open();
  ApplyQueue(4);
  ASSERT_TRUE(opened_->ActivatePolicy(CopyPackage("small-first"), kNoon).ok());
  const std::string hash = engine().Policies()->front().hash;
  Submit(MakeWorkload("a", "q", Cpu(3)));
  Cycle();
  CommitRecord last;
  ASSERT_TRUE(opened_->ledger()
                  .ReadCommits(opened_->ledger().last()->seq,
                               [&](const CommitRecord& commit) {
                                 last = commit;
                                 return Status::Ok();
                               })
                  .ok());
  EXPECT_EQ(last.command, "cycle");
  ASSERT_THAT(last.events, ::testing::Not(IsEmpty()));
  EXPECT_EQ(last.events.front().policy_hash, hash);
  ASSERT_THAT(last.policies, SizeIs(1));
  EXPECT_EQ(last.policies.front().hash, hash);
  EXPECT_EQ(last.policies.front().calls, 1);
  EXPECT_GT(last.policies.front().fuel, 0);
}

}  // namespace
}  // namespace muster
