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
  muster_name name = {sizeof name, 0, "team", "a", "another", 0};
  EXPECT_EQ(muster_finish(engine_, &name, 1, 0, kNoon, &error_), MUSTER_FAILED_PRECONDITION);
  EXPECT_THAT(muster_error_message(error_),
              HasSubstr("of uid another, and the one of that name has uid first"));
  name.uid = "first";
  EXPECT_EQ(muster_finish(engine_, &name, 1, 0, kNoon, nullptr), MUSTER_OK);
}

TEST_F(CReports, ANameOfBeforeItHadARunIsRead) {
  struct Former {
    std::uint32_t size;
    std::uint32_t reserved;
    const char* ns;
    const char* name;
    const char* uid;
    std::int64_t behind;
  };
  const Former former = {offsetof(Former, behind), 0, "team", "a", "another", 7};
  const auto* name = reinterpret_cast<const muster_name*>(&former);
  EXPECT_EQ(muster_finish(engine_, name, 1, 0, kNoon, nullptr), MUSTER_FAILED_PRECONDITION);
  const Former right = {offsetof(Former, behind), 0, "team", "a", "first", 7};
  name = reinterpret_cast<const muster_name*>(&right);
  EXPECT_EQ(muster_finish(engine_, name, 1, 0, kNoon, nullptr), MUSTER_OK);
}

TEST_F(CReports, AReportIsAboutTheRunThatItSays) {
  ASSERT_EQ(muster_register_consumer(engine_, "gateway", -1, kNoon, nullptr, nullptr), MUSTER_OK);
  const auto newest = [this] {
    muster_decisions* told = nullptr;
    EXPECT_EQ(muster_run_cycle(engine_, kNoon, nullptr, nullptr, nullptr), MUSTER_OK);
    EXPECT_EQ(muster_decisions_of(engine_, "gateway", 10, 0, &told, nullptr), MUSTER_OK);
    const std::int64_t run = muster_decisions_data(told)[muster_decisions_count(told) - 1].run;
    muster_decisions_free(told);
    return run;
  };
  const auto in_run = [](std::int64_t run) {
    return muster_name{sizeof(muster_name), 0, "team", "a", "first", run};
  };
  const muster_name first = in_run(newest());
  EXPECT_EQ(first.run, 1);
  ASSERT_EQ(muster_evict_job(engine_, &first, "Maintenance", kNoon, nullptr), MUSTER_OK);
  ASSERT_EQ(muster_evicted(engine_, &first, 1, kNoon, nullptr), MUSTER_OK);
  const muster_name second = in_run(newest());
  EXPECT_EQ(second.run, 2);
  EXPECT_EQ(muster_evict_job(engine_, &first, "Maintenance", kNoon, nullptr),
            MUSTER_FAILED_PRECONDITION);
  ASSERT_EQ(muster_evict_job(engine_, &second, "Maintenance", kNoon, nullptr), MUSTER_OK);
  // The retry of the first report, which would free the quota of the second run.
  EXPECT_EQ(muster_evicted(engine_, &first, 1, kNoon, &error_), MUSTER_FAILED_PRECONDITION);
  EXPECT_THAT(muster_error_message(error_),
              HasSubstr("this is about run 1 of team/a, and its newest is run 2"));
  muster_changes changes = {};
  changes.size = sizeof changes;
  changes.ns = "team";
  changes.name = "a";
  changes.has_priority = 1;
  changes.run = 1;
  EXPECT_EQ(muster_update(engine_, &changes, kNoon, nullptr), MUSTER_FAILED_PRECONDITION);
  EXPECT_EQ(muster_evicted(engine_, &second, 1, kNoon, nullptr), MUSTER_OK);
}

TEST_F(CReports, WhatMayNotBeMeantIsWarnedOf) {
  const std::string yaml = kJobA;
  muster_shape* shape = nullptr;
  ASSERT_EQ(muster_shape_parse(yaml.data(), yaml.size(), "a.yaml", &shape, nullptr), MUSTER_OK);
  muster_job jobs[2] = {};
  for (muster_job& each : jobs) {
    each.size = sizeof each;
    each.shape = shape;
    each.ns = "team";
  }
  jobs[0].name = "b";
  jobs[1].name = "later";  // of one shape: its uid is that of none of them
  jobs[1].created = kNoon + kSecond;
  std::size_t created = 0;
  muster_bytes* told = nullptr;
  ASSERT_EQ(muster_submit_warned(engine_, jobs, 1, kNoon, &created, &told, &error_), MUSTER_OK)
      << muster_error_message(error_);
  EXPECT_EQ(told, nullptr);
  ASSERT_EQ(muster_submit_warned(engine_, jobs, 2, kNoon, &created, &told, &error_), MUSTER_OK)
      << muster_error_message(error_);
  EXPECT_EQ(created, 1u);
  ASSERT_NE(told, nullptr);
  const std::string text(muster_bytes_data(told), muster_bytes_size(told));
  EXPECT_THAT(text, HasSubstr("\"metadata.creationTimestamp\""));
  EXPECT_THAT(text, HasSubstr("team/later was created at "));
  muster_bytes_free(told);
  jobs[0].name = "c";
  jobs[0].uid = "first";
  EXPECT_EQ(muster_submit(engine_, jobs, 1, kNoon, nullptr, &error_), MUSTER_INVALID_ARGUMENT);
  EXPECT_THAT(muster_error_message(error_), HasSubstr("is already that of team/a"));
  muster_shape_free(shape);
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
