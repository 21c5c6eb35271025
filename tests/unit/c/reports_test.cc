// Reports through C: by names of before they had a uid, about the job of a uid; what is handed out
// where they are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "bindings/c/include/muster.h"
#include "tests/testing/builders.h"
#include "tests/unit/c/one_queue.h"

namespace muster::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* kJobA = R"(---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {namespace: team, name: a, uid: first}
spec:
  queueName: jobs
  podSets:
  - name: main
    count: 1
    template:
      spec:
        restartPolicy: Never
        containers:
        - {name: main, image: none, resources: {requests: {cpu: 1}}}
)";

/// An engine in memory with job `a`, whose uid is "first".
class CReports : public ::testing::Test {
 protected:
  CReports() {
    EXPECT_EQ(muster_open_memory(nullptr, &engine_, nullptr), MUSTER_OK);
    const std::string yaml = std::string(kOneQueue) + kJobA;
    EXPECT_EQ(muster_apply(engine_, yaml.data(), yaml.size(), "a.yaml", MUSTER_REFUSE, kNoon,
                           nullptr, &error_),
              MUSTER_OK)
        << muster_error_message(error_);
  }
  ~CReports() override {
    muster_error_free(error_);
    EXPECT_EQ(muster_close(engine_, nullptr), MUSTER_OK);
  }

  muster_engine* engine_ = nullptr;
  muster_error* error_ = nullptr;
};

TEST_F(CReports, ANameOfBeforeItHadAUidIsRead) {
  struct Former {
    std::uint32_t size;
    std::uint32_t reserved;
    const char* ns;
    const char* name;
  };
  const Former former[] = {{sizeof(Former), 0, "team", "a"}, {sizeof(Former), 0, "team", "none"}};
  const auto* names = reinterpret_cast<const muster_name*>(former);
  EXPECT_EQ(muster_finish(engine_, names, 2, 0, kNoon, &error_), MUSTER_NOT_FOUND);
  EXPECT_EQ(muster_finish(engine_, names, 1, 0, kNoon, nullptr), MUSTER_OK);
}

TEST_F(CReports, AReportIsAboutTheJobOfItsUid) {
  muster_name name = {sizeof name, 0, "team", "a", "another"};
  EXPECT_EQ(muster_finish(engine_, &name, 1, 0, kNoon, &error_), MUSTER_FAILED_PRECONDITION);
  EXPECT_THAT(muster_error_message(error_),
              HasSubstr("of uid another, and the one of that name has uid first"));
  name.uid = "first";
  EXPECT_EQ(muster_finish(engine_, &name, 1, 0, kNoon, nullptr), MUSTER_OK);
}

TEST_F(CReports, WhatIsHandedOutIsZeroAfterAnError) {
  muster_cursor cursor = {sizeof cursor, 0, 7, 8};
  EXPECT_EQ(muster_acknowledge(engine_, "none", 1, kNoon, &cursor, nullptr), MUSTER_NOT_FOUND);
  EXPECT_EQ(cursor.acknowledged + cursor.last, 0);
  cursor = {sizeof cursor, 0, 7, 8};
  EXPECT_EQ(muster_register_consumer(engine_, "a b", 1, kNoon, &cursor, nullptr),
            MUSTER_INVALID_ARGUMENT);
  EXPECT_EQ(cursor.acknowledged + cursor.last, 0);
  muster_cycle cycle = {sizeof cycle, 1, 7, 7, 7, 7, 7, 7, 7};
  EXPECT_EQ(muster_run_cycle(nullptr, kNoon, &cycle, nullptr, nullptr), MUSTER_INVALID_ARGUMENT);
  EXPECT_EQ(cycle.at_rest + cycle.number + cycle.rolled_back, 0);
  EXPECT_EQ(cycle.size, sizeof cycle);
}

}  // namespace
}  // namespace muster::testing
