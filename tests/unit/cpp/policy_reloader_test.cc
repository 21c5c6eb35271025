// Saves that go live, in every way editors and orchestrators save; and those that must not.
#include "muster/policy_reloader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "muster/muster.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::kNoon;

std::string Package(const std::string& keys) {
  return "return { api = 1, name = 'ours', queue_order = function(w) return " + keys + " end }\n";
}

class Reloader : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ =
        fs::temp_directory_path() /
        ("muster-reload-" + std::to_string(std::hash<std::string>()(
                                ::testing::UnitTest::GetInstance()->current_test_info()->name())));
    fs::remove_all(root_);
    fs::create_directories(folder());
    const std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                         testing::MakeQueue("q", "", {{.nominal = 1}}),
                                         testing::MakeLocalQueue("q"),
                                         testing::MakeWorkload("job", "q", testing::Cpu(1))};
    ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  }
  void TearDown() override { fs::remove_all(root_); }

  fs::path folder() const { return root_ / "ours"; }
  static void Write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
  PolicyReloader& Start() {
    ReloadOptions options;
    options.folder = folder().string();
    options.quiet = 20 * kMillisecond;
    options.tests = tests_;
    reloader_ = std::make_unique<PolicyReloader>(std::move(options));
    EXPECT_TRUE(reloader_->status().ok()) << reloader_->status().message();
    return *reloader_;
  }
  /// Polls until something came of a save, at most a few seconds.
  std::vector<ReloadStep> Await() {
    for (int i = 0; i < 1000; ++i) {
      std::vector<ReloadStep> steps = *reloader_->Poll(engine_, kNoon + ++seconds_ * kSecond);
      if (!steps.empty()) return steps;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return {};
  }
  /// Polls long enough for a save to have come through.
  std::vector<ReloadStep> AwaitNothing() {
    std::vector<ReloadStep> all;
    for (int i = 0; i < 60; ++i) {
      for (ReloadStep& step : *reloader_->Poll(engine_, kNoon + ++seconds_ * kSecond)) {
        all.push_back(std::move(step));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return all;
  }
  void ExpectLive() {
    const std::vector<ReloadStep> steps = Await();
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_EQ(steps[0].outcome, ReloadStep::Outcome::kActivated) << steps[0].message;
    ASSERT_EQ(engine_.Policies()->size(), 1u);
    EXPECT_EQ((*engine_.Policies())[0].hash, steps[0].hash);
  }

  fs::path root_;
  Engine engine_;
  std::function<Status(const std::string&)> tests_;
  std::unique_ptr<PolicyReloader> reloader_;
  std::int64_t seconds_ = 0;
};

TEST_F(Reloader, WhatIsThereGoesLiveWhenItIsStaged) {
  Write(folder() / "policy.lua", Package("w.priority"));
  Start().Stage();
  ExpectLive();
}

TEST_F(Reloader, NoticesEveryWayToSave) {
  Write(folder() / "policy.lua", Package("1"));
  Start();
  Write(folder() / "policy.lua", Package("2"));  // truncate and write
  ExpectLive();
  Write(folder() / ".policy.lua.swp", Package("3"));  // write another file and rename it
  fs::rename(folder() / ".policy.lua.swp", folder() / "policy.lua");
  ExpectLive();
  fs::rename(folder(), root_ / "away");  // another folder in its place
  fs::create_directories(root_ / "next");
  Write(root_ / "next" / "policy.lua", Package("4"));
  fs::rename(root_ / "next", folder());
  ExpectLive();
}

TEST_F(Reloader, AFolderThatIsTakenAwayLeavesItsPolicyAndSaysSo) {
  Write(folder() / "policy.lua", Package("1"));
  Start().Stage();
  ExpectLive();
  fs::remove_all(folder());
  const std::vector<ReloadStep> steps = Await();
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].outcome, ReloadStep::Outcome::kRefused);
  EXPECT_THAT(steps[0].message, HasSubstr("has no policy.lua any more; policy ours stays active; "
                                          "muster policy rollback takes it out"));
  EXPECT_EQ(engine_.Policies()->size(), 1u);
}

