// Packages on disk and their hash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

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

class OddEntry : public ::testing::Test {
 protected:
  OddEntry() { folder_.Write("policy.lua", "return {}"); }
  std::string Place(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string Refusal(const std::string& below = "") const {
    const auto source = ReadPackage(folder_.path().string() + below);
    EXPECT_EQ(source.status().code(), StatusCode::kInvalidArgument) << "it was read";
    return source.status().message();
  }

  TemporaryDirectory folder_;
};

TEST_F(OddEntry, ASymbolicLinkOutOfThePackageIsRefusedAndSoIsOneToAFolderOrNothing) {
  const TemporaryDirectory other;
  std::filesystem::create_directory(Place("data"));
  for (const std::string& to :
       {other.Write("x.lua", "1").string(), other.path().string(), std::string("/nowhere"),
        std::string("/dev/zero"), std::string("data"), std::string("linked")}) {
    std::filesystem::create_symlink(to, Place("linked"));
    EXPECT_THAT(Refusal(), HasSubstr(Place("linked") + ": is a symbolic link")) << to;
    std::filesystem::remove(Place("linked"));
  }
  std::filesystem::remove(Place("policy.lua"));
  std::filesystem::create_symlink(other.path() / "x.lua", Place("policy.lua"));
  EXPECT_THAT(Refusal("/policy.lua"), HasSubstr("policy.lua: is a symbolic link"));
}

TEST_F(OddEntry, ALinkToAFileInsideIsThatFileAsInAMountedConfigMap) {
  const std::string hash = ReadPackage(folder_.path().string())->Hash();
  std::filesystem::create_directory(Place("..2026_03_02"));
  std::filesystem::rename(Place("policy.lua"), Place("..2026_03_02/policy.lua"));
  std::filesystem::create_symlink("..2026_03_02", Place("..data"));
  std::filesystem::create_symlink("..data/policy.lua", Place("policy.lua"));
  const auto source = ReadPackage(folder_.path().string());
  ASSERT_TRUE(source.ok()) << source.status().message();
  EXPECT_EQ(source->files.size(), 1u);
  EXPECT_EQ(source->Hash(), hash);
}

TEST_F(OddEntry, TheFolderItselfMayBeALink) {
  const TemporaryDirectory other;
  const std::string current = (other.path() / "current").string();
  std::filesystem::create_directory_symlink(folder_.path(), current);
  EXPECT_TRUE(ReadPackage(current).ok());
}

TEST_F(OddEntry, APipeIsRefusedAndNotWaitedFor) {
  ASSERT_EQ(mkfifo(Place("note.txt").c_str(), 0600), 0);
  EXPECT_THAT(Refusal(), HasSubstr("note.txt: is a pipe"));
  std::filesystem::remove(Place("note.txt"));
  std::filesystem::remove(Place("policy.lua"));
  ASSERT_EQ(mkfifo(Place("policy.lua").c_str(), 0600), 0);
  EXPECT_THAT(Refusal("/policy.lua"), HasSubstr("policy.lua: is a pipe"));
}

TEST_F(OddEntry, ASocketIsRefused) {
  const int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, Place("s").c_str(), sizeof(address.sun_path) - 1);
  ASSERT_EQ(bind(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_THAT(Refusal(), HasSubstr("/s: is a socket"));
  close(descriptor);
}

TEST_F(OddEntry, AFolderThatIsCalledLikeAFileIsRefused) {
  std::filesystem::create_directory(Place("lib.lua"));
  EXPECT_THAT(Refusal(), HasSubstr("lib.lua: is a folder"));
}

TEST_F(OddEntry, TooMuchOfEverythingIsRefused) {
  const std::string most(1 << 20, ' ');
  folder_.Write("big.txt", most);
  EXPECT_TRUE(ReadPackage(folder_.path().string()).ok());
  folder_.Write("big.txt", most + ' ');
  EXPECT_THAT(Refusal(), HasSubstr("big.txt: a package has at most 1000 files of 1 MB"));
  for (int i = 0; i < 16; ++i) folder_.Write("big" + std::to_string(i) + ".txt", most);
  std::filesystem::remove(Place("big.txt"));
  EXPECT_THAT(Refusal(), HasSubstr("16 MB in all"));
  for (int i = 0; i < 16; ++i) folder_.Write("big" + std::to_string(i) + ".txt", "");
  for (int i = 0; i < 1000; ++i) std::filesystem::create_directory(Place(std::to_string(i)));
  EXPECT_THAT(Refusal(), HasSubstr("at most 1000 files"));
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
