// Which sink hears what, and that a message is text, not a format.
#include "muster/log.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "muster/muster.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

class LogTest : public ::testing::Test {
 protected:
  LogTest() {
    SetLogSink(
        [this](LogLevel level, std::string_view message) { heard_.emplace_back(level, message); });
  }
  ~LogTest() override {
    SetLogSink({});
    SetLogLevel(LogLevel::kWarning);
  }

  std::vector<std::pair<LogLevel, std::string>> heard_;
};

TEST_F(LogTest, SaysWarningsAndErrorsUntilSomebodyChooses) {
  Log(LogLevel::kDebug, "a");
  Log(LogLevel::kInfo, "b");
  Log(LogLevel::kWarning, "c");
  Log(LogLevel::kError, "d");
  EXPECT_EQ(heard_, (std::vector<std::pair<LogLevel, std::string>>{{LogLevel::kWarning, "c"},
                                                                   {LogLevel::kError, "d"}}));
}

TEST_F(LogTest, SaysWhatTheLevelLetsThrough) {
  SetLogLevel(LogLevel::kDebug);
  Log(LogLevel::kDebug, "a");
  SetLogLevel(LogLevel::kOff);
  Log(LogLevel::kError, "b");
  ASSERT_EQ(heard_.size(), 1u);
  EXPECT_EQ(heard_[0].second, "a");
}

TEST_F(LogTest, TakesBracesAndPercentSignsAsTheyAre) {
  Log(LogLevel::kError, "{} {0} %s");
  ASSERT_EQ(heard_.size(), 1u);
  EXPECT_EQ(heard_[0].second, "{} {0} %s");
}

TEST_F(LogTest, ARefusedActivationIsToldToItsCallerAlone) {
  const testing::TemporaryDirectory folder;
  const auto engine = DurableEngine::Open((folder.path() / "l.ledger").string());
  ASSERT_TRUE(engine.ok());
  testing::WriteFile(folder.path() / "policy.lua", "return {}");
  EXPECT_FALSE((*engine)->ActivatePolicy(folder.path().string(), testing::kNoon).ok());
  EXPECT_TRUE(heard_.empty()) << heard_.front().second;
}

TEST_F(LogTest, KeepsMessagesOfSeveralThreadsApart) {
  const auto talk = [] {
    for (int i = 0; i < 100; ++i) Log(LogLevel::kError, "whole");
  };
  std::thread one(talk);
  std::thread other(talk);
  one.join();
  other.join();
  ASSERT_EQ(heard_.size(), 200u);
  for (const auto& [level, message] : heard_) EXPECT_EQ(message, "whole");
}

}  // namespace
}  // namespace muster
