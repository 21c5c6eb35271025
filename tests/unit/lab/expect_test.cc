// What an `expect` of a scenario demands, and what it leaves open.
#include "bindings/lab/scenario/expect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace muster::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

const Json& Step() {
  static const Json kStep = Json::parse(R"({
    "at": "2026-01-01T12:00:00Z",
    "admitted": {"ns/a": {"clusterQueue": "cq", "podSets": [
      {"name": "main", "count": 2, "flavors": {"cpu": "spot"}}]}},
    "preempted": {},
    "evicted": {"ns/c": {"clusterQueue": "cq", "reason": "PodsReadyTimeout", "quotaFree": false}},
    "pending": {"ns/b": {"clusterQueue": "cq", "parked": true, "reason": "WaitingForQuota"}}})");
  return kStep;
}

std::vector<Mismatch> Compare(const std::string& expect) {
  return CompareStep(Json::parse(expect), Step(), {"ns/a", "ns/b", "ns/c"});
}

auto At(const std::string& path) { return Field("path", &Mismatch::path, path); }

TEST(Expect, MapsMatchAsSubsets) {
  EXPECT_THAT(Compare(R"({"admitted": {"ns/a": {"clusterQueue": "cq"}}})"), IsEmpty());
  EXPECT_THAT(Compare(R"({"pending": {"ns/b": {"parked": true}}})"), IsEmpty());
}

TEST(Expect, ADifferentValueIsNamedByItsPath) {
  const std::vector<Mismatch> found =
      Compare(R"({"pending": {"ns/b": {"parked": false, "reason": "Suspended"}}})");
  ASSERT_THAT(found, ElementsAre(At("pending.ns/b.parked"), At("pending.ns/b.reason")));
  EXPECT_EQ(found[0].expected, "false");
  EXPECT_EQ(found[0].got, "true");
  EXPECT_EQ(found[1].expected, "Suspended");
  EXPECT_EQ(found[1].got, "WaitingForQuota");
}

TEST(Expect, NullAssertsAbsence) {
  EXPECT_THAT(Compare(R"({"pending": {"ns/a": null}})"), IsEmpty());
  EXPECT_THAT(Compare(R"({"admitted": {"ns/a": null}})"), ElementsAre(At("admitted.ns/a")));
}

TEST(Expect, AMissingKeyIsAMismatch) {
  const std::vector<Mismatch> found = Compare(R"({"admitted": {"ns/c": {"clusterQueue": "cq"}}})");
  ASSERT_THAT(found, ElementsAre(At("admitted.ns/c")));
  EXPECT_EQ(found[0].got, "nothing");
}

TEST(Expect, AnEmptyMapAssertsAnEmptyMap) {
  EXPECT_THAT(Compare(R"({"preempted": {}})"), IsEmpty());
  EXPECT_THAT(Compare(R"({"admitted": {}})"), ElementsAre(At("admitted")));
  EXPECT_THAT(Compare(R"({"admitted": {"ns/a": {}}})"), ElementsAre(At("admitted.ns/a")));
}

TEST(Expect, AWholeEmptyExpectationAssertsThatNothingHappened) {
  EXPECT_THAT(Compare("{}"), ElementsAre(At("admitted"), At("pending"), At("evicted")));
}

TEST(Expect, AnEvictionByATimeLimitIsComparedLikeTheRest) {
  EXPECT_THAT(Compare(R"({"evicted": {"ns/c": {"reason": "PodsReadyTimeout"}}})"), IsEmpty());
  EXPECT_THAT(Compare(R"({"evicted": {"ns/c": {"quotaFree": true}, "ns/a": {}}})"),
              ElementsAre(At("evicted.ns/c.quotaFree"), At("evicted.ns/a")));
}

TEST(Expect, ListsMatchInFullLengthAndElementByElement) {
  EXPECT_THAT(Compare(R"({"admitted": {"ns/a": {"podSets": [{"count": 2}]}}})"), IsEmpty());
  EXPECT_THAT(Compare(R"({"admitted": {"ns/a": {"podSets": [{"count": 3}]}}})"),
              ElementsAre(At("admitted.ns/a.podSets[0].count")));
  EXPECT_THAT(Compare(R"({"admitted": {"ns/a": {"podSets": []}}})"),
              ElementsAre(At("admitted.ns/a.podSets")));
}

TEST(Expect, AWorkloadThatIsNotInTheFileIsNeverAbsentByAccident) {
  const std::vector<Mismatch> found = Compare(R"({"pending": {"ns/bb": null}})");
  ASSERT_THAT(found, ElementsAre(At("pending.ns/bb")));
  EXPECT_EQ(found[0].got, "no such workload; write \"ns/b\"");
}

}  // namespace
}  // namespace muster::lab
