// What another process does to a ledger in the middle of a verb: between two looks of a reader, or
// while a writer still waits for its input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <sstream>
#include <streambuf>
#include <utility>

#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/cli/sample.h"

namespace muster::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Does something else before the first byte goes through it, in or out.
class Meanwhile : public std::stringbuf {
 public:
  Meanwhile(const std::string& text, std::function<void()> act)
      : std::stringbuf("", std::ios::in | std::ios::out), text_(text), act_(std::move(act)) {}

 protected:
  int_type underflow() override {
    if (act_) {
      std::exchange(act_, nullptr)();
      str(text_);
    }
    return std::stringbuf::underflow();
  }
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    if (act_) std::exchange(act_, nullptr)();
    return std::stringbuf::xsputn(bytes, count);
  }

 private:
  const std::string text_;
  std::function<void()> act_;
};

class BesideOtherVerbs : public ::testing::Test {
 protected:
  BesideOtherVerbs() { Do({"apply", "-f", "-"}, kQueues); }

  Said Do(std::vector<std::string> args, const std::string& input = "") const {
    args.insert(args.end(), {"--db", db_});
    Said said = RunCli(args, input);
    EXPECT_EQ(said.code, kDone) << args.front() << ": " << said.err;
    return said;
  }

  testing::TemporaryDirectory directory_;
  const std::string db_ = (directory_.path() / "cluster.ledger").string();
};

TEST_F(BesideOtherVerbs, VerifyComparesTheStateAndTheHistoryOfOneMoment) {
  bool written = false;
  Meanwhile said("", [&] {
    Do({"submit", "-f", "-"}, kRedJobs);
    written = true;
  });
  std::istringstream in;
  std::ostream out(&said);
  std::ostringstream err;
  Io io{in, out, err, Paint(), Paint()};
  EXPECT_EQ(RunMuster({"ledger", "verify", "--replay", "--db", db_}, io), kDone) << err.str();
  EXPECT_TRUE(written);
  EXPECT_THAT(said.str(), AllOf(HasSubstr("clean: "), HasSubstr("1 commit,"),
                                HasSubstr("repeated: 1 commit,")));
}

TEST_F(BesideOtherVerbs, TheLedgerIsFreeWhileInputIsWaitedFor) {
  for (const char* verb : {"apply", "submit", "schedule"}) {
    bool free = false;
    Meanwhile typed(kRedJobs, [&] { free = Do({"schedule", "--wait", "0"}).code == kDone; });
    std::istream in(&typed);
    std::ostringstream out;
    std::ostringstream err;
    Io io{in, out, err, Paint(), Paint()};
    EXPECT_EQ(RunMuster({verb, "-f", "-", "--db", db_}, io), kDone) << verb << ": " << err.str();
    EXPECT_TRUE(free) << verb;
  }
}

}  // namespace
}  // namespace muster::cli
