// The packages' own specs, run under the system's busted through the shim, and the editor's and the
// linter's lists of names held against the sandbox.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/testing/command.h"
#include "tests/testing/paths.h"
#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

namespace fs = std::filesystem;
using muster::testing::CommandResult;
using muster::testing::RunCommand;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(PolicySpecs, PassUnderBusted) {
  for (const char* const program : {"busted", "luajit"}) {
    const bool installed =
        RunCommand({"sh", "-c", "command -v " + std::string(program)}).exit_code == 0;
    if (!installed) GTEST_SKIP() << program << " is not installed";
  }
  const fs::path policies = muster::testing::SourceDir() / "policies";
  for (const fs::path& spec : muster::testing::FilesUnder(policies, "_spec.lua")) {
    const CommandResult run =
        RunCommand({"busted", "--lua=luajit", "-o", "TAP", "--pattern=_spec",
                    "--helper=" + (policies / "testing/busted_shim.lua").string(),
                    spec.parent_path().string()});
    EXPECT_EQ(run.exit_code, 0) << spec << "\n" << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("ok 1 - ")) << spec << " has no tests";
    EXPECT_THAT(run.out, Not(HasSubstr("not ok")));
  }
}

TEST(PolicySpecs, PackagesAreCleanUnderLuacheck) {
  if (RunCommand({"luacheck", "--version"}).exit_code != 0) {
    GTEST_SKIP() << "luacheck is not installed";
  }
  const fs::path policies = muster::testing::SourceDir() / "policies";
  for (const fs::path& file : muster::testing::FilesUnder(policies, "policy.lua")) {
    const CommandResult run =
        RunCommand({"luacheck", "--no-color", "--config", "api/luacheckrc.lua",
                    fs::relative(file.parent_path(), policies).string()},
                   {{}, policies, {}});
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  }
}

// What a package does in a flood is on its page as its own spec makes it. A lottery draws by the
// package's files, its goldens among them, so random-fair cannot have one.
TEST(PolicySpecs, EveryPageSaysWhatItsReaderNeeds) {
  const fs::path policies = muster::testing::SourceDir() / "policies";
  const std::string all = muster::testing::ReadFile(policies / "README.md");
  const std::string cookbook =
      muster::testing::ReadFile(muster::testing::SourceDir() / "docs/policy-cookbook.md");
  int pages = 0;
  for (const fs::path& spec : muster::testing::FilesUnder(policies, "policy_spec.lua")) {
    const fs::path folder = spec.parent_path();
    if (folder.parent_path().filename() == "templates") continue;
    const std::string name = folder.filename().string();
    const std::string page = muster::testing::ReadFile(folder / "README.md");
    EXPECT_THAT(page, HasSubstr("# " + name + "\n"));
    EXPECT_THAT(page, HasSubstr("\n**Use it** ")) << name;
    EXPECT_THAT(page, HasSubstr("\n**What it trades away.** ")) << name;
    EXPECT_THAT(page, HasSubstr("\n**In a flood:** ")) << name;
    EXPECT_THAT(all, HasSubstr("| [" + name + "](" + name + "/README.md) |"));
    if (name != "fifo-priority") {
      EXPECT_THAT(cookbook, HasSubstr("(../policies/" + name + "/README.md)"));
    }
    if (name != "random-fair") {
      EXPECT_THAT(page, HasSubstr(muster::testing::ReadFile(folder / "goldens/flood.txt"))) << name;
    }
    const std::string policy = muster::testing::ReadFile(folder / "policy.lua");
    const std::regex parameter(R"(\n    (\w+) = \{\n      type)");
    for (std::sregex_iterator it(policy.begin(), policy.end(), parameter), end; it != end; ++it) {
      EXPECT_THAT(page, HasSubstr("| `" + (*it)[1].str() + "` |")) << name;
    }
    ++pages;
  }
  EXPECT_GE(pages, 18);
}

// Names of the allow-list, as "math.floor" or "pairs": those that a lookup does not complain about.
class ApiNames : public ::testing::Test {
 protected:
  void SetUp() override {
    auto state = State::Create();
    ASSERT_TRUE(state.ok());
    state_ = std::move(*state);
    api_ = muster::testing::ReadFile(muster::testing::SourceDir() / "policies/api/v1.d.lua");
    lint_ = muster::testing::ReadFile(muster::testing::SourceDir() / "policies/api/luacheckrc.lua");
  }
  bool Allowed(const std::string& scope, const std::string& name) {
    return !state_
                ->Lookup(scope, name,
                         "now usage borrowed lendable native_share free borrowing_level "
                         "account last_admitted share")
                .has_value();
  }
  // Every `word` that `text` holds between quotes.
  static std::vector<std::string> Quoted(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at + 1)) {
      const std::size_t end = text.find('"', at + 1);
      words.push_back(text.substr(at + 1, end - at - 1));
      at = end;
    }
    return words;
  }
  std::unique_ptr<State> state_;
  std::string api_, lint_;
};

