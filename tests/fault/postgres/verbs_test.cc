// The verbs on a ledger in PostgreSQL, through the real binary: what they say of a file they say of
// a database, and a ledger goes from one into the other and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/testing/command.h"
#include "tests/testing/paths.h"
#include "tests/testing/postgres_server.h"
#include "tests/unit/cli/sample.h"

namespace muster::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Words = std::vector<std::string>;

class VerbsOnADatabase : public ::testing::Test {
 protected:
  void SetUp() override {
    if (PostgresServer::Get() == nullptr) GTEST_SKIP() << PostgresServer::why();
    url_ = PostgresServer::Get()->FreshUrl();
  }
  std::string InFolder(const std::string& name) const {
    return (directory_.path() / name).string();
  }
  std::string File(const std::string& name, const std::string& text) const {
    return directory_.Write(name, text).string();
  }

  /// Runs a verb on the ledger `db`, expecting success; its output, where the ledger is LEDGER.
  static std::string Do(Words args, const std::string& db) {
    args.insert(args.end(), {"--db", db});
    const CommandResult result = RunMuster(args);
    EXPECT_EQ(result.exit_code, 0) << args.front() << " " << args[1] << ": " << result.err;
    std::string out = result.out;
    const std::string shown = db.substr(0, db.find('?'));
    if (const std::size_t at = out.find(shown); at != out.npos) {
      const std::size_t end = out.find(',', at);
      out.replace(at, end - at, "LEDGER");
    }
    return out;
  }
  /// A day: `train` borrows, `serve` pushes it out, a policy comes.
  std::vector<Words> Day() const {
    const std::string now = "2026-03-02T10:0";
    const std::string package = (SourceDir() / "policies/small-first").string();
    return {
        {"apply", "-f", File("queues.yaml", cli::kQueues), "--now", now + "0:00Z"},
        {"submit", "-f", File("jobs.yaml", cli::kRedJobs), "--now", now + "1:00Z"},
        {"schedule", "--until-idle", "--now", now + "2:00Z"},
        {"policy", "activate", package, "--now", now + "3:00Z"},
        {"finish", "lab/job-train", "--now", now + "4:00Z"},
        {"schedule", "--until-idle", "--now", now + "5:00Z"},
        {"policy", "list"},
        {"get", "workloads", "-o", "json", "--now", now + "6:00Z"},
        {"describe", "workload", "lab/job-train", "--now", now + "6:00Z"},
        {"explain", "lab/job-wait", "--now", now + "6:00Z"},
    };
  }
  /// What an auditor asks.
  static std::vector<Words> Questions() {
    return {
        {"usage", "--until", "2026-03-02T11:00:00Z"},
        {"ledger", "verify", "--replay"},
        {"ledger", "replay"},
        {"ledger", "export"},
        {"ledger", "export", "--what", "commits", "-o", "csv"},
        {"ledger", "query", "SELECT seq, command, hex(hash) FROM commit_log ORDER BY seq"},
        {"ledger", "query", "SELECT namespace, name, phase FROM workload ORDER BY name"},
        {"trace", "export", "--resource", "cpu"},
    };
  }

  TemporaryDirectory directory_;
  std::string url_;
};

TEST_F(VerbsOnADatabase, SayOfItWhatTheySayOfAFile) {
  const std::string file = InFolder("day.ledger");
  for (const std::vector<Words>& verbs : {Day(), Questions()}) {
    for (const Words& verb : verbs) {
      EXPECT_EQ(Do(verb, url_), Do(verb, file)) << verb.front() << " " << verb[1];
    }
  }
}

TEST_F(VerbsOnADatabase, ALedgerMovesIntoItAndBackWithEveryHash) {
  const std::string file = InFolder("day.ledger");
  for (const Words& verb : Day()) Do(verb, file);
  const CommandResult into = RunMuster({"ledger", "migrate", file, url_});
  ASSERT_EQ(into.exit_code, 0) << into.err;
  EXPECT_THAT(into.out, AllOf(StartsWith("migrated: postgresql:"), HasSubstr("verified")));
  for (const Words& verb : Questions()) EXPECT_EQ(Do(verb, url_), Do(verb, file)) << verb[1];
  // It goes on there, and once more in a file.
  Do({"cancel", "lab/job-wait", "--now", "2026-03-02T10:07:00Z"}, url_);
  const std::string back = InFolder("back.ledger");
  const CommandResult out = RunMuster({"ledger", "migrate", url_, back});
  ASSERT_EQ(out.exit_code, 0) << out.err;
  for (const Words& verb : Questions()) EXPECT_EQ(Do(verb, back), Do(verb, url_)) << verb[1];
  Do({"schedule", "--until-idle", "--now", "2026-03-02T10:08:00Z"}, back);
  EXPECT_THAT(Do({"ledger", "verify", "--replay"}, back), HasSubstr("came out the same"));
}

