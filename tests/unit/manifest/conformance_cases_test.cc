// Every recorded conformance case is read without a mistake and written back unchanged.
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "tests/testing/paths.h"

namespace muster::manifest {
namespace {

constexpr std::size_t kLeastCases = 1000;
constexpr std::size_t kRoundTripEvery = 20;

std::vector<std::filesystem::path> Cases() {
  const auto shared = testing::SharedDir();
  if (!shared) return {};
  std::vector<std::filesystem::path> cases;
  for (const char* folder : {"cases", "more"}) {
    const auto some = testing::FilesUnder(*shared / "conformance" / folder, ".yaml");
    cases.insert(cases.end(), some.begin(), some.end());
  }
  return cases;
}

TEST(LongConformanceCases, AllAreReadWithoutMistake) {
  const auto cases = Cases();
  if (cases.empty()) GTEST_SKIP() << testing::kSharedIsAbsent;
  EXPECT_GE(cases.size(), kLeastCases);
  std::size_t bytes = 0;
  std::size_t objects = 0;
  for (const auto& path : cases) {
    const std::vector<Source> sources = {{path.filename().string(), testing::ReadFile(path)}};
    const Manifests manifests = Parse(sources);
    bytes += sources[0].text.size();
    objects += manifests.objects.size();
    EXPECT_TRUE(manifests.scenario) << path;
    if (!manifests.HasErrors()) continue;
    for (const Diagnostic& diagnostic : manifests.diagnostics) {
      ADD_FAILURE() << diagnostic.ToString();
    }
  }
  std::cout << cases.size() << " cases, " << bytes / 1000000 << " MB, " << objects << " objects\n";
}

TEST(ConformanceCases, ObjectsAreWrittenBackUnchanged) {
  const auto cases = Cases();
  if (cases.empty()) GTEST_SKIP() << testing::kSharedIsAbsent;
  for (std::size_t i = 0; i < cases.size(); i += kRoundTripEvery) {
    const std::vector<Source> sources = {
        {cases[i].filename().string(), testing::ReadFile(cases[i])}};
    const Manifests first = Parse(sources);
    std::string text;
    for (const Object& object : first.objects) text += "---\n" + ToYaml(object);
    const std::vector<Source> written = {{"written back", text}};
    EXPECT_TRUE(Parse(written).objects == first.objects) << cases[i];
  }
}

}  // namespace
}  // namespace muster::manifest
