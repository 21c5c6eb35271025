// Commands of recorded ledgers: what an engine was once given can be told over the wire.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "bindings/cpp/old_command.h"
#include "bindings/cpp/replay.h"
#include "bindings/cpp/stored_policies.h"
#include "bindings/wire/wire.h"
#include "db/sqlite/read_only_ledger.h"
#include "engine/codec/command_codec.h"
#include "muster/durable_engine.h"
#include "tests/testing/paths.h"

namespace muster::wire {
namespace {

/// Tells every command of the ledger; how many there were.
int TellCommandsOf(const std::string& path, std::set<CommandKind>* kinds) {
  const auto ledger = ReadOnlyLedger::Open(path);
  EXPECT_TRUE(ledger.ok()) << ledger.status().message();
  if (!ledger.ok()) return 0;
  // What older ledgers were given depends on the state before it.
  Replayer replayer([&](std::string_view hash) {
    return LoadPolicyByHash([&](std::string_view h) { return (*ledger)->LoadPolicy(h); }, hash);
  });
  int told = 0;
  const Status read = (*ledger)->ReadCommits(1, [&](const CommitRecord& commit) {
    const Result<Command> command =
        commit.input ? DecodeCommand(*commit.input)
                     : OldCommand(commit.command, commit.events, replayer.engine());
    if (!command.ok()) return command.status();
    const Result<std::string> json = ToJson(*command);
    if (!json.ok()) return json.status();
    const Result<Command> back = CommandFromJson(*json);
    if (!back.ok()) return back.status();
    EXPECT_EQ(*back, *command) << *json;
    kinds->insert(KindOf(*command));
    ++told;
    return replayer.Redo(commit);
  });
  EXPECT_TRUE(read.ok()) << read.message();
  return told;
}

TEST(WireRecorded, CommandsOfKeptLedgersComeBack) {
  const auto kept = testing::FilesUnder(testing::SourceDir() / "tests/golden/ledgers", ".ledger");
  ASSERT_FALSE(kept.empty());
  std::set<CommandKind> kinds;
  for (const auto& path : kept) {
    SCOPED_TRACE(path.filename().string());
    const testing::TemporaryDirectory directory;
    EXPECT_GT(TellCommandsOf(directory.Write("ledger", testing::ReadFile(path)).string(), &kinds),
              0);
  }
  EXPECT_TRUE(kinds.contains(CommandKind::kCycle));
}

TEST(WireRecorded, CommandsThatALedgerKeepsComeBack) {
  const testing::TemporaryDirectory directory;
  const std::string path = (directory.path() / "ledger").string();
  const TimeNs now = 1'767'268'800 * kSecond;
  {
    const auto opened = DurableEngine::Open(path, {.allow_time_jump = true});
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    Engine& engine = (*opened)->engine();
    Workload job;
    job.key = {"team-a", "train"};
    job.labels = {{"team", "a"}};
    job.queue = "jobs";
    job.pod_sets.resize(1);
    job.pod_sets[0].name = "main";
    command::Update update;
    update.workload = job.key;
    update.priority = 7;
    for (const Command& command :
         std::vector<Command>{command::Apply{{Namespace{"team-a", {}}}},
                              command::Apply{{job}, MissingReference::kAccept}, update,
                              command::Cancel{{job.key}}}) {
      const Result<Answer> answer = engine.Do(command, now);
      ASSERT_TRUE(answer.ok()) << answer.status().message();
    }
  }
  std::set<CommandKind> kinds;
  EXPECT_EQ(TellCommandsOf(path, &kinds), 4);
}

}  // namespace
}  // namespace muster::wire
