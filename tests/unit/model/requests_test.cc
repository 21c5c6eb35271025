// What one pod asks for: defaults, aggregation, exclusions, transformations.
#include "engine/model/requests.h"

#include <gtest/gtest.h>

#include "tests/testing/short_names.h"

namespace muster {
namespace {

Container Asks(ResourceList requests, ResourceList limits = {}) {
  return {"c", std::move(requests), std::move(limits), false};
}

Container Sidecar(ResourceList requests) { return {"s", std::move(requests), {}, true}; }

class RequestsTest : public testing::Test {
 protected:
  RequestContext Context() const { return {config_, runtime_classes_, ranges_}; }
  Requests Of(const PodTemplate& pods) const {
    return PodRequests(FillDefaults(pods, Context()), config_);
  }
  void AddRange(LimitRangeItem item) {
    owned_.push_back(std::make_unique<LimitRange>());
    owned_.back()->items.push_back(std::move(item));
    ranges_.push_back(owned_.back().get());
  }

  Configuration config_;
  std::map<std::string, RuntimeClass> runtime_classes_;
  std::vector<std::unique_ptr<LimitRange>> owned_;
  std::vector<const LimitRange*> ranges_;
};

// ---- aggregation -------------------------------------------------------------------------------

TEST_F(RequestsTest, ContainersAddUp) {
  PodTemplate pods;
  pods.containers = {Asks({{"cpu", Q("1")}, {"memory", Q("1Gi")}}), Asks({{"cpu", Q("500m")}})};
  EXPECT_EQ(Of(pods), (Requests{{"cpu", 1500}, {"memory", 1'073'741'824}}));
}

TEST_F(RequestsTest, AnEmptyPodAsksForNothing) { EXPECT_EQ(Of({}), Requests{}); }

TEST_F(RequestsTest, SumsAreExactAndRoundedOnce) {
  PodTemplate pods;
  pods.containers = {Asks({{"cpu", Q("100.4m")}}), Asks({{"cpu", Q("100.4m")}})};
  EXPECT_EQ(Of(pods).at("cpu"), 201);
}

TEST_F(RequestsTest, TheLargestInitContainerCountsPerResource) {
  PodTemplate pods;
  pods.containers = {Asks({{"cpu", Q("2")}, {"memory", Q("1Gi")}})};
  pods.init_containers = {Asks({{"cpu", Q("3")}}), Asks({{"memory", Q("512Mi")}})};
  EXPECT_EQ(Of(pods), (Requests{{"cpu", 3000}, {"memory", 1'073'741'824}}));
}

TEST_F(RequestsTest, SidecarsRunBesideTheAppAndBesideLaterInitContainers) {
  PodTemplate pods;
  pods.containers = {Asks({{"cpu", Q("1")}})};
  pods.init_containers = {Asks({{"cpu", Q("4")}}), Sidecar({{"cpu", Q("1")}}),
                          Asks({{"cpu", Q("4500m")}}), Sidecar({{"cpu", Q("2")}})};
  // Steps: 4; 1 + 4.5; running: 1 + (1 + 2).
  EXPECT_EQ(Of(pods).at("cpu"), 5500);
  pods.containers = {Asks({{"cpu", Q("3")}})};
  EXPECT_EQ(Of(pods).at("cpu"), 6000);
}

TEST_F(RequestsTest, PodLevelResourcesReplaceTheAggregateOfTheSupportedOnes) {
  PodTemplate pods;
  pods.containers = {Asks({{"cpu", Q("4")}, {"memory", Q("2Gi")}, {"nvidia.com/gpu", Q("1")}})};
  pods.pod_requests = {{"cpu", Q("1")}, {"hugepages-2Mi", Q("4Mi")}, {"nvidia.com/gpu", Q("8")}};
  EXPECT_EQ(Of(pods), (Requests{{"cpu", 1000},
                                {"hugepages-2Mi", 4'194'304},
                                {"memory", 2'147'483'648},
                                {"nvidia.com/gpu", 1}}));
}

TEST_F(RequestsTest, OverheadIsAddedAfterPodLevelResources) {
  PodTemplate pods;
  pods.containers = {Asks({{"cpu", Q("4")}})};
  pods.pod_requests = {{"cpu", Q("1")}};
  pods.overhead = ResourceList{{"cpu", Q("250m")}, {"memory", Q("1Mi")}};
  EXPECT_EQ(Of(pods), (Requests{{"cpu", 1250}, {"memory", 1'048'576}}));
}

TEST_F(RequestsTest, NegativeRequestsCountAsNothing) {
  PodTemplate pods;
  pods.containers = {Asks({{"cpu", Q("-4")}})};
  EXPECT_EQ(Of(pods).at("cpu"), 0);
}

// ---- defaults ----------------------------------------------------------------------------------

TEST_F(RequestsTest, OverheadComesFromTheRuntimeClassUnlessGiven) {
  runtime_classes_["kata"] = {"kata", {{"cpu", Q("100m")}}};
  PodTemplate pods;
  pods.runtime_class = "kata";
  EXPECT_EQ(Of(pods).at("cpu"), 100);
  pods.overhead = ResourceList{{"cpu", Q("300m")}};
  EXPECT_EQ(Of(pods).at("cpu"), 300);
  pods.overhead = ResourceList{};
  EXPECT_EQ(Of(pods).at("cpu"), 100);
  pods.runtime_class = "unknown";
  EXPECT_EQ(Of(pods), Requests{});
}

TEST_F(RequestsTest, ALimitStandsInForAMissingRequest) {
  PodTemplate pods;
  pods.containers = {Asks({{"cpu", Q("1")}}, {{"cpu", Q("2")}, {"memory", Q("1Gi")}})};
  pods.init_containers = {Asks({}, {{"nvidia.com/gpu", Q("1")}})};
  EXPECT_EQ(Of(pods), (Requests{{"cpu", 1000}, {"memory", 1'073'741'824}, {"nvidia.com/gpu", 1}}));
}

TEST_F(RequestsTest, APodLevelLimitStandsInForAMissingPodLevelRequest) {
  PodTemplate pods;
  pods.containers = {Asks({{"cpu", Q("4")}})};
  pods.pod_limits = {{"cpu", Q("2")}};
  EXPECT_EQ(Of(pods).at("cpu"), 2000);
}

TEST_F(RequestsTest, LimitRangeDefaultsFillWhatContainersLeaveOut) {
  LimitRangeItem item;
  item.default_requests = {{"cpu", Q("1")}};
  item.default_limits = {{"cpu", Q("2")}, {"memory", Q("1Gi")}};
  AddRange(item);
  PodTemplate pods;
  pods.containers = {Asks({}), Asks({{"cpu", Q("3")}})};
  EXPECT_EQ(Of(pods), (Requests{{"cpu", 4000}, {"memory", 2'147'483'648}}));
  const PodTemplate filled = FillDefaults(pods, Context());
  EXPECT_EQ(filled.containers[1].limits.at("cpu"), Q("2"));
}

TEST_F(RequestsTest, TheFirstLimitRangeSetsADefault) {
  LimitRangeItem first;
  first.default_requests = {{"cpu", Q("1")}};
  LimitRangeItem second;
  second.default_requests = {{"cpu", Q("7")}, {"memory", Q("5")}};
  AddRange(first);
  AddRange(second);
  PodTemplate pods;
  pods.containers = {Asks({})};
  EXPECT_EQ(Of(pods), (Requests{{"cpu", 1000}, {"memory", 5}}));
}

TEST_F(RequestsTest, PodDefaultsReachOnlyPodsWithPodLevelResources) {
  LimitRangeItem item;
  item.type = LimitRangeType::kPod;
  item.default_requests = {{"memory", Q("64Mi")}};
  AddRange(item);
  PodTemplate pods;
  pods.containers = {Asks({{"cpu", Q("1")}})};
  EXPECT_EQ(Of(pods), (Requests{{"cpu", 1000}}));
  pods.pod_requests = {{"cpu", Q("2")}};
  EXPECT_EQ(Of(pods), (Requests{{"cpu", 2000}, {"memory", 67'108'864}}));
}

// ---- configuration -----------------------------------------------------------------------------

TEST_F(RequestsTest, ExcludedPrefixesAreDropped) {
  config_.exclude_resource_prefixes = {"nvidia.com/", "mem"};
  PodTemplate pods;
  pods.containers = {Asks({{"nvidia.com/gpu", Q("1")}, {"memory", Q("1")}, {"cpu", Q("1")}})};
  EXPECT_EQ(Of(pods), (Requests{{"cpu", 1000}}));
}

ResourceTransformation Transformation(const char* input, TransformationStrategy strategy,
                                      ResourceList outputs, const char* multiply_by = "") {
  return {input, strategy, std::move(outputs), multiply_by};
}

TEST_F(RequestsTest, RetainKeepsTheInputAndAddsTheOutputs) {
  config_.transformations = {
      Transformation("nvidia.com/gpu", TransformationStrategy::kRetain, {{"cpu", Q("500m")}})};
  PodTemplate pods;
  pods.containers = {Asks({{"nvidia.com/gpu", Q("3")}, {"cpu", Q("1")}})};
  EXPECT_EQ(Of(pods), (Requests{{"cpu", 2500}, {"nvidia.com/gpu", 3}}));
}

TEST_F(RequestsTest, ReplaceDropsTheInput) {
  config_.transformations = {Transformation("nvidia.com/mig-1g.5gb",
                                            TransformationStrategy::kReplace,
                                            {{"credits", Q("10")}, {"gpu-memory", Q("5Gi")}})};
  PodTemplate pods;
  pods.containers = {Asks({{"nvidia.com/mig-1g.5gb", Q("2")}})};
  EXPECT_EQ(Of(pods), (Requests{{"credits", 20}, {"gpu-memory", 10'737'418'240}}));
}

TEST_F(RequestsTest, OutputsOfSeveralInputsAddUp) {
  config_.transformations = {
      Transformation("a", TransformationStrategy::kReplace, {{"credits", Q("2")}}),
      Transformation("b", TransformationStrategy::kReplace, {{"credits", Q("3")}})};
  PodTemplate pods;
  pods.containers = {Asks({{"a", Q("1")}, {"b", Q("1")}, {"credits", Q("1")}})};
  EXPECT_EQ(Of(pods), (Requests{{"credits", 6}}));
}

TEST_F(RequestsTest, MultiplyByScalesTheInputForOutputsOnly) {
  config_.transformations = {Transformation("gpu-memory", TransformationStrategy::kRetain,
                                            {{"total-memory", Q("1")}}, "nvidia.com/gpu")};
  PodTemplate pods;
  pods.containers = {Asks({{"gpu-memory", Q("10")}, {"nvidia.com/gpu", Q("4")}})};
  EXPECT_EQ(Of(pods), (Requests{{"gpu-memory", 10}, {"nvidia.com/gpu", 4}, {"total-memory", 40}}));
  pods.containers = {Asks({{"gpu-memory", Q("10")}})};
  EXPECT_EQ(Of(pods), (Requests{{"gpu-memory", 10}, {"total-memory", 10}}));
}

TEST_F(RequestsTest, ANegativeSumOfOutputsIsNothing) {
  config_.transformations = {
      Transformation("a", TransformationStrategy::kReplace, {{"credits", Q("2")}}),
      Transformation("b", TransformationStrategy::kReplace, {{"credits", Q("-3")}})};
  PodTemplate pods;
  pods.containers = {Asks({{"a", Q("1")}, {"b", Q("1")}})};
  EXPECT_EQ(Of(pods), (Requests{{"credits", 0}}));
  pods.containers = {Asks({{"a", Q("2")}, {"b", Q("1")}})};
  EXPECT_EQ(Of(pods), (Requests{{"credits", 1}}));
  pods.containers = {Asks({{"b", Q("1")}, {"credits", Q("5")}})};
  EXPECT_EQ(Of(pods), (Requests{{"credits", 5}}));
}

TEST_F(RequestsTest, FractionalInputsAreNotRoundedBeforeTheFactor) {
  config_.transformations = {
      Transformation("cpu", TransformationStrategy::kReplace, {{"credits", Q("2")}})};
  PodTemplate pods;
  pods.containers = {Asks({{"cpu", Q("1250m")}})};
  EXPECT_EQ(Of(pods), (Requests{{"credits", 3}}));
}

TEST_F(RequestsTest, ExclusionComesBeforeTransformation) {
  config_.exclude_resource_prefixes = {"a"};
  config_.transformations = {
      Transformation("a", TransformationStrategy::kReplace, {{"credits", Q("2")}})};
  PodTemplate pods;
  pods.containers = {Asks({{"a", Q("1")}})};
  EXPECT_EQ(Of(pods), Requests{});
}

}  // namespace
}  // namespace muster
