// The recorded cases that are part of the source tree: all of them must be decided alike, reasons
// included. sample/README.md says where they come from.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "tests/conformance/case.h"
#include "tests/testing/paths.h"

namespace muster::conformance {
namespace {

constexpr std::size_t kCases = 350;
constexpr std::size_t kFamilies = 20;

TEST(Sample, EveryCaseIsDecidedAsTheReferenceDid) {
  std::set<std::string> families;
  std::size_t cases = 0;
  const auto folder = testing::SourceDir() / "tests/conformance/sample";
  for (const std::filesystem::path& input : testing::FilesUnder(folder, ".yaml")) {
    const CaseResult result = RunCase(input);
    EXPECT_TRUE(result.decisions && result.reasons)
        << input.filename().string() << ": " << result.difference;
    const std::string name = input.stem().string();
    families.insert(name.substr(0, name.rfind('-')));
    ++cases;
  }
  EXPECT_EQ(cases, kCases);
  EXPECT_EQ(families.size(), kFamilies);
}

}  // namespace
}  // namespace muster::conformance