TEST_F(VerbsOnADatabase, ALedgerThatForgotItsBeginningMovesToo) {
  const std::string file = InFolder("day.ledger");
  for (const Words& verb : Day()) Do(verb, file);
  Do({"cancel", "lab/job-wait", "--now", "2026-03-04T10:00:00Z"}, file);
  Do({"schedule", "--now", "2026-03-04T10:00:00Z"}, file);
  EXPECT_THAT(Do({"ledger", "compact", "--keep", "1d"}, file), HasSubstr("compacted"));
  ASSERT_EQ(RunMuster({"ledger", "migrate", file, url_}).exit_code, 0);
  const std::string back = InFolder("back.ledger");
  const CommandResult out = RunMuster({"ledger", "migrate", url_, back});
  ASSERT_EQ(out.exit_code, 0) << out.err;
  for (const Words& verb :
       {Words{"ledger", "verify", "--replay"}, Words{"policy", "list"}, Words{"ledger", "export"},
        Words{"describe", "workload", "lab/job-train", "--now", "2026-03-05T10:00:00Z"}}) {
    const std::string was = Do(verb, file);
    EXPECT_EQ(Do(verb, url_), was) << verb[1];
    EXPECT_EQ(Do(verb, back), was) << verb[1];
  }
}

TEST_F(VerbsOnADatabase, NothingMovesOntoWhatIsThere) {
  const std::string file = InFolder("day.ledger");
  Do(Day()[0], file);
  Do(Day()[0], url_);
  const CommandResult onto = RunMuster({"ledger", "migrate", file, url_});
  EXPECT_EQ(onto.exit_code, 2);
  EXPECT_THAT(onto.err, AllOf(HasSubstr("is not empty"), HasSubstr("another word after #")));
  const CommandResult back = RunMuster({"ledger", "migrate", url_, file});
  EXPECT_EQ(back.exit_code, 2);
  EXPECT_THAT(back.err, HasSubstr("exists"));
  EXPECT_EQ(RunMuster({"ledger", "migrate", file, InFolder("other")}).exit_code, 1);
  EXPECT_THAT(Do({"ledger", "verify"}, url_), HasSubstr("clean"));
  EXPECT_THAT(Do({"ledger", "verify"}, file), HasSubstr("clean"));
}

TEST_F(VerbsOnADatabase, WhatIsForFilesRefusesWithACure) {
  for (const Words& verb :
       {Words{"ledger", "backup", InFolder("copy")}, Words{"ledger", "recover", InFolder("copy")},
        Words{"ledger", "compact", "--keep", "1d"}}) {
    Words args = verb;
    args.insert(args.end(), {"--db", url_});
    const CommandResult result = RunMuster(args);
    EXPECT_EQ(result.exit_code, 1) << verb[1];
    EXPECT_THAT(result.err, HasSubstr("is for a ledger in a file; for one in a database "));
  }
  const CommandResult missing = RunMuster({"get", "workloads", "--db", url_});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, AllOf(HasSubstr("there is no ledger "), HasSubstr(" begins one")));
}

TEST_F(VerbsOnADatabase, NoMessageShowsAPassword) {
  const std::string queues = File("queues.yaml", cli::kQueues);
  for (const std::string& url :
       Words{"postgresql://ann:s3cret@/db?host=/no/such/place", "postgres://ann:s3cret@[::1/db",
             "postgresql://ann:x/s3cret@/db", "postgresql://ann:x#s3cret@/db",
             "postgresql://ann:s3cret%zz@/db?host=/no", "postgresql:///db?host=/no&password=s3cret",
             "postgresql://ann:s3/cret@host:s3cret/db", "postgresql://ann:s3cret?x@host/db",
             "postgresql://ann@/db?host=/no#s3cret@x"}) {
    for (const Words& verb :
         {Words{"apply", "-f", queues}, Words{"get", "workloads"}, Words{"ledger", "verify"},
          Words{"ledger", "backup", InFolder("x")}, Words{"ledger", "query", "SELECT 1"},
          Words{"ledger", "migrate", InFolder("x")}, Words{"backtest"},
          Words{"serve", "--wait", "0"}}) {
      Words args = verb;
      args.insert(args.end(), {"--db", url});
      const CommandResult result = RunMuster(args);
      EXPECT_NE(result.exit_code, 0) << url;
      EXPECT_THAT(result.out + result.err, Not(HasSubstr("s3cret"))) << verb[1] << " " << url;
    }
  }
}

}  // namespace
}  // namespace muster::testing
