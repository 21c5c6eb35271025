// Help teaches: every verb shows examples, and every example is a command that exists.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "bindings/cli/command.h"
#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"

namespace muster::cli {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

TEST(Help, EveryVerbHasUsageExamplesAndOptions) {
  for (const auto& command : AllCommands()) {
    std::vector<std::string> args = Words(std::string(command->info().name));
    args.push_back("--help");
    const Said said = RunCli(args);
    SCOPED_TRACE(command->info().name);
    EXPECT_EQ(said.code, kDone);
    EXPECT_EQ(said.err, "");
    EXPECT_THAT(said.out, HasSubstr("Usage\n  muster " + std::string(command->info().name)));
    EXPECT_THAT(said.out, HasSubstr("\nExamples\n  # "));
    for (const Example& example : command->info().examples) {
      EXPECT_THAT(said.out, HasSubstr(example.line));
      EXPECT_THAT(example.line, HasSubstr("muster " + std::string(command->info().name)));
    }
  }
}

TEST(Help, ThePageOfTheServiceListsTheVerbsThatAskIt) {
  const std::string page = testing::ReadFile(testing::SourceDir() / "docs/service.md");
  const std::string_view begin = "With a service these verbs";
  const std::size_t from = page.find(begin);
  ASSERT_NE(from, std::string::npos);
  const std::string list = page.substr(from, page.find("Another verb", from) - from);
  std::set<std::string> told;
  for (std::size_t at = list.find('`'); at != std::string::npos; at = list.find('`', at + 1)) {
    const std::size_t end = list.find('`', at + 1);
    told.insert(list.substr(at + 1, end - at - 1));
    at = end;
  }
  std::set<std::string> asked = {"--db", "--activate"};  // options that the sentence names
  for (const auto& command : AllCommands()) {
    if (command->ServiceFlags() != nullptr) asked.emplace(command->info().name);
  }
  EXPECT_EQ(told, asked);
}

TEST(Help, OptionsInExamplesExist) {
  for (const auto& command : AllCommands()) {
    Flags flags;
    command->Declare(flags);
    std::string options;
    for (const FlagDoc& doc : flags.docs()) options += doc.spelling + '\n';
    if (command->ServiceFlags() != nullptr) {
      for (const auto& [option, doc] : kServiceOptions) options.append(option) += '\n';
    }
    for (const Example& example : command->info().examples) {
      const std::size_t verb = example.line.find("muster ");
      for (const std::string& word : Words(std::string(example.line.substr(verb)))) {
        if (!word.starts_with('-') || word == "-") continue;
        EXPECT_THAT(options, HasSubstr(word)) << example.line;
      }
    }
  }
}

TEST(Help, LinesFitATerminal) {
  for (const auto& command : AllCommands()) {
    std::vector<std::string> args = Words(std::string(command->info().name));
    args.insert(args.begin(), "help");
    std::istringstream lines(RunCli(args).out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110U) << line;
  }
}

TEST(Help, TheTopNamesEveryVerbAndShowsHowToBegin) {
  const Said said = RunCli({"--help"});
  EXPECT_EQ(said.code, kDone);
  EXPECT_THAT(said.out, HasSubstr("Getting started\n  muster validate"));
  for (const auto& command : AllCommands()) {
    EXPECT_THAT(said.out, HasSubstr("\n  " + std::string(command->info().name) + " "));
  }
}

TEST(Help, TheTopSaysWhatEachExitCodeMeans) {
  const std::string help = RunCli({"--help"}).out;
  for (const auto& [code, meaning] : kExitCodes) {
    EXPECT_THAT(help, HasSubstr("\n  " + std::to_string(code) + "      " +
                                std::string(meaning.substr(0, 30))));
  }
  EXPECT_THAT(help, HasSubstr("\n  128+N  signal N ended it"));
  EXPECT_THAT(RunCli({"schedule", "--help"}).out, HasSubstr("130, or 143 of SIGTERM"));
}

TEST(Help, EachGroupOfVerbsStandsTogether) {
  std::vector<std::string_view> groups;
  for (const auto& command : AllCommands()) {
    const std::string_view group = command->info().group;
    if (groups.empty() || groups.back() != group) groups.push_back(group);
  }
  const std::set<std::string_view> once(groups.begin(), groups.end());
  EXPECT_EQ(once.size(), groups.size());
}

TEST(Help, WithoutAVerbItGoesToStderrAndIsWrongUse) {
  const Said said = RunCli({});
  EXPECT_EQ(said.code, kWrongUse);
  EXPECT_EQ(said.out, "");
  EXPECT_THAT(said.err, HasSubstr("Getting started"));
}

TEST(Help, AMistypedVerbNamesTheClosest) {
  const Said said = RunCli({"shedule", "-f", "x"});
  EXPECT_EQ(said.code, kWrongUse);
  EXPECT_THAT(said.err, HasSubstr("there is no verb 'shedule'; write \"schedule\""));
}

TEST(Help, HalfAVerbNamesTheRest) {
  EXPECT_THAT(RunCli({"policy"}).err,
              HasSubstr("'policy' needs another word: policy new, policy check"));
}

TEST(Help, OptionsBeforeTheVerbAreExplained) {
  EXPECT_THAT(RunCli({"-n", "ns", "get"}).err, HasSubstr("options come after the verb"));
}

}  // namespace
}  // namespace muster::cli