TEST_F(Reloader, FollowsTheSymbolicLinksOfAConfigMap) {
  for (const char* version : {"..1", "..2"}) {
    fs::create_directories(folder() / version);
    Write(folder() / version / "policy.lua", Package(version + 2));
  }
  fs::create_directory_symlink("..1", folder() / "..data");
  fs::create_symlink("..data/policy.lua", folder() / "policy.lua");
  Start().Stage();
  ExpectLive();
  fs::create_directory_symlink("..2", folder() / "..data_tmp");
  fs::rename(folder() / "..data_tmp", folder() / "..data");
  ExpectLive();
}

TEST_F(Reloader, AHalfWrittenSaveNeverGoesLive) {
  Write(folder() / "policy.lua", Package("1"));
  Start();
  std::ofstream writer(folder() / "policy.lua", std::ios::trunc);
  const std::string whole = Package("2");
  writer << whole.substr(0, 30) << std::flush;
  EXPECT_TRUE(AwaitNothing().empty()) << "it is still open";
  writer << whole.substr(30);
  writer.close();
  ExpectLive();
}

TEST_F(Reloader, ASaveThatChangesNothingDoesNothing) {
  Write(folder() / "policy.lua", Package("1"));
  Start().Stage();
  ExpectLive();
  Write(folder() / "policy.lua", Package("1"));
  EXPECT_TRUE(AwaitNothing().empty());
}

TEST_F(Reloader, WhatIsBrokenIsRefusedWithItsPlaceAndChangesNothing) {
  Write(folder() / "policy.lua", Package("1"));
  Start().Stage();
  ExpectLive();
  const std::string before = (*engine_.Policies())[0].hash;
  Write(folder() / "policy.lua", Package("w.prioirty"));
  const std::vector<ReloadStep> steps = Await();
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].outcome, ReloadStep::Outcome::kRefused);
  EXPECT_THAT(steps[0].message, HasSubstr("policy.lua:1"));
  EXPECT_THAT(steps[0].message, HasSubstr("did you mean 'priority'?"));
  EXPECT_EQ((*engine_.Policies())[0].hash, before);
}

TEST_F(Reloader, WhatFailsOnTheLiveBatchesIsRefused) {
  Write(folder() / "policy.lua", Package("w.name == 'job' and 0/0 or 1"));
  Start().Stage();
  const std::vector<ReloadStep> steps = Await();
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].outcome, ReloadStep::Outcome::kRefused);
  EXPECT_THAT(steps[0].message, HasSubstr("nan"));
  EXPECT_TRUE(engine_.Policies()->empty());
}

TEST_F(Reloader, WhatFailsItsOwnTestsIsRefused) {
  tests_ = [](const std::string& path) {
    return Status(StatusCode::kInvalidArgument, path + ": 1 of 3 failed");
  };
  Write(folder() / "policy.lua", Package("1"));
  Start().Stage();
  const std::vector<ReloadStep> steps = Await();
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_THAT(steps[0].message, HasSubstr("1 of 3 failed"));
  EXPECT_TRUE(engine_.Policies()->empty());
}

TEST_F(Reloader, ADurableEngineHasStoredWhatItActivates) {
  const std::string path = (root_ / "l.ledger").string();
  Write(folder() / "policy.lua", Package("1"));
  std::string hash;
  {
    auto opened = DurableEngine::Open(path);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    PolicyReloader& reloader = Start();
    reloader.Stage();
    std::vector<ReloadStep> steps;
    for (int i = 0; i < 1000 && steps.empty(); ++i) {
      steps = *reloader.Poll(**opened, kNoon);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ASSERT_EQ(steps.size(), 1u);
    hash = steps[0].hash;
  }
  auto again = DurableEngine::Open(path);
  ASSERT_TRUE(again.ok()) << again.status().message();
  ASSERT_EQ((*again)->engine().Policies()->size(), 1u);
  EXPECT_EQ((*(*again)->engine().Policies())[0].hash, hash);
}

}  // namespace
}  // namespace muster
