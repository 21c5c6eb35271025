// Every wrong command line gets a sentence that says what to write instead.
#include "bindings/cli/flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace muster::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

struct Parsed {
  std::string kind;
  std::string name;
  std::vector<std::string> files;
  std::vector<std::string> kinds;
  std::optional<int> cycles;
  std::string output = "table";
  bool wide = false;
  std::optional<std::string> wrong;
};

Parsed Parse(const std::vector<std::string>& args) {
  Parsed parsed;
  Flags flags;
  flags.Required("KIND", &parsed.kind, "");
  flags.Optional("NAME", &parsed.name, "");
  flags.List("-f,--filename", "FILE...", &parsed.files, "");
  flags.CommaList("--ignore-kinds", "KIND,...", &parsed.kinds, "");
  flags.Count("--cycles", "N", &parsed.cycles, "");
  flags.Choice("-o,--output", &parsed.output, {"table", "json", "yaml"}, "");
  flags.Switch("--wide", &parsed.wide, "");
  parsed.wrong = flags.Parse(args);
  return parsed;
}

TEST(Flags, WordsAndOptionsComeInAnyOrder) {
  const Parsed parsed = Parse({"-o", "json", "cq", "team-a", "--wide", "--cycles=3"});
  EXPECT_EQ(parsed.wrong, std::nullopt);
  EXPECT_EQ(parsed.kind, "cq");
  EXPECT_EQ(parsed.name, "team-a");
  EXPECT_EQ(parsed.output, "json");
  EXPECT_THAT(parsed.cycles, Optional(3));
  EXPECT_TRUE(parsed.wide);
}

TEST(Flags, AListTakesEveryWordUpToTheNextOptionAndRepeats) {
  const Parsed parsed = Parse({"cq", "-f", "a", "b", "--wide", "-f", "-"});
  EXPECT_EQ(parsed.wrong, std::nullopt);
  EXPECT_THAT(parsed.files, ElementsAre("a", "b", "-"));
}

TEST(Flags, AListLeavesTheRequiredWordAlone) {
  const Parsed parsed = Parse({"-f", "a.yaml", "cq"});
  EXPECT_EQ(parsed.wrong, std::nullopt);
  EXPECT_EQ(parsed.kind, "cq");
  EXPECT_THAT(parsed.files, ElementsAre("a.yaml"));
}

TEST(Flags, ACommaListTakesOneWord) {
  const Parsed parsed = Parse({"--ignore-kinds", "Deployment,Service", "cq"});
  EXPECT_THAT(parsed.kinds, ElementsAre("Deployment", "Service"));
  EXPECT_EQ(parsed.kind, "cq");
}

TEST(Flags, AnUnknownOptionNamesTheClosest) {
  EXPECT_EQ(Parse({"cq", "--cycle", "3"}).wrong, "there is no option --cycle; write \"--cycles\"");
  EXPECT_EQ(Parse({"cq", "--outptu=json"}).wrong,
            "there is no option --outptu; write \"--output\"");
}

TEST(Flags, AMissingWordIsNamed) { EXPECT_EQ(Parse({"--wide"}).wrong, "KIND is missing"); }

TEST(Flags, AWordTooManyIsNamed) {
  EXPECT_EQ(Parse({"cq", "team-a", "team-b"}).wrong, "'team-b' is one word too many");
}

TEST(Flags, AnOptionWithoutItsValueIsNamed) {
  EXPECT_EQ(Parse({"cq", "--cycles"}).wrong, "--cycles needs a value");
  EXPECT_EQ(Parse({"cq", "-f"}).wrong, "--filename needs a value");
}

TEST(Flags, ACountIsAWholeNumberFromOne) {
  for (const char* text : {"0", "-1", "x", "3x", "1.5", "99999999999"}) {
    EXPECT_EQ(
        Parse({"cq", std::string("--cycles=") + text}).wrong,
        "--cycles takes a whole number from 1 to 2147483647, not '" + std::string(text) + "'");
  }
}

TEST(Flags, AChoiceNamesTheClosest) {
  EXPECT_EQ(Parse({"cq", "-o", "jsn"}).wrong, "--output does not take 'jsn'; write \"json\"");
}

TEST(Flags, NoneOfTwoValuesIsIgnored) {
  EXPECT_EQ(Parse({"cq", "-o", "json", "--output=yaml"}).wrong,
            "--output is given twice; leave one out");
  EXPECT_EQ(Parse({"cq", "--cycles", "1", "--cycles", "1"}).wrong,
            "--cycles is given twice; leave one out");
}

TEST(Flags, AnEmptyValueIsNoValue) {
  EXPECT_EQ(Parse({"cq", "-o", ""}).wrong, "--output needs a value");
  EXPECT_EQ(Parse({"cq", "--cycles="}).wrong, "--cycles needs a value");
}

}  // namespace
}  // namespace muster::cli
