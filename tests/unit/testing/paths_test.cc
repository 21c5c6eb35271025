// Tests find the tree they were built from, and leave nothing behind.
#include "tests/testing/paths.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

namespace muster::testing {
namespace {

TEST(SourceDir, IsTheTreeThisTestWasBuiltFrom) {
  EXPECT_TRUE(std::filesystem::exists(SourceDir() / "tests/unit/testing/paths_test.cc"));
}

TEST(TemporaryDirectory, IsGoneWithItsFilesAtTheEndOfTheScope) {
  std::filesystem::path file;
  {
    const TemporaryDirectory directory;
    file = directory.Write("deep/er/file.txt", "text");
    EXPECT_EQ(ReadFile(file), "text");
  }
  EXPECT_FALSE(std::filesystem::exists(file.parent_path()));
}

TEST(FilesUnder, ListsMatchingFilesInPathOrder) {
  const TemporaryDirectory directory;
  directory.Write("b/x.yaml", "");
  directory.Write("a/y.yaml", "");
  directory.Write("a/z.json", "");
  const auto files = FilesUnder(directory.path(), ".yaml");
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0], directory.path() / "a/y.yaml");
  EXPECT_EQ(files[1], directory.path() / "b/x.yaml");
}

TEST(ReadFile, ThrowsRatherThanReturningNothing) {
  EXPECT_THROW(ReadFile(SourceDir() / "no-such-file"), std::runtime_error);
}

}  // namespace
}  // namespace muster::testing
