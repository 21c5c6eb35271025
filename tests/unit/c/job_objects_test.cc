// Objects of job kinds through the C functions: those that were imported, and those that are
// scaled.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "bindings/c/include/muster.h"
#include "tests/testing/builders.h"
#include "tests/unit/c/one_queue.h"

namespace muster::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* kPlainJob = R"(
apiVersion: batch/v1
kind: Job
metadata: {namespace: team, name: shape, labels: {kueue.x-k8s.io/queue-name: jobs}}
spec:
  parallelism: 2
  template:
    spec:
      containers: [{name: main, image: none, resources: {requests: {cpu: 500m}}}]
)";

/// An engine in memory with one queue.
class CJobObjects : public ::testing::Test {
 protected:
  CJobObjects() {
    EXPECT_EQ(muster_open_memory(nullptr, &engine_, nullptr), MUSTER_OK);
    EXPECT_EQ(Apply(kOneQueue), MUSTER_OK) << Message();
  }
  ~CJobObjects() override {
    muster_error_free(error_);
    EXPECT_EQ(muster_close(engine_, nullptr), MUSTER_OK);
  }
  std::string Message() const { return muster_error_message(error_); }
  void Forget() {
    muster_error_free(error_);
    error_ = nullptr;
  }
  /// With the answer as JSON.
  muster_code Apply(const std::string& yaml) {
    Forget();
    muster_bytes* bytes = nullptr;
    const muster_code code = muster_apply(engine_, yaml.data(), yaml.size(), "job.yaml",
                                          MUSTER_REFUSE, kNoon, &bytes, &error_);
    answer_ = Text(bytes);
    return code;
  }
  /// What is advised about it.
  std::string Advice(const std::string& yaml) {
    Forget();
    muster_bytes* bytes = nullptr;
    EXPECT_EQ(muster_advise(engine_, yaml.data(), yaml.size(), "job.yaml", MUSTER_REFUSE, &bytes,
                            &error_),
              MUSTER_OK)
        << Message();
    return Text(bytes);
  }
  static std::string Text(muster_bytes* bytes) {
    if (bytes == nullptr) return "";
    std::string text = muster_bytes_data(bytes);
    muster_bytes_free(bytes);
    return text;
  }

  muster_engine* engine_ = nullptr;
  muster_error* error_ = nullptr;
  std::string answer_;
};

constexpr const char* kImported = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {namespace: team, name: job-shape-f09b8, labels: {kueue.x-k8s.io/job-uid: u1}}
spec:
  queueName: jobs
  podSets:
  - name: main
    count: 2
    template: {spec: {containers: [{name: main, image: none, resources: {requests: {cpu: 500m}}}]}}
)";

std::string Serving(int replicas) {
  return "apiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  namespace: team\n  name: web\n"
         "  labels: {kueue.x-k8s.io/queue-name: jobs}\nspec: {replicas: " +
         std::to_string(replicas) +
         ", template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}\n";
}

TEST_F(CJobObjects, AnImportedJobIsFoundWithoutItsUid) {
  ASSERT_EQ(Apply(Serving(1)), MUSTER_OK) << Message();  // from now on its names are known
  ASSERT_EQ(Apply(kImported), MUSTER_OK) << Message();
  ASSERT_EQ(Apply(kPlainJob), MUSTER_OK) << Message();
  std::int32_t phase = 0;
  EXPECT_EQ(muster_phase(engine_, "team", "job-shape-f09b8", &phase, nullptr), MUSTER_OK);
  EXPECT_EQ(muster_phase(engine_, "team", "job-shape", &phase, nullptr), MUSTER_NOT_FOUND);
}

TEST_F(CJobObjects, AdviceFollowsASetThatComesBack) {
  ASSERT_EQ(Apply(Serving(2)), MUSTER_OK) << Message();
  EXPECT_THAT(Advice(Serving(0)), HasSubstr("held back"));
  ASSERT_EQ(Apply(Serving(0)), MUSTER_OK) << Message();
  EXPECT_THAT(Advice(Serving(9)), HasSubstr("will never start"));
  ASSERT_EQ(Apply(Serving(2)), MUSTER_OK) << Message();
  EXPECT_EQ(json::parse(answer_)["objects"], json::array({"changed"})) << answer_;
}

}  // namespace
}  // namespace muster::testing
