// RFC 1123 names.
#include "bindings/manifest/names.h"

#include <gtest/gtest.h>

namespace muster::manifest {
namespace {

TEST(Names, LabelsAndSubdomains) {
  for (const char* name : {"a", "team-a", "0", "a1-b2"}) {
    EXPECT_TRUE(IsDnsLabel(name)) << name;
    EXPECT_TRUE(IsDnsSubdomain(name)) << name;
  }
  for (const char* name : {"", "-a", "a-", "A", "a_b", "a b", "a/b"}) {
    EXPECT_FALSE(IsDnsLabel(name)) << name;
    EXPECT_FALSE(IsDnsSubdomain(name)) << name;
  }
  EXPECT_FALSE(IsDnsLabel("a.b"));
  EXPECT_TRUE(IsDnsSubdomain("a.b"));
  for (const char* name : {".a", "a.", "a..b", "a.-b"}) EXPECT_FALSE(IsDnsSubdomain(name)) << name;
}

TEST(Names, LengthIsBounded) {
  EXPECT_TRUE(IsDnsLabel(std::string(63, 'a')));
  EXPECT_FALSE(IsDnsLabel(std::string(64, 'a')));
  EXPECT_TRUE(IsDnsSubdomain(std::string(253, 'a')));
  EXPECT_FALSE(IsDnsSubdomain(std::string(254, 'a')));
}

TEST(Names, CapitalLettersAndUnderscoresAreLoose) {
  EXPECT_TRUE(IsLooseName("Cohort_A", true));
  EXPECT_FALSE(IsLooseName("cohort a", true));
  EXPECT_FALSE(IsLooseName("_a", true));
  EXPECT_FALSE(IsLooseName("a.b", false));
}

TEST(Names, ValuesOfLabelsAreWordsOrNothing) {
  for (const char* good : {"", "a", "A-1_b.c", "0a1b2c3d-0000-4000-8000-000000000001"}) {
    EXPECT_TRUE(IsLabelValue(good)) << good;
  }
  for (const char* bad : {"-a", "a.", "a b", "a/b", "ä"}) EXPECT_FALSE(IsLabelValue(bad)) << bad;
  EXPECT_TRUE(IsLabelValue(std::string(63, 'a')));
  EXPECT_FALSE(IsLabelValue(std::string(64, 'a')));
}

TEST(Names, RepairsAreNames) {
  EXPECT_EQ(ProposeDnsName("My Team_A.x", true), "my-team-a.x");
  EXPECT_EQ(ProposeDnsName("My Team_A.x", false), "my-team-a-x");
  EXPECT_EQ(ProposeDnsName("--x--", true), "x");
  EXPECT_EQ(ProposeDnsName("\xC3\xBC", true), "");
  EXPECT_TRUE(IsDnsSubdomain(ProposeDnsName(std::string(300, 'A') + "!", true)));
}

}  // namespace
}  // namespace muster::manifest