TEST_F(ApiNames, TheLinterListsWhatTheSandboxAllows) {
  const std::size_t begin = lint_.find("read_globals");
  const std::size_t fields = lint_.find("bit = {", begin);
  std::set<std::string> globals;
  for (const std::string& name : Quoted(lint_.substr(begin, fields - begin))) {
    EXPECT_TRUE(Allowed("_G", name)) << name;
    globals.insert(name);
  }
  EXPECT_EQ(globals.size(), 11u);
  for (const std::string library : {"bit", "math", "muster", "string", "table"}) {
    EXPECT_TRUE(Allowed("_G", library));
    const std::size_t at = lint_.find(library + " = { fields");
    ASSERT_NE(at, std::string::npos) << library;
    const auto names = Quoted(lint_.substr(at, lint_.find("} }", at) - at));
    EXPECT_FALSE(names.empty());
    for (const std::string& name : names) EXPECT_TRUE(Allowed(library, name)) << library << name;
    const auto hint = state_->Lookup(library, "zzzzzzzzzzzz");
    ASSERT_TRUE(hint.has_value());
    if (!hint->cure.starts_with("there are ")) continue;
    EXPECT_EQ(static_cast<std::size_t>(std::count(hint->cure.begin(), hint->cure.end(), ',')) + 1,
              names.size())
        << library << " has other functions: " << hint->cure;
  }
}

TEST_F(ApiNames, TheReferenceListsTheFieldsOfEveryView) {
  for (const auto& [scope, title] :
       std::vector<std::pair<std::string, std::string>>{{"workload", "muster.Workload"},
                                                        {"context", "muster.Context"},
                                                        {"entry", "muster.Entry"},
                                                        {"victim", "muster.Victim"},
                                                        {"node", "muster.Node"},
                                                        {"flavor", "muster.Flavor"}}) {
    const std::size_t begin = api_.find("---@class " + title);
    ASSERT_NE(begin, std::string::npos);
    const std::string part = api_.substr(begin, api_.find("\n\n", begin) - begin);
    std::size_t listed = 0;
    for (std::size_t at = part.find("---@field "); at != std::string::npos;
         at = part.find("---@field ", at + 1)) {
      const std::size_t name = at + 10;
      const std::string field = part.substr(name, part.find(' ', name) - name);
      EXPECT_TRUE(Allowed(scope, field)) << title << "." << field;
      ++listed;
    }
    EXPECT_GT(listed, 0u);
    for (const char* field :
         {"name",      "namespace", "local_queue", "cluster_queue", "priority",
          "created",   "queued_at", "pods",        "podsets",       "request",
          "gpus",      "attempts",  "preemptions", "max_run",       "label",
          "waited",    "cycle",     "params",      "queue",         "now",
          "resources", "account",   "share",       "usage",         "last_admitted"}) {
      const bool inherited = scope == "entry" || scope == "victim";
      if (inherited || !Allowed(scope, field)) continue;
      EXPECT_THAT(part, HasSubstr("---@field " + std::string(field) + " ")) << title;
    }
  }
  for (const std::string name : {"pow", "sq", "clamp", "has", "glob"}) {
    EXPECT_THAT(api_, HasSubstr("function muster." + name + "("));
  }
}

// Members of the rows that the engine fills are what views show, under the same names but for two:
// a word stands for is_cohort, and `node` is where share and usage of the queue are found.
TEST_F(ApiNames, TheReferenceListsTheMembersOfEveryRow) {
  const std::string header =
      muster::testing::ReadFile(muster::testing::SourceDir() / "engine/include/muster/batch_abi.h");
  const std::regex member(R"(^  (?:double|unsigned int) (\w+?)_?(?:\[\w+\])?;)",
                          std::regex::multiline);
  for (const std::string row :
       {"muster_workload", "muster_holding", "muster_node", "muster_flavor"}) {
    const std::size_t begin = header.find("typedef struct " + row);
    const std::string text = header.substr(begin, header.find("} " + row, begin) - begin);
    std::size_t members = 0;
    for (std::sregex_iterator it(text.begin(), text.end(), member), end; it != end; ++it) {
      std::string name = (*it)[1];
      if (name == "is_cohort") name = "kind";
      if (name == "node") name = "usage";
      EXPECT_THAT(api_, HasSubstr("---@field " + name + " ")) << row;
      ++members;
    }
    EXPECT_GT(members, 3u) << row;
  }
}

}  // namespace
}  // namespace muster::luajit::testing
