// Names, labels and the spelling of places.
#include <gtest/gtest.h>

#include "engine/validity/field_path.h"
#include "engine/validity/validate_rules.h"

namespace muster {
namespace {

template <typename Function, typename... Args>
std::vector<Problem> Apply(Function check, Args... args) {
  std::vector<Problem> problems;
  ProblemList list(0, Strictness::kStrict, problems);
  check(FieldPath("f"), args..., list);
  return problems;
}

TEST(FieldPath, IsSpeltAsManifestsAreRead) {
  const FieldPath spec("spec");
  const FieldPath groups = spec.Child("resourceGroups");
  const FieldPath group = groups.At(0);
  const FieldPath flavor = group.Child("flavors");
  EXPECT_EQ(spec.ToString(), "spec");
  EXPECT_EQ(flavor.At(12).Child("name").ToString(), "spec.resourceGroups[0].flavors[12].name");
  EXPECT_EQ(group.Entry("nvidia.com/gpu").ToString(), "spec.resourceGroups[0][nvidia.com/gpu]");
}

TEST(Names, SubdomainsAreAcceptedWithCapitalsAndUnderscoresToo) {
  for (const char* name : {"a", "a-b", "a.b", "0", "team-a.example.com", "1a", "Team_A"}) {
    EXPECT_TRUE(Apply(CheckName, name).empty()) << name;
  }
  EXPECT_TRUE(Apply(CheckName, std::string(253, 'a')).empty());
}

TEST(Names, EverythingElseIsRefused) {
  for (const char* name : {"_a", "a_", "-a", "a-", ".a", "a.", "a..b", "a b", "a/b", "\xC3\xA9"}) {
    EXPECT_EQ(Apply(CheckName, name).size(), 1u) << name;
  }
  EXPECT_EQ(Apply(CheckName, std::string(254, 'a')).size(), 1u);
  EXPECT_EQ(Apply(CheckName, "").size(), 1u);
  EXPECT_TRUE(Apply(CheckOptionalName, "").empty());
}

TEST(Names, TheCureIsANameThatWouldDo) {
  EXPECT_EQ(Apply(CheckName, "Team A").at(0).cure, "write \"team-a\"");
  EXPECT_EQ(Apply(CheckName, "-x-").at(0).cure, "write \"x\"");
  EXPECT_EQ(Apply(CheckName, "x..y").at(0).cure, "write \"x.y\"");
  EXPECT_EQ(Apply(CheckName, "x-.-Y").at(0).cure, "write \"x.y\"");
  EXPECT_EQ(Apply(CheckShortName, "a.b").at(0).cure, "write \"a-b\"");
  EXPECT_EQ(Apply(CheckName, "___").at(0).cure, "");
}

TEST(Names, ShortNamesHaveNoDotsAndAtMost63Characters) {
  EXPECT_TRUE(Apply(CheckShortName, std::string(63, 'a')).empty());
  EXPECT_EQ(Apply(CheckShortName, std::string(64, 'a')).size(), 1u);
  EXPECT_EQ(Apply(CheckShortName, "a.b").size(), 1u);
}

TEST(Names, QualifiedNamesHaveAnOptionalDomain) {
  for (const char* name : {"cpu", "nvidia.com/gpu", "a_b.C-d", "kueue.x-k8s.io/queue-name"}) {
    EXPECT_TRUE(Apply(CheckQualifiedName, name, "label key").empty()) << name;
  }
  for (const char* name :
       {"", "/gpu", "nvidia.com/", "NVIDIA.com/gpu", "n_v.com/gpu", "a/b/c", "-a", "a b"}) {
    EXPECT_EQ(Apply(CheckQualifiedName, name, "label key").size(), 1u) << name;
  }
  EXPECT_EQ(Apply(CheckQualifiedName, std::string(64, 'a'), "label key").size(), 1u);
}

TEST(Names, LabelValuesMayBeEmpty) {
  for (const char* value : {"", "a", "A_b.c-9"}) {
    EXPECT_TRUE(Apply(CheckLabelValue, value).empty()) << value;
  }
  for (const char* value : {"-a", "a b", "a/b"}) {
    EXPECT_EQ(Apply(CheckLabelValue, value).size(), 1u) << value;
  }
  EXPECT_EQ(Apply(CheckLabelValue, std::string(64, 'a')).size(), 1u);
}

}  // namespace
}  // namespace muster
