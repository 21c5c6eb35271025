// Packages on disk and their hash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/paths.h"
#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using muster::testing::TemporaryDirectory;
using ::testing::HasSubstr;

TEST(ReadPackage, TakesEveryFileButHiddenOnesSortedByPath) {
  const TemporaryDirectory folder;
  folder.Write("policy.lua", "a");
  folder.Write("README.md", "b");
  folder.Write("data/x.txt", "c");
  folder.Write(".git/config", "d");
  folder.Write(".policy.lua.swp", "e");
  const auto source = ReadPackage(folder.path().string() + "/");
  ASSERT_TRUE(source.ok()) << source.status().message();
  EXPECT_EQ(source->folder, folder.path().string());
  EXPECT_EQ(ReadPackage(folder.path().string() + "/policy.lua")->Hash(), source->Hash());
  std::vector<std::string> paths;
  for (const PackageFile& file : source->files) paths.push_back(file.path);
  EXPECT_THAT(paths, ::testing::ElementsAre("README.md", "data/x.txt", "policy.lua"));
}

TEST(ReadPackage, AMissingFolderSaysWhatIsNeeded) {
  const auto source = ReadPackage("no/such/folder");
  EXPECT_EQ(source.status().code(), StatusCode::kNotFound);
  EXPECT_THAT(source.status().message(), HasSubstr("name a folder that holds policy.lua"));
}

TEST(PackageSource, TheHashNamesPathsAndBytesAndNothingElse) {
  const PackageSource source{"policies/x", {{"a", "1"}, {"b", "2"}}};
  EXPECT_EQ(source.Hash().size(), 64u);
  PackageSource moved = source;
  moved.folder = "elsewhere";
  EXPECT_EQ(moved.Hash(), source.Hash());
  for (const PackageSource& other :
       {PackageSource{"policies/x", {{"a", "1"}, {"b", "3"}}},
        PackageSource{"policies/x", {{"a", "1"}, {"c", "2"}}},
        PackageSource{"policies/x", {{"a", "1"}}}, PackageSource{"policies/x", {{"a", "1b2"}}}}) {
    EXPECT_NE(other.Hash(), source.Hash());
  }
}

TEST(LoadPackage, SaysWhatTheEngineMustKnow) {
  const auto source = ReadPackage((muster::testing::SourceDir() / "policies/small-first").string());
  ASSERT_TRUE(source.ok());
  const auto policy = LoadPackage(*source);
  ASSERT_TRUE(policy.ok()) << policy.status().message();
  const PolicyInfo& info = (*policy)->info();
  EXPECT_EQ(info.name, "small-first");
  EXPECT_EQ(info.hash, source->Hash());
  ASSERT_EQ(info.hooks.size(), 1u);
  EXPECT_EQ(info.hooks[0].hook, Hook::kQueueOrder);
  EXPECT_EQ(info.hooks[0].keys, 3);
  EXPECT_EQ(info.hooks[0].reads, std::vector<std::string>{"now"});
  EXPECT_THAT(info.hooks[0].place, ::testing::MatchesRegex(".*small-first/policy.lua:[0-9]+"));
}

TEST(LoadPackage, RefusesWithTheFirstMistakes) {
  const auto policy = LoadPackage(SourceOf("return {"));
  EXPECT_EQ(policy.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(policy.status().message(), HasSubstr("policies/x/policy.lua:1:9: syntax error"));
}

TEST(LoadPackage, EveryBuiltInPackageIsSound) {
  int packages = 0;
  for (const auto& file :
       muster::testing::FilesUnder(muster::testing::SourceDir() / "policies", "policy.lua")) {
    const auto source = ReadPackage(file.parent_path().string());
    ASSERT_TRUE(source.ok());
    EXPECT_TRUE(CheckPackage(*source).empty()) << CheckPackage(*source)[0].ToString();
    EXPECT_THAT(source->files,
                ::testing::Contains(::testing::Field(&PackageFile::path, "README.md")))
        << file;
    EXPECT_THAT(source->files,
                ::testing::Contains(::testing::Field(&PackageFile::path, "policy_spec.lua")))
        << file;
    ++packages;
  }
  EXPECT_GE(packages, 2);
}

TEST(RuntimeVersion, NamesLuaJit) { EXPECT_THAT(RuntimeVersion(), HasSubstr("LuaJIT 2.1")); }

}  // namespace
}  // namespace muster::luajit::testing
