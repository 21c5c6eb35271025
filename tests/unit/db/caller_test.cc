// The caller of a command: an envelope that names it, and is no part of the command.
#include "db/caller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/sqlite/ledger.h"
#include "db/sqlite/read_only_ledger.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using ::testing::ElementsAre;

const std::string kCommand("\3\0apply\0\xff", 9);

TEST(Caller, WhoGaveItStandsBeforeItAndIsNoPartOfIt) {
  for (const std::string caller : {"ci-a", "\xc3\xa4nne", "0", " "}) {
    const std::string input = WithCaller(caller, kCommand);
    EXPECT_EQ(CallerOf(input), caller);
    EXPECT_EQ(CommandIn(input), kCommand);
  }
}

TEST(Caller, NobodyLeavesNoTrace) {
  EXPECT_EQ(WithCaller("", kCommand), kCommand);
  for (const std::string& input : {kCommand, std::string(),
                                   std::string("\xff"
                                               "cut off")}) {
    EXPECT_EQ(CallerOf(input), "");
    EXPECT_EQ(CommandIn(input), input);
  }
}

TEST(Caller, ANameHasNoControlCharacters) {
  EXPECT_TRUE(CheckCaller("").ok());
  EXPECT_TRUE(CheckCaller(std::string(kMaxCaller, 'x')).ok());
  for (const std::string& bad : {std::string(kMaxCaller + 1, 'x'), std::string("a\nb"),
                                 std::string(1, '\0'), std::string("\xff"), std::string("\x7f")}) {
    EXPECT_EQ(CheckCaller(bad).code(), StatusCode::kInvalidArgument);
  }
}

TEST(Caller, SqlReadsWhatTheEnvelopeSays) {
  const testing::TemporaryDirectory directory;
  const std::string path = (directory.path() / "ledger").string();
  {
    const auto ledger = Ledger::Open(path, OpenMode::kCreate);
    ASSERT_TRUE(ledger.ok()) << ledger.status().message();
    Ticket last = 0;
    for (const char* caller : {"", "\xc3\xa4nne"}) {
      Commit commit;
      commit.input = WithCaller(caller, kCommand);
      commit.events = {{EventKind::kSubmitted, "ns/job", "{}"}};
      last = *(*ledger)->Append(std::move(commit));
    }
    ASSERT_TRUE((*ledger)->Durable(last).ok());
  }
  const auto ledger = ReadOnlyLedger::Open(path);
  const auto rows = (*ledger)->Query("SELECT coalesce(caller, 'none') FROM history ORDER BY seq");
  ASSERT_TRUE(rows.ok()) << rows.status().message();
  ASSERT_EQ(rows->rows.size(), 2u);
  EXPECT_EQ(std::get<std::string>(rows->rows[0][0]), "none");
  EXPECT_EQ(std::get<std::string>(rows->rows[1][0]), "\xc3\xa4nne");
  std::vector<std::string> callers;
  ASSERT_TRUE((*ledger)
                  ->FindEvents("ns/job", "",
                               [&callers](const CarriedEvent& event) {
                                 callers.push_back(event.caller);
                                 return Status::Ok();
                               })
                  .ok());
  EXPECT_THAT(callers, ElementsAre("", "\xc3\xa4nne"));
}

}  // namespace
}  // namespace muster
