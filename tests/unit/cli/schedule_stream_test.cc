// schedule prints each cycle as it ends and keeps none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <streambuf>

#include "bindings/cli/json.h"
#include "bindings/cli/show/schedule_view.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/cli/sample.h"

namespace muster::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A stream that takes so many bytes and then fails, as a full disk does.
class FullDisk : public std::streambuf {
 public:
  explicit FullDisk(std::size_t room) : room_(room) {}

 protected:
  int_type overflow(int_type c) override {
    if (room_ == 0) return traits_type::eof();
    --room_;
    return c;
  }

 private:
  std::size_t room_;
};

std::string Failing() {
  return std::string(kQueues) + kRedJobs +
         "---\napiVersion: muster.dev/v1\nkind: Scenario\nnow: '2026-01-01T12:00:00Z'\nsteps:\n"
         "- cycle: 2\n- ready: [lab/job-wait]\n- cycle: 1\n";
}

TEST(ScheduleStream, AnotherCycleIsPrintedBeforeTheNextOneRuns) {
  Engine engine;
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Io io{in, out, err, Paint(), Paint()};
  for (const auto form : {CycleTeller::Form::kTable, CycleTeller::Form::kJson}) {
    CycleTeller teller(engine, form, std::nullopt, io);
    std::size_t told = out.str().size();
    for (int i = 0; i < 3; ++i) {
      lab::CycleOutcome cycle;
      cycle.result.at = i * kSecond;
      EXPECT_TRUE(teller.Take(cycle).ok());
      EXPECT_GT(out.str().size(), told);
      told = out.str().size();
    }
  }
}

TEST(ScheduleStream, JsonIsWholeWhenTheRunFailsOnTheWay) {
  const Said said = RunCli({"schedule", "-f", "-", "-o", "json"}, Failing());
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err, HasSubstr("lab/job-wait is not admitted"));
  EXPECT_EQ(Json::parse(said.out)["steps"].size(), 2U) << said.out;
  EXPECT_THAT(RunCli({"schedule", "-f", "-"}, Failing()).out, StartsWith("Cycle 1 at"));
}

TEST(ScheduleStream, NothingIsPrintedWhenNoCycleRan) {
  const Said said = RunCli({"schedule", "-f", "-", "-o", "json"}, "kind: Nothing\n");
  EXPECT_EQ(said.code, kNo);
  EXPECT_EQ(said.out, "");
}

TEST(ScheduleStream, ARunWhoseOutputCannotBeWrittenEnds) {
  std::istringstream in(std::string(kQueues) + kRedJobs);
  FullDisk disk(2000);
  std::ostream out(&disk);
  std::ostringstream err;
  Io io{in, out, err, Paint(), Paint()};
  // Two thousand million cycles would take a week.
  EXPECT_EQ(RunMuster({"schedule", "-f", "-", "--cycles", "2000000000"}, io), kRefused);
  EXPECT_THAT(err.str(), HasSubstr("cannot write the output"));
}

}  // namespace
}  // namespace muster::cli
