// Which workloads can never be admitted, whatever the quota.
#include "engine/model/admissibility.h"

#include <gtest/gtest.h>

#include "tests/testing/short_names.h"

namespace muster {
namespace {

class AdmissibilityTest : public testing::Test {
 protected:
  AdmissibilityTest() {
    workload_.pod_sets.resize(1);
    workload_.pod_sets[0].name = "main";
    pods().containers.resize(1);
  }
  PodTemplate& pods() { return workload_.pod_sets[0].pods; }
  Container& container() { return pods().containers[0]; }
  LimitRangeItem& Range(LimitRangeType type = LimitRangeType::kContainer) {
    range_.items.emplace_back().type = type;
    return range_.items.back();
  }
  std::optional<std::string> Verdict() const {
    const LimitRange* const ranges[] = {&range_};
    return Inadmissible(workload_.pod_sets, {config_, classes_, ranges});
  }

  Configuration config_;
  std::map<std::string, RuntimeClass> classes_;
  LimitRange range_;
  Workload workload_;
};

TEST_F(AdmissibilityTest, APlainWorkloadIsAdmissible) {
  container().requests = {{"cpu", Q("1")}};
  container().limits = {{"cpu", Q("1000m")}};
  EXPECT_EQ(Verdict(), std::nullopt);
}

TEST_F(AdmissibilityTest, RequestsAboveTheirLimitAreNot) {
  container().requests = {{"cpu", Q("1")}};
  container().limits = {{"cpu", Q("500m")}};
  EXPECT_EQ(Verdict(), "pod set main: containers[0]: cpu request exceeds its limit");
}

TEST_F(AdmissibilityTest, InitContainersAndPodLevelResourcesAreLookedAtToo) {
  pods().init_containers.push_back({"i", {{"memory", Q("2")}}, {{"memory", Q("1")}}, false});
  EXPECT_EQ(Verdict(), "pod set main: initContainers[0]: memory request exceeds its limit");
  pods().init_containers.clear();
  pods().pod_requests = {{"cpu", Q("2")}};
  pods().pod_limits = {{"cpu", Q("1")}};
  EXPECT_EQ(Verdict(), "pod set main: resources: cpu request exceeds its limit");
}

TEST_F(AdmissibilityTest, DefaultsAreFilledInFirst) {
  Range().default_limits = {{"cpu", Q("1")}};
  container().requests = {{"cpu", Q("2")}};
  EXPECT_EQ(Verdict(), "pod set main: containers[0]: cpu request exceeds its limit");
}

TEST_F(AdmissibilityTest, PodsMayNotBeRequested) {
  container().requests = {{"pods", Q("1")}};
  ASSERT_TRUE(Verdict().has_value());
  EXPECT_NE(Verdict()->find("pods may not be requested"), std::string::npos) << *Verdict();
}

TEST_F(AdmissibilityTest, ContainersStayWithinTheLimitRange) {
  Range().min = {{"cpu", Q("1")}};
  range_.items[0].max = {{"cpu", Q("4")}};
  container().requests = {{"cpu", Q("1")}};
  container().limits = {{"cpu", Q("4")}};
  EXPECT_EQ(Verdict(), std::nullopt);
  container().limits = {{"cpu", Q("4001m")}};
  EXPECT_EQ(Verdict(), "pod set main: containers[0]: cpu is above the LimitRange max");
  container() = {"c", {{"cpu", Q("999m")}}, {}, false};
  EXPECT_EQ(Verdict(), "pod set main: containers[0]: cpu is below the LimitRange min");
}

TEST_F(AdmissibilityTest, AResourceNobodyAsksForIsNotBelowTheMin) {
  Range().min = {{"memory", Q("1Gi")}};
  container().requests = {{"cpu", Q("1")}};
  EXPECT_EQ(Verdict(), std::nullopt);
}

TEST_F(AdmissibilityTest, TheTightestOfSeveralRangesHolds) {
  Range().max = {{"cpu", Q("8")}};
  Range().max = {{"cpu", Q("2")}};
  container().requests = {{"cpu", Q("3")}};
  EXPECT_EQ(Verdict(), "pod set main: containers[0]: cpu is above the LimitRange max");
}

TEST_F(AdmissibilityTest, WholePodsStayWithinAPodRange) {
  Range(LimitRangeType::kPod).max = {{"cpu", Q("2")}};
  container().requests = {{"cpu", Q("1")}};
  pods().containers.push_back(container());
  EXPECT_EQ(Verdict(), std::nullopt);
  pods().overhead = ResourceList{{"cpu", Q("1m")}};
  EXPECT_EQ(Verdict(), "pod set main: pod: cpu is above the LimitRange max");
  range_.items[0].max.clear();
  range_.items[0].min = {{"cpu", Q("3")}};
  EXPECT_EQ(Verdict(), "pod set main: pod: cpu is below the LimitRange min");
}

TEST_F(AdmissibilityTest, EveryPodSetIsLookedAt) {
  workload_.pod_sets.push_back(workload_.pod_sets[0]);
  workload_.pod_sets[1].name = "worker";
  Container& second = workload_.pod_sets[1].pods.containers[0];
  second.requests = {{"cpu", Q("2")}};
  second.limits = {{"cpu", Q("1")}};
  EXPECT_EQ(Verdict(), "pod set worker: containers[0]: cpu request exceeds its limit");
}

TEST_F(AdmissibilityTest, ARatioIsNotEnforced) {
  Range().max_limit_request_ratio = {{"cpu", Q("2")}};
  container().requests = {{"cpu", Q("1")}};
  container().limits = {{"cpu", Q("10")}};
  EXPECT_EQ(Verdict(), std::nullopt);
}

}  // namespace
}  // namespace muster
