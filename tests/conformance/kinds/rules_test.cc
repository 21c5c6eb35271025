// Every rule that refuses a change of an object has a case that breaks it: a rule is a line of
// bindings/objects that makes a mistake at a field, a case an update in one of the folders here.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tests/conformance/kinds/kind_case.h"
#include "tests/testing/paths.h"

namespace muster::conformance {
namespace {

/// "job.cc:123" of each, without those of kinds that users declare: declared_kinds_test.cc has
/// them.
std::set<std::string> RulesInSources() {
  const std::regex makes(R"(\b(Invalid|Forbidden|Required|Wrong|invalid|report)\()");
  const std::regex defines(R"(^(FieldError |  const auto invalid = |  return ))");
  std::set<std::string> rules;
  for (const auto& path : testing::FilesUnder(testing::SourceDir() / "bindings/objects", ".cc")) {
    const std::string name = path.filename().string();
    if (name == "declared.cc" || name == "kinds.cc") continue;
    std::istringstream text(testing::ReadFile(path));
    std::string line;
    for (int number = 1; std::getline(text, line); ++number) {
      const bool passes_on = line.find(", rule)") != std::string::npos;
      if (passes_on || std::regex_search(line, defines) || !std::regex_search(line, makes)) {
        continue;
      }
      rules.insert(name + ":" + std::to_string(number));
    }
  }
  return rules;
}

std::set<std::string> RulesInCases() {
  std::set<std::string> rules;
  for (const char* folder : {"sample", "reasoned"}) {
    const auto path = testing::SourceDir() / "tests/conformance/kinds" / folder;
    for (const auto& [family, inputs] : FindKindCases(path)) {
      for (const auto& input : inputs) rules.merge(RulesBrokenIn(input));
    }
  }
  return rules;
}

TEST(UpdateRules, EachHasACaseThatBreaksIt) {
  const std::set<std::string> in_sources = RulesInSources();
  const std::set<std::string> in_cases = RulesInCases();
  EXPECT_GE(in_sources.size(), 60U);
  for (const std::string& rule : in_sources) {
    EXPECT_TRUE(in_cases.contains(rule))
        << "bindings/objects/" << rule << " refuses what no case changes; add one to "
        << "tests/conformance/kinds/reasoned";
  }
  for (const std::string& rule : in_cases) {
    // Of a request that fails as a whole no line is known.
    if (rule.ends_with(":0")) continue;
    EXPECT_TRUE(in_sources.contains(rule)) << rule << " is no call that this test finds";
  }
}

}  // namespace
}  // namespace muster::conformance
