// The words of a spec: what its sandbox gives is what editors and the linter are told, no more and
// no less.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "bindings/luajit/spec_runner.h"
#include "tests/testing/paths.h"

namespace muster::luajit::testing {
namespace {

using Names = std::set<std::string>;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

std::string ReadPolicies(const std::string& path) {
  return muster::testing::ReadFile(muster::testing::SourceDir() / "policies" / path);
}

/// The keys of a table that a spec can name.
Names KeysIn(const std::string& expression) {
  const SpecRun run = RunSpecs(
      {"policies/x",
       {{"policy.lua", "return { api = 1, name = 'x', queue_order = function(w) return 1 end }"},
        {"policy_spec.lua", "it('a', function() local all = {}\n for key in pairs(" + expression +
                                ") do table.insert(all, key) end\n error('{ ' .. "
                                "table.concat(all, ' ') .. ' }', 0) end)"}}},
      {});
  Names names;
  const std::string& text = run.cases.at(0).message;
  std::istringstream words(text.substr(text.find('{') + 1));
  for (std::string word; words >> word && word != "}";) names.insert(word);
  return names;
}

/// What the first group of `pattern` matches in `text`.
Names Matches(const std::string& text, const std::string& pattern) {
  Names names;
  const std::regex regex(pattern);
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) {
    names.insert((*it)[1]);
  }
  return names;
}

/// Words of a spec that plain Lua does not have.
Names SpecWords() {
  Names words = KeysIn("_G");
  for (const char* plain :
       {"_G",       "assert", "bit",    "error",  "getmetatable", "ipairs",
        "math",     "next",   "pairs",  "pcall",  "rawequal",     "rawget",
        "rawset",   "select", "string", "table",  "tonumber",     "setmetatable",
        "tostring", "type",   "unpack", "xpcall", "muster"}) {
    words.erase(plain);
  }
  return words;
}

TEST(SpecWords, AreThoseThatAnEditorIsTold) {
  const std::string settings = ReadPolicies(".luarc.json");
  Names told = Matches(settings.substr(settings.find("diagnostics.globals")), R"re("(\w+)")re");
  EXPECT_EQ(told.erase("muster"), 1U);
  EXPECT_EQ(told, SpecWords());
  EXPECT_THAT(told, IsSupersetOf({"prop", "gen", "laws", "golden", "cases", "fx", "describe"}));
}

TEST(SpecWords, BeyondBustedsAreThoseThatTheLinterIsTold) {
  const std::string rules = ReadPolicies("api/luacheckrc.lua");
  const std::string own = rules.substr(rules.find("_spec.lua\"].read_globals"));
  const Names told = Matches(own.substr(0, own.find("assert")), R"re("(\w+)")re");
  EXPECT_EQ(told, (Names{"cases", "fx", "gen", "golden", "laws", "prop"}));
  EXPECT_THAT(SpecWords(), IsSupersetOf(told));
}

TEST(SpecWords, AreExplainedToEditorsMemberByMember) {
  const std::string page = ReadPolicies("api/spec.d.lua");
  for (const std::string table : {"fx", "gen"}) {
    Names told = Matches(page, "\nfunction " + table + R"(\.(\w+)\()");
    if (table == "fx") told.insert("now");
    EXPECT_EQ(told, KeysIn(table)) << table;
    EXPECT_GE(told.size(), 7U);
  }
  EXPECT_EQ(Matches(page, R"(function laws\.(\w+)\()"),
            Matches(ReadPolicies("testing/laws.lua"), R"(function laws\.(\w+)\()"));
  EXPECT_EQ(Matches(page, R"(function assert\.(\w+)\()"),
            Matches(ReadPolicies("testing/checks.lua"), R"(function checks\.(\w+)\()"));
  for (const std::string word : {"cases", "prop", "golden"}) {
    EXPECT_THAT(page, HasSubstr("\nfunction " + word + "("));
  }
}

TEST(SpecWords, MethodsAreExplainedToEditors) {
  const std::string page = ReadPolicies("api/spec.d.lua");
  Names asked = Matches(ReadPolicies("testing/handle.lua"), R"(function Policy:(\w+)\()");
  for (const char* inner : {"ask", "head_keys"}) EXPECT_EQ(asked.erase(inner), 1U);
  EXPECT_EQ(Matches(page, R"(function handle:(\w+)\()"), asked);
  Names moved = Matches(ReadPolicies("testing/world.lua"), R"(function Cluster:(\w+)\()");
  for (const char* inner : {"request", "add", "describe"}) EXPECT_EQ(moved.erase(inner), 1U);
  EXPECT_EQ(Matches(page, R"(function cluster:(\w+)\()"), moved);
}

}  // namespace
}  // namespace muster::luajit::testing
