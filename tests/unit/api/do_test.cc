// A command as data does what the call of its name does, and answers as it would.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kNoon;
using testing::MakeWorkload;

class DoTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const Result<Answer> applied = engine_.Do(
        command::Apply{{testing::MakeFlavor("f"), testing::MakeQueue("q", "", {{"f", "cpu", 2}}),
                        testing::MakeLocalQueue("q")},
                       MissingReference::kRefuse,
                       Submission::kAsk},
        kNoon);
    ASSERT_TRUE(applied.ok()) << applied.status().message();
    EXPECT_THAT(std::get<answer::Applied>(*applied).objects,
                ElementsAre(Applied::kCreated, Applied::kCreated, Applied::kCreated));
  }

  Engine engine_;
};

TEST_F(DoTest, ASubmittedJobIsAdmittedByACycle) {
  const command::Submit submit{{MakeWorkload("w", "q", Cpu(1))}, Submission::kAsk};
  const Result<Answer> submitted = engine_.Do(submit, kNoon);
  ASSERT_TRUE(submitted.ok()) << submitted.status().message();
  EXPECT_THAT(std::get<answer::Applied>(*submitted).objects, ElementsAre(Applied::kCreated));
  CycleTrace trace;
  const Result<Answer> cycle = engine_.Do(command::Cycle{}, kNoon, &trace);
  ASSERT_TRUE(cycle.ok());
  ASSERT_EQ(std::get<CycleResult>(*cycle).admitted.size(), 1u);
  EXPECT_EQ(trace.cycle, 1);
}

TEST_F(DoTest, WhatACallRefusesIsRefused) {
  const Result<Answer> finished = engine_.Do(command::Finish{{DefaultKey("w")}, false}, kNoon);
  EXPECT_EQ(finished.status().code(), StatusCode::kNotFound);
  EXPECT_THAT(finished.status().message(), HasSubstr("there is no workload default/w"));
}

TEST_F(DoTest, PoliciesComeFromTheLoader) {
  const command::ActivatePolicy activate{"abc", {}};
  EXPECT_EQ(engine_.Do(activate, kNoon).status().code(), StatusCode::kFailedPrecondition);
  std::string asked;
  ASSERT_TRUE(engine_
                  .SetPolicyLoader([&](std::string_view hash) -> Result<std::shared_ptr<Policy>> {
                    asked = hash;
                    return Status(StatusCode::kNotFound, "no package abc here");
                  })
                  .ok());
  const Result<Answer> activated = engine_.Do(activate, kNoon);
  EXPECT_EQ(activated.status().code(), StatusCode::kNotFound);
  EXPECT_EQ(asked, "abc");
}

TEST_F(DoTest, EveryKindHasAName) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kCommandKinds; ++i) {
    names.insert(CommandName(static_cast<CommandKind>(i)));
  }
  EXPECT_EQ(names.size(), kCommandKinds);
}

}  // namespace
}  // namespace muster
