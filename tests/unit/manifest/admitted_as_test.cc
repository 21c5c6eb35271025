// What no longer asks for what its workload was admitted with does not start.
#include <gmock/gmock.h>

#include <string>

#include "bindings/manifest/slices.h"
#include "bindings/manifest/start_objects.h"
#include "tests/unit/manifest/settled.h"

namespace muster::manifest {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string CountedJob(int pods, const std::string& cpu = "1", const std::string& metadata = "") {
  return ObjectText("batch/v1", "Job", metadata,
                    "spec: {parallelism: " + std::to_string(pods) +
                        ", template: {spec: {containers: [{name: c, resources: {requests: {cpu: " +
                        cpu + "}}}]}}}\n");
}

class AdmittedAs : public Settled {
 protected:
  /// What a start of the job is refused for; empty: it is not.
  std::string Refusal(const std::string& text, const std::string& workload = "job-n") {
    const Source source{"f.yaml", text};
    const auto started = StartObjects(engine_, {"default", workload}, {&source, 1});
    return started.ok() ? "" : std::string(started.status().message());
  }
};

TEST_F(AdmittedAs, CountsContainersAndRequestsDecide) {
  EXPECT_THAT(Apply(CountedJob(2)), IsEmpty());
  Admit();
  EXPECT_EQ(Refusal(CountedJob(2)), "");
  EXPECT_EQ(Refusal(CountedJob(50)),
            "f.yaml:4:18: Job n cannot start: it asks for 50 pods in \"main\", and was admitted "
            "with 2; give the manifest as it was admitted, or apply this one");
  EXPECT_THAT(Refusal(CountedJob(2, "3")),
              HasSubstr("it asks for 3 of cpu in container \"c\" of \"main\", and was admitted "
                        "with 1;"));
  EXPECT_THAT(Refusal(CountedJob(2, "1, memory: 1Gi")), HasSubstr("it asks for 1Gi of memory"));
  std::string other = CountedJob(2);
  other.replace(other.find("name: c"), 7, "name: d");
  EXPECT_THAT(Refusal(other), HasSubstr("it has other containers in \"main\""));
}

TEST_F(AdmittedAs, ALimitIsARequestThatIsMissing) {
  std::string limited = CountedJob(2);
  limited.replace(limited.find("requests"), 8, "limits");
  EXPECT_THAT(Apply(CountedJob(2)), IsEmpty());
  Admit();
  EXPECT_EQ(Refusal(limited), "");
}

TEST_F(AdmittedAs, APartOfThePodsIsWhatItWasGiven) {
  const std::string mark = ", annotations: {kueue.x-k8s.io/job-min-parallelism: '1'}";
  EXPECT_THAT(Apply(CountedJob(12, "1", mark)), IsEmpty());
  Admit();
  EXPECT_EQ(Refusal(CountedJob(12, "1", mark)), "");
  EXPECT_EQ(Refusal(CountedJob(10, "1", mark)), "") << "as the start has written it";
  EXPECT_THAT(Refusal(CountedJob(11, "1", mark)), HasSubstr("11 pods"));
}

TEST_F(AdmittedAs, ASliceThatRunsStartsNoPodsOfOneThatWaits) {
  const std::string mark = ", annotations: {kueue.x-k8s.io/elastic-job: 'true'}";
  EXPECT_THAT(Apply(CountedJob(2, "1", mark)), IsEmpty());
  Admit();
  EXPECT_THAT(Apply(CountedJob(9, "1", mark)), IsEmpty());
  const std::string running = RunningSlice(engine_, {"default", "job-n"}).name;
  EXPECT_THAT(Refusal(CountedJob(9, "1", mark), running), HasSubstr("asks for 9 pods"));
  EXPECT_EQ(Refusal(CountedJob(2, "1", mark), running), "");
}

}  // namespace
}  // namespace muster::manifest
